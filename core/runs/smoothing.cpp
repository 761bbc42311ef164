// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/smoothing.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace roadtune::runs {

double Smoother::add(double value) {
  if (!std::isfinite(value)) return value;
  if (!m_any) m_first = value;
  m_any = true;
  if (value != m_first) m_constant = false;
  m_last = m_last * m_weight + (1 - m_weight) * value;
  m_power *= m_weight;
  if (m_constant) return value;
  return m_power < 1 ? m_last / (1 - m_power) : m_last;
}

std::vector<double> smooth(std::span<const double> values, double weight) {
  std::vector<double> result;
  result.reserve(values.size());
  Smoother smoother(weight);
  for (const double value : values) result.push_back(smoother.add(value));
  return result;
}

bool percentileRange(std::span<const double> values, double lowPercent, double highPercent, double& low, double& high) {
  std::vector<double> finite;
  finite.reserve(values.size());
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite), [](double v) { return std::isfinite(v); });
  if (finite.empty()) return false;
  std::sort(finite.begin(), finite.end());
  const auto at = [&](double percent) {
    const double place = std::clamp(percent, 0.0, 100.0) / 100.0 * static_cast<double>(finite.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, finite.size() - 1);
    return finite[below] + (finite[above] - finite[below]) * (place - static_cast<double>(below));
  };
  low = at(lowPercent);
  high = at(highPercent);
  return true;
}

}  // namespace roadtune::runs
