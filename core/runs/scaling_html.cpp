// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "core/runs/scaling.h"
#include "core/runs/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::runs {

namespace {

constexpr const char* kScaleStyle = R"(<style>
:root{--page:#f7f8fa;--card:#fff;--text:#1c2330;--soft:#667085;--grid:#e4e7ec;--line:#1f6feb}
@media (prefers-color-scheme:dark){:root{--page:#14171c;--card:#1c2128;--text:#e6e9ee;--soft:#97a1af;--grid:#2c333d;--line:#6cb0ff}}
body{margin:0;padding:28px;background:var(--page);color:var(--text);font:14px/1.5 Inter,system-ui,sans-serif}
main{max-width:760px;margin:auto}.soft{color:var(--soft)}table{border-collapse:collapse;width:100%;margin-top:18px}
td,th{padding:5px 8px;text-align:right;border-bottom:1px solid var(--grid);font-variant-numeric:tabular-nums}
.card{background:var(--card);border:1px solid var(--grid);border-radius:8px;padding:12px}svg{width:100%;display:block}
.grid{stroke:var(--grid)}.line{fill:none;stroke:var(--line);stroke-width:2}.ideal{fill:none;stroke:var(--soft);stroke-dasharray:5 4}
.dot{fill:var(--line)}text{font-size:11px;fill:var(--soft)}
</style>)";

// Positions on a drawing of 720 x 320 with room for the axes.
struct ScaleAxes {
  double nodes = 1, throughput = 1;
  double x(double value) const { return 60 + 640 * value / nodes; }
  double y(double value) const { return 285 - 265 * value / throughput; }
};

std::string polyline(const char* kind, const std::string& points) {
  return fmt::format("<polyline class=\"{}\" points=\"{}\"/>", kind, points);
}

std::string drawing(const std::vector<ScalePoint>& points) {
  ScaleAxes axes;
  const ScalePoint& first = points.front();
  for (const auto& point : points) {
    axes.nodes = std::max(axes.nodes, point.nodes * 1.05);
    axes.throughput = std::max(
        {axes.throughput, point.samplesPerSecond * 1.05, first.samplesPerSecond * point.nodes / first.nodes * 1.05});
  }
  std::string svg = "<svg viewBox=\"0 0 720 320\" role=\"img\" aria-label=\"Throughput by machines\">";
  for (const double mark : ticks(0, axes.throughput, 5))
    svg += fmt::format(
        "<line class=\"grid\" x1=\"60\" x2=\"700\" y1=\"{0:.1f}\" y2=\"{0:.1f}\"/><text x=\"54\" y=\"{1:.1f}\" "
        "text-anchor=\"end\">{2}</text>",
        axes.y(mark), axes.y(mark) + 4, formatNumber(mark));
  std::string measured, ideal;
  for (const auto& point : points) {
    const double linear = first.samplesPerSecond * point.nodes / first.nodes;
    measured += fmt::format("{:.1f},{:.1f} ", axes.x(point.nodes), axes.y(point.samplesPerSecond));
    ideal += fmt::format("{:.1f},{:.1f} ", axes.x(point.nodes), axes.y(linear));
    svg +=
        fmt::format("<text x=\"{:.1f}\" y=\"303\" text-anchor=\"middle\">{}</text>", axes.x(point.nodes), point.nodes);
  }
  svg += polyline("ideal", ideal) + polyline("line", measured);
  for (const auto& point : points)
    svg += fmt::format(
        "<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"><title>{} machines: {} samples/s, {:.1f} % of "
        "linear</title></circle>",
        axes.x(point.nodes), axes.y(point.samplesPerSecond), point.nodes, formatNumber(point.samplesPerSecond),
        point.efficiency * 100);
  return svg +
         "<text x=\"380\" y=\"318\" text-anchor=\"middle\">machines; samples per second, dashed: linear</text></svg>";
}

}  // namespace

std::string scaleHtml(const std::string& title, const std::string& note, const std::vector<ScalePoint>& points) {
  std::string html =
      "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>" +
      htmlEscaped(title) + "</title>" + kScaleStyle + "</head><body><main><h1>" + htmlEscaped(title) + "</h1>";
  html += "<p class=\"soft\">" + htmlEscaped(note) + "</p>";
  if (!points.empty()) html += "<div class=\"card\">" + drawing(points) + "</div>";
  html +=
      "<table><tr><th>machines<th>ranks<th>samples/s<th>tokens/s<th>step<th>90 %<th>comm<th>speed-up<th>of "
      "linear</tr>";
  for (const auto& point : points)
    html += fmt::format("<tr><td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{:.1f} %<td>{:.2f}×<td>{:.1f} %</tr>", point.nodes,
                        point.ranks, formatNumber(point.samplesPerSecond), formatNumber(point.tokensPerSecond),
                        formatDuration(point.secondsPerStep), formatDuration(point.slowStep), point.commShare * 100,
                        point.speedup, point.efficiency * 100);
  return html + "</table></main></body></html>\n";
}

}  // namespace roadtune::runs
