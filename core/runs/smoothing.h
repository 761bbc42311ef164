// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>
#include <vector>

namespace roadtune::runs {

// TensorBoard's smoothing: an exponential average divided by 1 - weight^n (so that it starts at the data and not at
// zero). Non-finite points stay as they are and do not enter the average; a constant series is left alone.
// `weight` in [0, 1).
std::vector<double> smooth(std::span<const double> values, double weight);

// The same, continued: feed it what was appended since.
class Smoother {
 public:
  explicit Smoother(double weight) : m_weight(weight) {}
  double add(double value);
  double weight() const { return m_weight; }

 private:
  double m_weight;
  double m_last = 0;
  double m_power = 1;  // weight^n
  double m_first = 0;
  bool m_any = false, m_constant = true;
};

// The range a plot opens with: percentiles of the finite values (linear interpolation). False when there is none.
bool percentileRange(std::span<const double> values, double lowPercent, double highPercent, double& low, double& high);

}  // namespace roadtune::runs
