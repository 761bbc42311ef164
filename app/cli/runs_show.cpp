// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune runs show RUN
#include "app/cli/as_of.h"
#include "app/cli/command.h"
#include "app/cli/runs_open.h"
#include "core/base/clock.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/runs/run_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace roadtune::cli {

namespace {

using runs::RunStore;

struct ShowOptions {
  std::string run;
  bool json = false;
};

double most(const RunStore& store, const char* metric) {
  const runs::Series* series = store.series(metric);
  return series && !series->empty() ? series->summarize(0, series->size()).max : 0;
}

// What was needed, beside what the plan had said.
void printMemory(const RunStore& store) {
  const double held = most(store, "train/tensor_peak_bytes"), planned = most(store, "train/tensor_plan_bytes");
  if (held > 0 && planned > 0)
    fmt::print("  memory      {} of tensors at most, {} by plan\n", formatBytes(held), formatBytes(planned));
}

void printHead(const RunStore& store) {
  fmt::print("{}  {}\n", store.displayName(), name(store.state()));
  fmt::print("{}  folder      {}\n", asOfLine(store.asOf(), store.folder().string()), store.folder().string());
  if (const runs::StartInfo* start = store.start()) {
    fmt::print("  started     {} on {}, {}, {}\n", isoTime(start->time), start->host,
               counted(start->worldSize, "process", "processes"), start->device);
    if (start->totalParams > 0)
      fmt::print("  trained     {} of {} parameters\n", formatCount(start->trainableParams),
                 formatCount(start->totalParams));
  }
  if (store.startedAgain())
    fmt::print("  goes on     on {}; nothing of that has been brought over yet\n", join(store.machines(), ", "));
  const runs::RunProgress progress = store.progress();
  fmt::print("  step        {}{}", formatCount(progress.step),
             progress.totalSteps > 0 ? " of " + formatCount(progress.totalSteps) : "");
  if (progress.epoch > 0) fmt::print(", epoch {}", formatNumber(progress.epoch));
  if (progress.secondsPerStep) fmt::print(", {} a step", formatDuration(*progress.secondsPerStep));
  if (progress.etaSeconds) fmt::print(", {} left", formatDuration(*progress.etaSeconds));
  fmt::print("\n  elapsed     {}\n", formatDuration(progress.elapsedSeconds));
  if (const runs::EndInfo* end = store.end())
    fmt::print("  end         {}{}\n", end->reason, end->message.empty() ? "" : ": " + end->message);
  printMemory(store);
  if (const runs::ReceiptInfo* receipt = store.receipt())
    fmt::print("  receipt     {}\n",
               receipt->ok ? "what was updated is what was asked for" : "differs from what was asked for");
}

// Bytes as sizes; everything else as it is.
std::string shown(const std::string& metric, double value) {
  const bool bytes = metric.ends_with("_bytes") ||
                     (metric.find("memory") != std::string::npos && metric.find("clock") == std::string::npos);
  const bool disk = metric.find("system/disk_") != std::string::npos;
  return (bytes || disk) && std::isfinite(value) ? formatBytes(value) : formatNumber(value);
}

std::string onOneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

void printMetrics(const RunStore& store) {
  std::size_t width = 0;
  for (const std::string& metric : store.metricNames()) width = std::max(width, metric.size());
  if (width > 0)
    fmt::print("\n  {:<{}}  {:>10}  {:>10}  {:>10}  {:>8}\n", "METRIC", width, "LAST", "MIN", "MAX", "POINTS");
  for (const std::string& metric : store.metricNames()) {
    const runs::Series& series = *store.series(metric);
    if (series.empty()) continue;
    const runs::Column all = series.summarize(0, series.size());
    fmt::print("  {:<{}}  {:>10}  {:>10}  {:>10}  {:>8}{}\n", metric, width, shown(metric, series.last().value),
               shown(metric, all.min), shown(metric, all.max), series.size(),
               all.nonFinite > 0 ? fmt::format("  {} not finite", all.nonFinite) : "");
  }
}

void printLists(const RunStore& store) {
  if (!store.checkpoints().empty()) fmt::print("\n  CHECKPOINTS\n");
  for (const auto& one : store.checkpoints()) {
    fmt::print("  {:<24} {:>10}  {}\n", one.path, one.bytes > 0 ? formatBytes(one.bytes) : "",
               !one.machine.empty() ? fmt::format("at {}; roadtune fetch --step {} brings it", one.place, one.step)
               : one.complete       ? "complete"
               : one.onDisk         ? "incomplete"
                                    : "deleted");
  }
  if (store.processes().size() > 1 || store.state() != runs::RunState::Finished) {
    if (!store.processes().empty()) fmt::print("\n  PROCESSES\n");
    for (const auto& process : store.processes())
      fmt::print("  rank {:<4} {} pid {} step {} {}{}\n", process.rank, process.host, process.pid, process.step,
                 process.state,
                 process.signal     ? fmt::format(" (signal {})", *process.signal)
                 : process.exitCode ? fmt::format(" (exit code {})", *process.exitCode)
                                    : "");
  }
  if (!store.notices().empty()) fmt::print("\n  NOTICES\n");
  for (const auto& notice : store.notices())
    fmt::print("  step {} rank {}: {}{}{}\n", notice.step, notice.rank, onOneLine(notice.message),
               notice.where.empty() ? "" : " (" + notice.where + ")",
               notice.hint.empty() ? "" : "; try: " + notice.hint);
}

Result<int> show(const ShowOptions& options) {
  ROADTUNE_TRY(const RunStore store, openRun(options.run));
  if (options.json) {
    fmt::print("{}", runs::toJson(store));
    return kExitDone;
  }
  printHead(store);
  printMetrics(store);
  printLists(store);
  return kExitDone;
}

const Registration kRunsShow{"runs show", "What a run did", [](CLI::App& app) -> Action {
                               auto options = std::make_shared<ShowOptions>();
                               app.add_option("run", options->run, "Folder of the run")->required();
                               app.add_flag("--json", options->json, "An object for machines");
                               return [options] { return show(*options); };
                             }};

}  // namespace

}  // namespace roadtune::cli
