// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/runs/series.h"

namespace roadtune::studio {

// Which step a moment belongs to, and when a step was: read off the loss. Between two steps time is shared evenly;
// before the first and after the last step the pace of the neighbouring steps goes on.
class StepClock {
 public:
  explicit StepClock(const runs::Series* series) : m_series(series && series->size() >= 2 ? series : nullptr) {}
  bool empty() const { return !m_series; }
  double stepAt(double time) const;
  double timeAt(double step) const;

 private:
  const runs::Series* m_series;
};

}  // namespace roadtune::studio
