// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune doctor RUN|--here
#include "app/cli/as_of.h"
#include "app/cli/command.h"
#include "app/cli/doctor_here.h"
#include "app/cli/run_screen.h"
#include "app/cli/runs_open.h"
#include "app/cli/storage_reads.h"
#include "core/base/files.h"
#include "core/base/json_text.h"
#include "core/base/units.h"
#include "core/base/url.h"
#include "core/config/resolve.h"
#include "core/protocol/run_layout.h"
#include "core/runs/diagnosis.h"
#include "core/runs/run_json.h"
#include "remote/launch/read_probe.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

namespace roadtune::cli {

namespace {

struct DoctorOptions {
  std::string run;
  bool here = false;
  bool json = false;
};

void printAnatomy(const runs::StepAnatomy& anatomy) {
  if (anatomy.steps == 0) return;
  fmt::print("A step takes {} (mean of the last {})\n", formatDuration(anatomy.step), anatomy.steps);
  const std::pair<const char*, std::optional<double>> parts[] = {{"waiting for samples", anatomy.wait},
                                                                 {"copying there", anatomy.copy},
                                                                 {"forward", anatomy.forward},
                                                                 {"backward", anatomy.backward},
                                                                 {"communication", anatomy.comm},
                                                                 {"optimizer", anatomy.optimizer},
                                                                 {"other", anatomy.other}};
  for (const auto& [label, seconds] : parts) {
    if (!seconds) continue;
    const double share = *seconds / anatomy.step;
    const auto bar = static_cast<std::size_t>(std::max(0.0, std::min(1.0, share)) * 40);
    fmt::print("  {:<20} {:>9} {:>5.1f} %  {}\n", label, formatDuration(*seconds), 100 * share, std::string(bar, '#'));
  }
  const std::pair<const char*, std::optional<double>> loading[] = {
      {"reading", anatomy.read}, {"decoding", anatomy.decode}, {"tokenising", anatomy.tokenise}};
  for (const auto& [label, seconds] : loading)
    if (seconds) fmt::print("  {:<20} {:>9}          in the loader's own threads\n", label, formatDuration(*seconds));
  fmt::print("\n");
}

// Throughput of the last step, and how much of the devices' arithmetic it is where that is known.
void printPace(const runs::RunStore& store) {
  const double samples = latest(store, "train/samples_per_second"), tokens = latest(store, "train/tokens_per_second");
  if (!std::isfinite(samples)) return;
  const int ranks = store.start() ? std::max(1, store.start()->worldSize) : 1;
  std::string line = formatRate(samples, "samples");
  if (std::isfinite(tokens)) {
    line += ", " + formatRate(tokens, "tokens");
    if (ranks > 1) line += fmt::format(" ({} on each of {} ranks)", formatRate(tokens / ranks, "tokens"), ranks);
  }
  if (const double flops = latest(store, "train/tflops_per_s"); std::isfinite(flops))
    line += fmt::format(", {} TFLOP/s", formatNumber(flops, 3));
  if (const double used = latest(store, "train/mfu"); std::isfinite(used)) line += fmt::format(", MFU {:.1f} %", used);
  fmt::print("{}\n\n", line);
}

// What the run did with its time besides: evaluations, checkpoints, starting up.
void printPhases(const runs::RunStore& store) {
  std::map<std::string, double> seconds;
  double all = 0;
  for (const runs::Phase& phase : store.phases()) {
    if (!phase.end) continue;
    seconds[phase.name] += *phase.end - phase.begin;
    all += *phase.end - phase.begin;
  }
  if (seconds.size() < 2 || all <= 0) return;
  fmt::print("Of {} so far:", formatDuration(all));
  for (const auto& [name, took] : seconds)
    fmt::print("  {} {} ({:.0f} %)", name, formatDuration(took), 100 * took / all);
  fmt::print("\n\n");
}

void print(const runs::RunStore& store, const runs::Diagnosis& diagnosis) {
  fmt::print("{}  {}\n{}\n", store.displayName(), name(store.state()), asOfLine(store.asOf(), store.folder().string()));
  printAnatomy(diagnosis.anatomy);
  printPace(store);
  printPhases(store);
  for (const runs::Verdict& one : diagnosis.verdicts) {
    fmt::print("[{}] {} ({})\n    {}\n", name(one.level), one.title, one.id, one.evidence);
    if (!one.advice.empty()) fmt::print("    try: {}\n", one.advice);
    if (one.gain) fmt::print("    at best {:.0f} % more throughput\n", 100 * *one.gain);
  }
  if (diagnosis.verdicts.empty()) fmt::print("Nothing stands out.\n");
  if (!diagnosis.abstained.empty()) fmt::print("\nNot judged:\n");
  for (const runs::Abstention& one : diagnosis.abstained) fmt::print("  {}: {}\n", one.id, one.reason);
}

// How fast the run's data is read on this machine; nothing when none of it is here.
using remote::ReadProbe;

std::vector<ReadProbe> probesOf(const std::string& run) {
  const auto config = config::loadRunConfig(protocol::RunLayout(run).config());
  std::vector<ReadProbe> probes;
  if (config.ok()) probes = remote::probeReads(config.value(), run, readStorage);
  std::error_code code;
  std::erase_if(probes, [&](const ReadProbe& one) { return !isUrl(one.source) && !fs::exists(one.source, code); });
  return probes;
}

void print(const std::vector<ReadProbe>& probes) {
  if (!probes.empty()) fmt::print("\nReading the data, one sample after the other:\n");
  for (const ReadProbe& one : probes) fmt::print("  {}\n    {}\n", one.source, one.text());
}

std::string withReads(const std::string& report, const std::vector<ReadProbe>& probes) {
  auto json = nlohmann::ordered_json::parse(report);
  auto& reads = json["reads"] = nlohmann::ordered_json::array();
  for (const ReadProbe& one : probes) {
    nlohmann::ordered_json entry = {{"source", one.source}, {"storage", one.storage}, {"reads", one.reads}};
    if (one.problem.empty())
      entry.update({{"bytes_per_second", one.bytesPerSecond()}, {"median_s", one.median}, {"p95_s", one.p95}});
    else
      entry["problem"] = one.problem;
    reads.push_back(std::move(entry));
  }
  return jsonText(json) + "\n";
}

Result<int> doctor(const DoctorOptions& options) {
  if (options.here == !options.run.empty())
    return badInput("give either a run or --here", {}, "roadtune doctor RUN, or roadtune doctor --here");
  if (options.here) return doctorHere(options.json);
  ROADTUNE_TRY(const runs::RunStore store, openRun(options.run));
  const runs::Diagnosis diagnosis = runs::diagnose(store);
  const std::vector<ReadProbe> probes = probesOf(options.run);
  if (options.json) {
    fmt::print("{}", withReads(runs::toJson(store, diagnosis), probes));
    return kExitDone;
  }
  print(store, diagnosis);
  print(probes);
  return kExitDone;
}

const Registration kDoctor{"doctor", "Why a run is slow or failed, or what this machine can do",
                           [](CLI::App& app) -> Action {
                             auto options = std::make_shared<DoctorOptions>();
                             app.add_option("run", options->run, "Folder of a run");
                             app.add_flag("--here", options->here, "Look at this machine instead");
                             app.add_flag("--json", options->json, "An object for machines");
                             return [options] { return doctor(*options); };
                           }};

}  // namespace

}  // namespace roadtune::cli
