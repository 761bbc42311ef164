// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/axis_range.h"

#include "core/runs/smoothing.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <tuple>

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

// Of all values, as far as they are to be seen; upside down where there are none.
Range extentOf(const std::vector<CurveSpec>& specs, const std::vector<CurveData>& curves, Outliers outliers) {
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
  return {low, high};
}

// 1, 2 or 5 times a power of ten.
double roundNumber(double value, bool up) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  const double part = value / power;
  if (up) return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
  return power * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
}

}  // namespace

std::vector<CurveData> within(const std::vector<CurveData>& curves, const Range& range) {
  std::vector<CurveData> all(curves.size());
  for (std::size_t one = 0; one < curves.size(); ++one) {
    const auto& [x, y] = std::tie(curves[one].x, curves[one].y);
    const auto first = static_cast<std::size_t>(std::ranges::lower_bound(x, range.low) - x.begin());
    const auto end = static_cast<std::size_t>(std::ranges::upper_bound(x, range.high) - x.begin());
    CurveData& shown = all[one];
    const auto cross = [&](std::size_t after, double at) {  // the line from the point before `after` to it
      if (after == 0 || after >= x.size() || x[after - 1] >= at || x[after] <= at) return;
      shown.x.push_back(at);
      shown.y.push_back(std::lerp(y[after - 1], y[after], (at - x[after - 1]) / (x[after] - x[after - 1])));
    };
    cross(first, range.low);
    for (std::size_t i = first; i < end; ++i) {
      shown.x.push_back(x[i]);
      shown.y.push_back(y[i]);
    }
    cross(end, range.high);
  }
  return all;
}

Range fittedLogRange(const std::vector<CurveSpec>& specs, const std::vector<CurveData>& curves, Outliers outliers) {
  std::vector<CurveData> positive(curves.size());
  for (std::size_t i = 0; i < curves.size(); ++i)
    std::ranges::copy_if(curves[i].y, std::back_inserter(positive[i].y), [](double y) { return y > 0; });
  const auto [low, high] = extentOf(specs, positive, outliers);
  if (!(low <= high)) return {0.1, 1};
  const double pad = std::max(1.02, std::pow(high / low, 0.04));
  return {roundNumber(low / pad, false), roundNumber(high * pad, true)};
}

Range fittedRange(const std::vector<CurveSpec>& specs, const std::vector<CurveData>& curves, bool fromZero,
                  Outliers outliers) {
  auto [low, high] = extentOf(specs, curves, outliers);
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

double leastRange(XAxis) { return 2; }

Range noNarrower(const Range& range, double least, const Range& limits) {
  if (range.size() >= least) return range;
  const double width = std::min(least, limits.size());
  const double low = std::clamp((range.low + range.high - width) / 2, limits.low, limits.high - width);
  return {low, low + width};
}

Range zoomed(const Range& range, double centre, double factor, double least, const Range& limits) {
  if (factor < 1 && range.size() * factor < least) {
    if (range.size() <= least) return range;
    factor = least / range.size();
  }
  Range next{centre - (centre - range.low) * factor, centre + (range.high - centre) * factor};
  next.low = std::max(next.low, limits.low);
  next.high = std::min(next.high, limits.high);
  return next.size() > 0 ? next : range;
}

Range shifted(const Range& range, double by, const Range& limits) {
  const double most = std::max(0.0, limits.high - range.high), least = std::min(0.0, limits.low - range.low);
  const double move = std::clamp(by, least, most);
  return {range.low + move, range.high + move};
}

}  // namespace roadtune::widgets
