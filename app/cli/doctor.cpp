// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune doctor RUN|--here
#include "app/cli/command.h"
#include "app/cli/doctor_here.h"
#include "app/cli/runs_open.h"
#include "core/base/units.h"
#include "core/runs/diagnosis.h"
#include "core/runs/run_json.h"

#include <fmt/format.h>

#include <algorithm>
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
  const std::pair<const char*, std::optional<double>> parts[] = {
      {"waiting for samples", anatomy.wait}, {"forward", anatomy.forward},     {"backward", anatomy.backward},
      {"communication", anatomy.comm},       {"optimizer", anatomy.optimizer}, {"other", anatomy.other}};
  for (const auto& [label, seconds] : parts) {
    if (!seconds) continue;
    const double share = *seconds / anatomy.step;
    const auto bar = static_cast<std::size_t>(std::max(0.0, std::min(1.0, share)) * 40);
    fmt::print("  {:<20} {:>9} {:>5.1f} %  {}\n", label, formatDuration(*seconds), 100 * share, std::string(bar, '#'));
  }
  if (anatomy.decode)
    fmt::print("  {:<20} {:>9}          in the loader's own threads\n", "decoding", formatDuration(*anatomy.decode));
  fmt::print("\n");
}

void print(const runs::RunStore& store, const runs::Diagnosis& diagnosis) {
  fmt::print("{}  {}\n\n", store.displayName(), name(store.state()));
  printAnatomy(diagnosis.anatomy);
  for (const runs::Verdict& one : diagnosis.verdicts) {
    fmt::print("[{}] {} ({})\n    {}\n", name(one.level), one.title, one.id, one.evidence);
    if (!one.advice.empty()) fmt::print("    try: {}\n", one.advice);
    if (one.gain) fmt::print("    at best {:.0f} % more throughput\n", 100 * *one.gain);
  }
  if (diagnosis.verdicts.empty()) fmt::print("Nothing stands out.\n");
  if (!diagnosis.abstained.empty()) fmt::print("\nNot judged:\n");
  for (const runs::Abstention& one : diagnosis.abstained) fmt::print("  {}: {}\n", one.id, one.reason);
}

Result<int> doctor(const DoctorOptions& options) {
  if (options.here == !options.run.empty())
    return badInput("give either a run or --here", {}, "roadtune doctor RUN, or roadtune doctor --here");
  if (options.here) return doctorHere(options.json);
  ROADTUNE_TRY(const runs::RunStore store, openRun(options.run));
  const runs::Diagnosis diagnosis = runs::diagnose(store);
  if (options.json)
    fmt::print("{}", runs::toJson(store, diagnosis));
  else
    print(store, diagnosis);
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
