// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/axis_range.h"

#include "core/runs/smoothing.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace roadtune::widgets {

double niceStep(double span, int wanted) {
  if (!(span > 0) || wanted < 1) return 1;
  const double raw = span / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double part = raw / power;
  return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

namespace {

constexpr std::size_t kFewPoints = 40;  // too few to tell what is usual
constexpr double kFar = 2;              // times the usual span beyond it

Range withoutFarOnes(const std::vector<double>& y, const Range& all) {
  Range usual;
  if (y.size() <= kFewPoints || !runs::percentileRange(y, 1, 99, usual.low, usual.high)) return all;
  const double room = kFar * usual.size();
  return {std::max(all.low, usual.low - room), std::min(all.high, usual.high + room)};
}

}  // namespace

Range fittedRange(const std::vector<CurveSpec>& specs, const std::vector<CurveData>& curves, bool fromZero,
                  Outliers outliers) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const auto& y = curves[i].y;
    if (y.empty()) continue;
    const auto [smallest, largest] = std::minmax_element(y.begin(), y.end());
    Range own{*smallest, *largest};
    if (outliers == Outliers::Clipped && !(i < specs.size() && specs[i].dots)) own = withoutFarOnes(y, own);
    low = std::min(low, own.low);
    high = std::max(high, own.high);
  }
  if (!(low <= high) || (low == 0 && high == 0)) return {0, 1};
  if (fromZero) low = std::min(low, 0.0);
  if (high - low < 1e-12 * std::max(1.0, std::abs(high))) {
    const double room = std::abs(high) * 0.1;
    low = fromZero && high > 0 ? 0 : low - room;
    high += room;
  }
  const double step = niceStep(high - low, 8);
  const double pad = (high - low) * 0.04;
  const bool zeroFloor = low >= 0 && low - pad < step;
  return {zeroFloor && (fromZero || low < step) ? 0 : std::floor((low - pad) / step) * step,
          std::ceil((high + pad) / step) * step};
}

Range zoomed(const Range& range, double centre, double factor, const Range& limits) {
  Range next{centre - (centre - range.low) * factor, centre + (range.high - centre) * factor};
  next.low = std::max(next.low, limits.low);
  next.high = std::min(next.high, limits.high);
  const double least = std::max(1e-9, limits.size() * 1e-7);
  if (next.size() < least) return range;
  return next;
}

Range shifted(const Range& range, double by, const Range& limits) {
  const double most = std::max(0.0, limits.high - range.high), least = std::min(0.0, limits.low - range.low);
  const double move = std::clamp(by, least, most);
  return {range.low + move, range.high + move};
}

}  // namespace roadtune::widgets
