// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/cuda/kernel_args.h"

namespace roadtune::engine::cuda {

// Column `column` of the segment of equal ids that begins at `start`; other starts are none of ours.
template <class T, class Table>
ROADTUNE_HD void scatterSegment(const ScatterArgs& a, std::int64_t start, std::int64_t column) {
  const std::int64_t id = a.sorted[start];
  const bool begins = start == 0 || a.sorted[start - 1] != id;
  if (!begins || id < 0 || id >= a.vocabulary || id == a.padding) return;
  float total = 0;
  for (std::int64_t i = start; i < a.count && a.sorted[i] == id; ++i)
    total += wide(static_cast<const T*>(a.gradient)[a.order[i] * a.width + column]);
  Table& sum = static_cast<Table*>(a.table)[id * a.width + column];
  sum = Narrow<Table>::of(wide(sum) + total);
}

}  // namespace roadtune::engine::cuda
