// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/dtype.h"

#include <cstdint>
#include <span>
#include <vector>

namespace roadtune::model {

// Conversions between float32 and 16-bit numbers: to nearest, halves to even; NaN stays NaN.
std::uint16_t toBf16(float value);
float fromBf16(std::uint16_t bits);
std::uint16_t toFp16(float value);
float fromFp16(std::uint16_t bits);

// Values of a floating tensor as float32 (F32, BF16, F16, F64); empty for other types.
std::vector<float> toFloats(Dtype dtype, std::span<const std::uint8_t> bytes);

// float32 values in the bytes of F32, BF16 or F16; empty for other types.
std::vector<std::uint8_t> fromFloats(Dtype dtype, std::span<const float> values);

}  // namespace roadtune::model
