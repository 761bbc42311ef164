// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/step_clock.h"

#include <algorithm>

namespace roadtune::studio {
namespace {

// Index of the left end of the stretch that holds, or is nearest to, the position found at `upper`.
std::size_t leftEnd(std::size_t upper, std::size_t size) { return std::clamp<std::size_t>(upper, 1, size - 1) - 1; }

double between(double at, double from, double to, double low, double high) {
  return to > from ? low + (at - from) / (to - from) * (high - low) : low;
}

}  // namespace

double StepClock::stepAt(double time) const {
  if (!m_series) return 0;
  const std::size_t i = leftEnd(m_series->lowerBound(runs::Axis::Time, time), m_series->size());
  const runs::Point a = m_series->at(i), b = m_series->at(i + 1);
  return between(time, a.time, b.time, double(a.step), double(b.step));
}

double StepClock::timeAt(double step) const {
  if (!m_series) return 0;
  const std::size_t i = leftEnd(m_series->lowerBound(runs::Axis::Step, step), m_series->size());
  const runs::Point a = m_series->at(i), b = m_series->at(i + 1);
  return between(step, double(a.step), double(b.step), a.time, b.time);
}

}  // namespace roadtune::studio
