// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of the two types that models here are made of.
#pragma once

#include <cstdint>
#include <cstring>

namespace fake_cuda {

inline float fromBf16(std::uint16_t narrow) {
  const std::uint32_t bits = static_cast<std::uint32_t>(narrow) << 16;
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline std::uint16_t toBf16(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fc0;  // no number
  return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

}  // namespace fake_cuda
