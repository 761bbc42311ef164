// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/runs/series.h"

#include <string>
#include <string_view>
#include <vector>

namespace roadtune::runs {

struct SvgPlotOptions {
  int width = 560, height = 220;
  double smoothing = 0.6;  // weight of the debiased average; 0 draws the points alone
  bool byTime = false;     // x: hours since the first point instead of steps
};

// One series as an inline SVG: the band between minimum and maximum of every pixel column (exact, however many points),
// the smoothed line, and a mark for every column that holds a value that is not finite. Colours are CSS variables of
// the page (--line, --band, --grid, --text, --bad).
std::string svgPlot(const std::string& title, const Series& series, const SvgPlotOptions& options = {});

// "Nice" positions of about `count` marks in [low, high].
std::vector<double> ticks(double low, double high, int count);

std::string htmlEscaped(std::string_view text);

}  // namespace roadtune::runs
