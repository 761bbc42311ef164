// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace roadtune::engine {

// The blockwise 8 bits of bitsandbytes: a value is an entry of a map of 256 times the largest magnitude of its block.
inline constexpr std::size_t kByteBlock = 256;

using ByteMap = std::array<float, 256>;  // ascending; dense near zero, with powers of ten as far as 1e-7
const ByteMap& signedByteMap();          // -0.993 ... 1
const ByteMap& unsignedByteMap();        // 0 ... 1

// The last block may be short; `values` starts at a block. Of two entries as near the lower one is taken.
void quantiseBytes(const ByteMap& map, std::span<const float> values, std::span<std::uint8_t> codes,
                   std::span<float> absmax);
void dequantiseBytes(const ByteMap& map, std::span<const std::uint8_t> codes, std::span<const float> absmax,
                     std::span<float> values);

}  // namespace roadtune::engine
