// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A float32 number in two halves of 16 bits: the nearest bfloat16, as torch rounds, and the lower bits as they are.
// Where these are more than half, the upper half has been rounded up. A number just between an even bfloat16 and the
// next, one of 131,072, has no place among those that are rounded to it, and becomes the next one towards zero.
#include "core/engine/cuda/portable.h"

namespace roadtune::engine::cuda {

struct Halves {
  Bf16 upper;
  std::uint16_t lower;
};

ROADTUNE_HD float joinedHalves(Halves halves) {
  const auto lower = static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<std::int16_t>(halves.lower)));
  return floatOf((static_cast<std::uint32_t>(halves.upper.bits) << 16) + lower);
}

ROADTUNE_HD Halves halvesOf(float value) {
  if (value != value) return {{0x7fc0}, 0};  // any other could become zero when it is rounded
  std::uint32_t bits = bitsOf(value);
  bits -= (bits & 0x1ffffu) == 0x8000u ? 1u : 0u;
  return {{static_cast<std::uint16_t>((bits + 0x8000u) >> 16)}, static_cast<std::uint16_t>(bits)};
}

}  // namespace roadtune::engine::cuda
