// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/run_csv.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

namespace roadtune::runs {

namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

std::string cell(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return fmt::format("{}", value);
}

// A position in each column; rows are merged by step.
struct Cursor {
  std::string metric;
  const Series* series;
  std::size_t at = 0;
  bool done() const { return at >= series->size(); }
  std::int64_t step() const { return series->steps()[at]; }
};

}  // namespace

std::string toCsv(const RunStore& store) {
  std::vector<Cursor> cursors;
  std::string csv = "step,time";
  for (const std::string& metric : store.metricNames()) {
    const Series* series = store.series(metric);
    if (series->axis() != Axis::Step) continue;
    cursors.push_back({metric, series});
    csv += "," + quoted(metric);
  }
  csv += "\n";
  while (true) {
    std::int64_t step = INT64_MAX;
    double time = 0;
    for (const Cursor& cursor : cursors) {
      if (cursor.done() || cursor.step() >= step) continue;
      step = cursor.step();
      time = cursor.series->times()[cursor.at];
    }
    if (step == INT64_MAX) return csv;
    csv += fmt::format("{},{:.6f}", step, time);
    for (Cursor& cursor : cursors) {
      csv += ',';
      if (!cursor.done() && cursor.step() == step) csv += cell(cursor.series->values()[cursor.at++]);
    }
    csv += '\n';
  }
}

}  // namespace roadtune::runs
