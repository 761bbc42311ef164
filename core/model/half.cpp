// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/half.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace roadtune::model {
namespace {

template <class T, class Convert>
void readEach(std::span<const std::uint8_t> bytes, std::vector<float>& values, Convert convert) {
  values.reserve(bytes.size() / sizeof(T));
  for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T raw;
    std::memcpy(&raw, bytes.data() + at, sizeof(T));
    values.push_back(convert(raw));
  }
}

}  // namespace

std::uint16_t toBf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>((bits >> 16) | 0x40);
  return static_cast<std::uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
}

float fromBf16(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

std::uint16_t toFp16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const float size = std::fabs(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7E00u);
  if (size >= 65520.0f) return static_cast<std::uint16_t>(sign | 0x7C00u);
  if (size < 6.103515625e-05f)  // subnormal: counted in steps of 2^-24
    return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::nearbyint(std::ldexp(size, 24))));
  const std::uint32_t magnitude = (bits & 0x7FFFFFFFu) - 0x38000000u;  // exponent bias 127 -> 15
  return static_cast<std::uint16_t>(sign | ((magnitude + 0xFFFu + ((magnitude >> 13) & 1u)) >> 13));
}

float fromFp16(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1F;
  const float mantissa = static_cast<float>(bits & 0x3FF);
  float size = 0;
  if (exponent == 0)
    size = std::ldexp(mantissa, -24);
  else if (exponent == 31)
    size = mantissa == 0 ? HUGE_VALF : std::nanf("");
  else
    size = std::ldexp(1024.0f + mantissa, exponent - 25);
  return bits & 0x8000 ? -size : size;
}

std::vector<float> toFloats(Dtype dtype, std::span<const std::uint8_t> bytes) {
  std::vector<float> values;
  switch (dtype) {
    case Dtype::F32: readEach<float>(bytes, values, [](float value) { return value; }); break;
    case Dtype::F64: readEach<double>(bytes, values, [](double value) { return static_cast<float>(value); }); break;
    case Dtype::BF16: readEach<std::uint16_t>(bytes, values, fromBf16); break;
    case Dtype::F16: readEach<std::uint16_t>(bytes, values, fromFp16); break;
    default: break;
  }
  return values;
}

std::vector<std::uint8_t> fromFloats(Dtype dtype, std::span<const float> values) {
  std::vector<std::uint8_t> bytes;
  if (dtype == Dtype::F32) {
    bytes.resize(values.size_bytes());
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), values.size_bytes());
  } else if (dtype == Dtype::BF16 || dtype == Dtype::F16) {
    bytes.resize(values.size() * 2);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint16_t half = dtype == Dtype::BF16 ? toBf16(values[i]) : toFp16(values[i]);
      std::memcpy(bytes.data() + 2 * i, &half, 2);
    }
  }
  return bytes;
}

}  // namespace roadtune::model
