// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image/resize_plan.h"

#include <algorithm>
#include <cmath>

namespace roadtune::data {

namespace {

// The bicubic kernel with a = -0.5.
double cubic(double x) {
  constexpr double a = -0.5;
  x = std::abs(x);
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return (((x - 5) * x + 8) * x - 4) * a;
  return 0;
}

std::int32_t fixedPoint(double weight) {
  const double scaled = weight * (1 << kResizeBits);
  return static_cast<std::int32_t>(weight < 0 ? scaled - 0.5 : scaled + 0.5);
}

}  // namespace

ResizePlan makeResizePlan(int from, int to) {
  const double scale = static_cast<double>(from) / to;
  const double widening = std::max(scale, 1.0);
  const double support = 2 * widening;
  ResizePlan plan;
  plan.taps = static_cast<int>(std::ceil(support)) * 2 + 1;
  plan.weights.assign(static_cast<std::size_t>(to) * static_cast<std::size_t>(plan.taps), 0);
  std::vector<double> exact(static_cast<std::size_t>(plan.taps));
  for (int i = 0; i < to; ++i) {
    const double centre = (i + 0.5) * scale;
    const int low = std::max(0, static_cast<int>(centre - support + 0.5));
    const int high = std::min(from, static_cast<int>(centre + support + 0.5));
    double sum = 0;
    for (int x = low; x < high; ++x) {
      const double weight = cubic((x - centre + 0.5) * (1.0 / widening));
      exact[static_cast<std::size_t>(x - low)] = weight;
      sum += weight;
    }
    std::int32_t* weights = &plan.weights[static_cast<std::size_t>(i) * static_cast<std::size_t>(plan.taps)];
    for (int x = low; x < high; ++x) {
      const double weight = exact[static_cast<std::size_t>(x - low)];
      weights[x - low] = fixedPoint(sum != 0 ? weight / sum : weight);
    }
    plan.first.push_back(low);
    plan.count.push_back(high - low);
  }
  return plan;
}

}  // namespace roadtune::data
