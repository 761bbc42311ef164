// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/image/image.h"

#include <bit>
#include <cstdint>

namespace roadtune::data {

// 64 bits that stay nearly equal when a picture is re-encoded, scaled or slightly moved: the signs of the low
// frequencies of its brightness. Near-duplicates differ in at most about 8 bits.
std::uint64_t perceptualHash(const Image& image);

inline int hashDistance(std::uint64_t a, std::uint64_t b) { return std::popcount(a ^ b); }

}  // namespace roadtune::data
