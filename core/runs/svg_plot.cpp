// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/svg_plot.h"

#include "core/base/units.h"
#include "core/runs/smoothing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roadtune::runs {

namespace {

constexpr int kLeft = 58, kRight = 10, kTop = 26, kBottom = 24;

struct PlotFrame {
  double x0, x1, y0, y1;  // data
  int width, height;
  double px(double x) const { return kLeft + (x1 > x0 ? (x - x0) / (x1 - x0) : 0.5) * (width - kLeft - kRight); }
  double py(double y) const {
    return height - kBottom - (y1 > y0 ? (y - y0) / (y1 - y0) : 0.5) * (height - kTop - kBottom);
  }
};

std::string gridLines(const PlotFrame& frame, bool byTime) {
  std::string svg;
  for (const double y : ticks(frame.y0, frame.y1, 4))
    svg += fmt::format(
        R"(<line x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}" class="grid"/><text x="{}" y="{:.1f}" class="tick" text-anchor="end">{}</text>)",
        kLeft, frame.width - kRight, frame.py(y), frame.py(y), kLeft - 6, frame.py(y) + 3.5, formatNumber(y));
  for (const double x : ticks(frame.x0, frame.x1, 5)) {
    const std::string label = byTime ? formatNumber(x) + " h" : formatNumber(x, 7);
    svg += fmt::format(R"(<text x="{:.1f}" y="{}" class="tick" text-anchor="middle">{}</text>)", frame.px(x),
                       frame.height - 8, label);
  }
  return svg;
}

double place(double x, bool byTime, double start) { return byTime ? (x - start) / 3600 : x; }

std::string band(const std::vector<Column>& columns, const PlotFrame& frame, bool byTime, double start) {
  std::string upper, lower;
  for (const Column& column : columns) {
    if (column.count == column.nonFinite) continue;
    const double x = frame.px(place((column.x0 + column.x1) / 2, byTime, start));
    upper += fmt::format("{:.1f},{:.1f} ", x, frame.py(column.max));
    lower.insert(0, fmt::format("{:.1f},{:.1f} ", x, frame.py(column.min)));
  }
  return upper.empty() ? "" : fmt::format(R"(<polygon points="{}{}" class="band"/>)", upper, lower);
}

std::string line(const std::vector<Column>& columns, const PlotFrame& frame, const SvgPlotOptions& options,
                 double start) {
  std::vector<double> means;
  for (const Column& column : columns) means.push_back(column.mean);
  if (options.smoothing > 0) means = smooth(means, options.smoothing);
  std::string path;
  bool down = false;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!std::isfinite(means[i])) {
      down = false;
      continue;
    }
    const double x = frame.px(place((columns[i].x0 + columns[i].x1) / 2, options.byTime, start));
    path += fmt::format("{}{:.1f} {:.1f}", down ? "L" : "M", x, frame.py(means[i]));
    down = true;
  }
  return fmt::format(R"(<path d="{}" class="line"/>)", path);
}

std::string marks(const std::vector<Column>& columns, const PlotFrame& frame, bool byTime, double start) {
  std::string svg;
  for (const Column& column : columns)
    if (column.nonFinite > 0)
      svg += fmt::format(R"(<path d="M{:.1f} {} l4 -7 l-8 0 z" class="bad"><title>{} not finite</title></path>)",
                         frame.px(place(column.x0, byTime, start)), kTop + 8, column.nonFinite);
  return svg;
}

}  // namespace

std::vector<double> ticks(double low, double high, int count) {
  std::vector<double> places;
  if (!(high > low) || count < 1) return {low};
  const double rough = (high - low) / count;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double leading = rough / power;
  const double step = power * (leading < 1.5 ? 1 : leading < 3.5 ? 2 : leading < 7.5 ? 5 : 10);
  for (double at = std::ceil(low / step) * step; at <= high + step * 1e-9; at += step)
    places.push_back(std::abs(at) < step * 1e-9 ? 0 : at);
  return places;
}

std::string htmlEscaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  }
  return result;
}

std::string svgPlot(const std::string& title, const Series& series, const SvgPlotOptions& options) {
  const std::string open =
      fmt::format(R"(<svg viewBox="0 0 {} {}" role="img" aria-label="{}"><text x="{}" y="16" class="title">{}</text>)",
                  options.width, options.height, htmlEscaped(title), kLeft, htmlEscaped(title));
  if (series.empty()) return open + "</svg>";
  const Axis axis = options.byTime ? Axis::Time : Axis::Step;
  const double start = series.times().front();
  const double from = options.byTime ? start : static_cast<double>(series.steps().front());
  const double to = options.byTime ? series.times().back() : static_cast<double>(series.steps().back());
  const auto columns = series.columns(axis, from, to, static_cast<std::size_t>(options.width - kLeft - kRight));
  const Column all = series.summarize(0, series.size());
  const bool drawable = std::isfinite(all.min);
  const double margin = drawable ? std::max((all.max - all.min) * 0.05, std::abs(all.max) * 1e-6) : 1;
  const PlotFrame frame{place(from, options.byTime, start),
                        place(to, options.byTime, start),
                        drawable ? all.min - margin : 0,
                        drawable ? all.max + margin : 1,
                        options.width,
                        options.height};
  return open + gridLines(frame, options.byTime) + band(columns, frame, options.byTime, start) +
         line(columns, frame, options, start) + marks(columns, frame, options.byTime, start) +
         fmt::format(R"(<text x="{}" y="16" class="last" text-anchor="end">{}</text></svg>)", options.width - kRight,
                     formatNumber(series.last().value));
}

}  // namespace roadtune::runs
