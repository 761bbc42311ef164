// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/quant/byte_codec.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace roadtune::engine {

// The arithmetic of bitsandbytes' NF4, free of tensors.
inline constexpr std::size_t kNf4Block = 64;

const std::array<float, 16>& nf4Map();  // ascending, -1 ... 1

// Packs whole blocks (the last may be short): two codes per byte, the first value in the high nibble, and one scale
// per block. `codes` holds (values + 1) / 2 bytes, `absmax` one float per block; `values` starts at a block.
void quantiseNf4(std::span<const float> values, std::span<std::uint8_t> codes, std::span<float> absmax);

// code * absmax in float32.
void dequantiseNf4(std::span<const std::uint8_t> codes, std::span<const float> absmax, std::span<float> values);

// The second quantisation: scales minus their mean (`offset` when the caller has summed them up as the reference
// does, whose last bit depends on the order), in 8 bits with one float per 256.
struct NestedScales {
  std::vector<std::uint8_t> codes;
  std::vector<float> absmax;
  float offset = 0;
};
NestedScales quantiseScales(std::span<const float> scales, std::optional<float> offset = {});
void dequantiseScales(std::span<const std::uint8_t> codes, std::span<const float> absmax, float offset,
                      std::span<float> scales);

}  // namespace roadtune::engine
