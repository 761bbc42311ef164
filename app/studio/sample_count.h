// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/runs/series.h"

#include <cstdint>
#include <vector>

namespace roadtune::studio {

// How many samples a run had seen at each of its steps, and at which step it had seen so many. Between two steps they
// are shared evenly; beyond the ends the neighbouring steps go on.
class SampleCount {
 public:
  // `samples` are those of each step; a series that has grown is read on, another one from its beginning.
  void follow(const runs::Series* samples);
  bool empty() const { return m_steps.size() < 2; }
  double at(double step) const;
  double stepAt(double samples) const;

 private:
  std::uint64_t m_generation = 0;
  std::vector<double> m_steps, m_seen;  // both rising
};

}  // namespace roadtune::studio
