// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/sample_count.h"

#include <algorithm>
#include <cmath>

namespace roadtune::studio {
namespace {

double interpolated(const std::vector<double>& from, const std::vector<double>& to, double at) {
  if (from.size() < 2) return at;
  const auto upper = static_cast<std::size_t>(std::lower_bound(from.begin(), from.end(), at) - from.begin());
  const std::size_t i = std::clamp<std::size_t>(upper, 1, from.size() - 1) - 1;
  const double wide = from[i + 1] - from[i];
  return wide > 0 ? to[i] + (at - from[i]) / wide * (to[i + 1] - to[i]) : to[i];
}

}  // namespace

void SampleCount::follow(const runs::Series* samples) {
  if (!samples || samples->generation() != m_generation || samples->size() + 1 < m_steps.size()) {
    m_steps.clear();
    m_seen.clear();
  }
  if (!samples || samples->empty()) return;
  m_generation = samples->generation();
  if (m_steps.empty()) {  // where the first step began; what was before it is not known, and taken for alike
    const double first = static_cast<double>(samples->at(0).step), each = samples->at(0).value;
    m_steps.push_back(first - 1);
    m_seen.push_back(std::isfinite(each) ? (first - 1) * each : 0);
  }
  for (std::size_t i = m_steps.size() - 1; i < samples->size(); ++i) {
    const runs::Point point = samples->at(i);
    m_steps.push_back(static_cast<double>(point.step));
    m_seen.push_back(m_seen.back() + (std::isfinite(point.value) ? std::max(0.0, point.value) : 0));
  }
}

double SampleCount::at(double step) const { return interpolated(m_steps, m_seen, step); }

double SampleCount::stepAt(double samples) const { return interpolated(m_seen, m_steps, samples); }

}  // namespace roadtune::studio
