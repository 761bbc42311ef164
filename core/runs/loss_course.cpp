// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/loss_course.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace roadtune::runs {

namespace {

constexpr std::size_t kLeastSteps = 30, kFirst = 5, kMostLast = 50;
constexpr double kHigher = 1.25, kBeyondNoise = 4;
constexpr double kFarHigher = 2, kFarBeyondNoise = 5;  // than the very first value, which is a single one
constexpr double kWorse = 1.1, kFallen = 0.95;
constexpr std::size_t kLeastWorse = 2;  // evaluations
constexpr std::size_t kAround = 10;     // steps at either side

std::vector<double> finiteOf(const Series& series, std::size_t from, std::size_t end) {
  std::vector<double> values;
  for (std::size_t i = from; i < end; ++i)
    if (std::isfinite(series.values()[i])) values.push_back(series.values()[i]);
  return values;
}

double medianOf(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The deviation of single values. From one to the next, so that a slope is no noise.
double noiseOf(const std::vector<double>& values) {
  std::vector<double> jumps;
  for (std::size_t i = 1; i < values.size(); ++i) jumps.push_back(std::abs(values[i] - values[i - 1]));
  return 1.4826 * medianOf(std::move(jumps)) / std::sqrt(2.0);
}

}  // namespace

std::optional<LossRise> lossRise(const Series& loss) {
  const std::vector<double> values = finiteOf(loss, 0, loss.size());
  if (values.size() < kLeastSteps) return {};
  const auto count = static_cast<std::ptrdiff_t>(std::clamp(values.size() / 10, kFirst, kMostLast));
  const double now = medianOf({values.end() - count, values.end()});
  const double first = values.front(), begin = medianOf({values.begin(), values.begin() + kFirst});
  const double noise = noiseOf(values);
  const auto above = [&](double low, double times, double deviations) {
    return low > 0 && now >= times * low && now - low > deviations * noise;
  };
  if (above(first, kFarHigher, kFarBeyondNoise)) return LossRise{first, now};  // it may have jumped with the first step
  if (above(begin, kHigher, kBeyondNoise)) return LossRise{begin, now};
  return {};
}

std::optional<EvalRise> evalRise(const Series& evaluation, const Series& training) {
  std::size_t best = evaluation.size();
  for (std::size_t i = 0; i < evaluation.size(); ++i)
    if (const double value = evaluation.values()[i]; std::isfinite(value) && value > 0)
      if (best == evaluation.size() || value < evaluation.values()[best]) best = i;
  if (best + kLeastWorse >= evaluation.size()) return {};
  const double least = evaluation.values()[best];
  for (std::size_t i = evaluation.size() - kLeastWorse; i < evaluation.size(); ++i)
    if (!(evaluation.values()[i] >= kWorse * least)) return {};  // one alone may be chance
  const std::int64_t step = evaluation.steps()[best];
  const std::size_t then = training.lowerBound(Axis::Step, static_cast<double>(step));
  const auto around =
      finiteOf(training, then > kAround ? then - kAround : 0, std::min(then + kAround, training.size()));
  const auto last =
      finiteOf(training, training.size() > 2 * kAround ? training.size() - 2 * kAround : 0, training.size());
  if (around.empty() || last.empty() || medianOf(last) > kFallen * medianOf(around)) return {};
  return EvalRise{step, least, evaluation.last().value};
}

}  // namespace roadtune::runs
