// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/html_report.h"

#include "core/base/clock.h"
#include "core/base/counted.h"
#include "core/base/units.h"
#include "core/runs/diagnosis.h"
#include "core/runs/shown_metrics.h"
#include "core/runs/svg_plot.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace roadtune::runs {

namespace {

constexpr const char* kStyle = R"(<style>
:root{--page:#f7f8fa;--card:#ffffff;--text:#1c2330;--soft:#667085;--grid:#e4e7ec;--line:#1f6feb;--band:#1f6feb33;--bad:#d92d20;--warn:#b54708}
@media (prefers-color-scheme:dark){:root{--page:#14171c;--card:#1c2128;--text:#e6e9ee;--soft:#97a1af;--grid:#2c333d;--line:#6cb0ff;--band:#6cb0ff33;--bad:#ff7a6e;--warn:#f5b04c}}
body{margin:0;padding:28px;background:var(--page);color:var(--text);font:14px/1.5 Inter,system-ui,sans-serif}
main{max-width:1180px;margin:auto}h1{font-size:22px;margin:0}h2{font-size:15px;margin:28px 0 10px}
.soft{color:var(--soft)}.tiles{display:flex;flex-wrap:wrap;gap:12px;margin-top:16px}
.tile,.card{background:var(--card);border:1px solid var(--grid);border-radius:8px;padding:10px 14px}
.tile b{display:block;font-size:17px;font-variant-numeric:tabular-nums}.tile span{color:var(--soft);font-size:12px}
.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(420px,1fr));gap:12px}svg{width:100%;display:block}
.grid{stroke:var(--grid)}.line{fill:none;stroke:var(--line);stroke-width:1.6}.band{fill:var(--band)}.bad{fill:var(--bad)}
.tick{font-size:10px;fill:var(--soft)}.title{font-size:12px;font-weight:600;fill:var(--text)}.last{font-size:12px;fill:var(--soft)}
table{border-collapse:collapse;width:100%}td,th{padding:4px 10px 4px 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--grid)}
pre{overflow:auto;font:12px/1.45 ui-monospace,monospace;margin:0}.critical{color:var(--bad)}.warning{color:var(--warn)}
</style>)";

using Tiles = std::vector<std::pair<std::string, std::string>>;

void addNumber(Tiles& tiles, const char* label, const Series* series) {
  if (series && !series->empty()) tiles.emplace_back(label, formatNumber(series->last().value));
}

Tiles tilesOf(const RunStore& store) {
  const RunProgress progress = store.progress();
  Tiles tiles{{"state", std::string(name(store.state()))},
              {"step", progress.totalSteps > 0
                           ? fmt::format("{} / {}", formatCount(progress.step), formatCount(progress.totalSteps))
                           : formatCount(progress.step)}};
  addNumber(tiles, "loss", store.series("train/loss"));
  addNumber(tiles, "evaluation loss", store.series("eval/loss"));
  addNumber(tiles, "samples per second", store.series("train/samples_per_second"));
  tiles.emplace_back("elapsed", formatDuration(progress.elapsedSeconds));
  if (const StartInfo* start = store.start(); start && start->trainableParams > 0)
    tiles.emplace_back("trainable parameters",
                       fmt::format("{} of {}", formatCount(start->trainableParams), formatCount(start->totalParams)));
  return tiles;
}

std::string head(const RunStore& store) {
  std::string html =
      fmt::format("<h1>{}</h1><div class=\"soft\">{}", htmlEscaped(store.displayName()), htmlEscaped(store.id()));
  if (const StartInfo* start = store.start())
    html += fmt::format(" · {} · {} · {}", isoTime(start->time), htmlEscaped(start->host),
                        counted(start->worldSize, "process", "processes"));
  html += "</div>";
  if (const EndInfo* end = store.end(); end && !end->message.empty())
    html += fmt::format("<p>{}</p>", htmlEscaped(end->message));
  html += "<div class=\"tiles\">";
  for (const auto& [label, value] : tilesOf(store))
    html += fmt::format("<div class=\"tile\"><b>{}</b><span>{}</span></div>", htmlEscaped(value), label);
  return html + "</div>";
}

std::string verdicts(const RunStore& store) {
  const Diagnosis diagnosis = diagnose(store);
  if (diagnosis.verdicts.empty()) return "";
  std::string html = "<h2>Verdicts</h2><div class=\"card\"><table>";
  for (const Verdict& one : diagnosis.verdicts)
    html += fmt::format("<tr><td class=\"{}\">{}</td><td><b>{}</b><br>{}<br><span class=\"soft\">{}</span></td></tr>",
                        name(one.level), name(one.level), htmlEscaped(one.title), htmlEscaped(one.evidence),
                        htmlEscaped(one.advice));
  return html + "</table></div>";
}

std::string plots(const RunStore& store) {
  std::string bySteps, byTime;
  for (const auto& [metric, title] : shownMetrics(store.metricNames())) {
    const Series& series = *store.series(metric);
    if (series.size() < 2) continue;
    SvgPlotOptions options;
    options.byTime = series.axis() == Axis::Time;
    (options.byTime ? byTime : bySteps) += "<div class=\"card\">" + svgPlot(title, series, options) + "</div>";
  }
  std::string html;
  if (!bySteps.empty()) html += "<h2>Metrics</h2><div class=\"plots\">" + bySteps + "</div>";
  if (!byTime.empty()) html += "<h2>Machines</h2><div class=\"plots\">" + byTime + "</div>";
  return html;
}

std::string history(const RunStore& store) {
  std::string rows;
  for (const Phase& phase : store.phases())
    rows += fmt::format("<tr><td>{}</td><td>{}</td><td>from step {}</td><td>{}</td></tr>", isoTime(phase.begin),
                        htmlEscaped(phase.name), phase.step, phase.end ? formatDuration(*phase.end - phase.begin) : "");
  for (const CheckpointInfo& one : store.checkpoints())
    rows += fmt::format("<tr><td>{}</td><td>checkpoint</td><td>{}</td><td>{}</td></tr>",
                        one.time > 0 ? isoTime(one.time) : "", htmlEscaped(one.path),
                        one.bytes > 0 ? formatBytes(one.bytes) : "");
  for (const Notice& notice : store.notices())
    rows += fmt::format("<tr><td>{}</td><td class=\"{}\">rank {}</td><td>{}</td><td>{}</td></tr>",
                        notice.time > 0 ? isoTime(notice.time) : "",
                        notice.severity == Severity::Error ? "critical" : "warning", notice.rank,
                        htmlEscaped(notice.message), htmlEscaped(notice.where));
  return rows.empty() ? "" : "<h2>History</h2><div class=\"card\"><table>" + rows + "</table></div>";
}

}  // namespace

std::string toHtml(const RunStore& store) {
  std::string html =
      "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>" +
      htmlEscaped(store.displayName()) + "</title>" + kStyle + "</head><body><main>";
  html += head(store) + verdicts(store) + plots(store) + history(store);
  const std::string config = store.configText();
  if (!config.empty()) html += "<h2>Configuration</h2><div class=\"card\"><pre>" + htmlEscaped(config) + "</pre></div>";
  return html + "</main></body></html>\n";
}

}  // namespace roadtune::runs
