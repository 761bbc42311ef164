// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curve_colour.h"

#include "widgets/common/theme.h"

#include <cmath>

namespace roadtune::widgets {
namespace {

double luminance(const QColor& colour) {
  const auto linear = [](double part) {
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

}  // namespace

QColor seenColour(const QColor& series) {
  const Tokens& t = Theme::tokens();
  QColor shown = series;
  for (double white = 0; t.dark && white < 1 && luminance(shown) + 0.05 < 4.5 * (luminance(t.surface) + 0.05);)
    shown = mixed(series, Qt::white, white += 0.05);
  return shown;
}

QColor lineColour(const CurveSpec& spec) {
  const Tokens& t = Theme::tokens();
  const QColor colour = seenColour(spec.colour);
  return spec.faint ? mixed(t.surface, colour, t.dark ? 0.65 : 0.45) : colour;
}

}  // namespace roadtune::widgets
