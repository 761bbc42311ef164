// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/plot/curve_data.h"

namespace roadtune::widgets {

struct Range {
  double low = 0, high = 1;
  double size() const { return high - low; }
  bool operator==(const Range&) const = default;
};

enum class Outliers { Shown, Clipped };

// The range that shows curves, without far outliers if these are clipped; padded, and rounded so that a live plot does
// not breathe with every point. `fromZero` keeps zero at the bottom. Single points are no outliers.
Range fittedRange(const std::vector<CurveSpec>& specs, const std::vector<CurveData>& curves, bool fromZero,
                  Outliers outliers = Outliers::Clipped);

// The same on a logarithmic scale, which has room for what is positive only.
Range fittedLogRange(const std::vector<CurveSpec>& specs, const std::vector<CurveData>& curves,
                     Outliers outliers = Outliers::Clipped);
// Curves as far as a range shows them, with where their lines enter and leave it.
std::vector<CurveData> within(const std::vector<CurveData>& curves, const Range& range);

// 1, 2, 5, 10 ...: the step that divides `span` into about `wanted` parts.
double niceStep(double span, int wanted);

// A stretch of the axis so wide can still be read: two steps, two seconds.
double leastRange(XAxis axis);
// `range`, or what is `least` wide around its middle, inside `limits`.
Range noNarrower(const Range& range, double least, const Range& limits);
// `range` made `factor` times as wide around `centre`, inside `limits`; never narrower than `least` by that.
Range zoomed(const Range& range, double centre, double factor, double least, const Range& limits);
Range shifted(const Range& range, double by, const Range& limits);

}  // namespace roadtune::widgets
