// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune runs compare A B
#include "app/cli/command.h"
#include "app/cli/runs_open.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/runs/comparison.h"
#include "core/runs/run_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace roadtune::cli {

namespace {

struct CompareOptions {
  std::string a, b;
  bool json = false;
};

std::string shown(const std::optional<std::string>& value) {
  return value ? (value->empty() ? "(empty)" : *value) : "(absent)";
}

void print(const runs::Comparison& comparison) {
  fmt::print("SETTINGS\n");
  for (const auto& one : comparison.settings) fmt::print("  {}: {} -> {}\n", one.key, shown(one.a), shown(one.b));
  if (comparison.settings.empty()) fmt::print("  equal\n");
  std::size_t width = 6;
  for (const auto& one : comparison.metrics) width = std::max(width, one.metric.size());
  fmt::print("\n{:<{}}  {:>8}  {:>10}  {:>10}  {:>10}  {:>10}  {:>12}\n", "METRIC", width, "AT STEP", "A", "B",
             "LOWEST A", "LOWEST B", "MEAN |A-B|");
  for (const auto& one : comparison.metrics)
    fmt::print("{:<{}}  {:>8}  {:>10}  {:>10}  {:>10}  {:>10}  {:>12}\n", one.metric, width, one.step,
               formatNumber(one.a), formatNumber(one.b), formatNumber(one.bestA), formatNumber(one.bestB),
               formatNumber(one.meanAbsoluteDifference));
  if (!comparison.onlyInA.empty()) fmt::print("\nonly in A: {}\n", join(comparison.onlyInA, ", "));
  if (!comparison.onlyInB.empty()) fmt::print("\nonly in B: {}\n", join(comparison.onlyInB, ", "));
  if (comparison.firstLossDifference)
    fmt::print("\nthe losses part at step {}\n", *comparison.firstLossDifference);
  else if (!comparison.metrics.empty())
    fmt::print("\nthe losses are equal at every common step\n");
}

Result<int> compare(const CompareOptions& options) {
  ROADTUNE_TRY(const runs::RunStore a, openRun(options.a));
  ROADTUNE_TRY(const runs::RunStore b, openRun(options.b));
  const runs::Comparison comparison = runs::compareRuns(a, b);
  if (options.json)
    fmt::print("{}", runs::toJson(a, b, comparison));
  else
    print(comparison);
  return kExitDone;
}

const Registration kRunsCompare{"runs compare", "What differs between two runs: settings, and metrics at common steps",
                                [](CLI::App& app) -> Action {
                                  auto options = std::make_shared<CompareOptions>();
                                  app.add_option("a", options->a, "Folder of a run")->required();
                                  app.add_option("b", options->b, "Folder of another run")->required();
                                  app.add_flag("--json", options->json, "An object for machines");
                                  return [options] { return compare(*options); };
                                }};

}  // namespace

}  // namespace roadtune::cli
