// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/columns.h"
#include "core/data/query/query_plan.h"

#include <array>
#include <cstdint>
#include <span>

namespace roadtune::data {

// A coordinate column of boxes, and the value of one of them. Both parts of a number are used: answers are exact.
struct BoxColumn {
  std::span<const std::uint16_t> coarse;
  std::span<const std::int16_t> fine;
  double origin = 0;

  double exact(double quantum, std::size_t i) const {
    return origin + quantum * (coarse[i] + (i < fine.size() ? fine[i] / 65536.0 : 0));
  }
};
BoxColumn boxColumn(const BoxColumns& boxes, BoxField field);  // X, Y, W or H

// mask[i] = column[i] `compare` threshold. The threshold counts in steps of the grid, from the origin. The coarse part
// decides all but the boxes next to the threshold; only for those the fine part is read.
void compareColumn(const BoxColumn& column, Compare compare, double threshold, std::span<std::uint8_t> mask);

// mask[i] = wanted[column[i] & relevant], which is 0 or 1. `relevant` is the low bits that count.
void lookUp(std::span<const std::uint8_t> column, const std::array<std::uint8_t, 256>& wanted, std::uint8_t relevant,
            std::span<std::uint8_t> mask);

}  // namespace roadtune::data
