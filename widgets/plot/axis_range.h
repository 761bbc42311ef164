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

// 1, 2, 5, 10 ...: the step that divides `span` into about `wanted` parts.
double niceStep(double span, int wanted);

// `range` made `factor` times as wide around `centre`, inside `limits`.
Range zoomed(const Range& range, double centre, double factor, const Range& limits);
Range shifted(const Range& range, double by, const Range& limits);

}  // namespace roadtune::widgets
