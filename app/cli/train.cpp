// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/dry_run.h"
#include "app/cli/host_list.h"
#include "app/cli/number_checks.h"
#include "app/cli/prepare_sources.h"
#include "app/cli/run_follow.h"
#include "app/cli/run_tree.h"
#include "app/cli/sync_inputs.h"
#include "app/cli/terminal_prompts.h"
#include "core/base/counted.h"
#include "core/base/files.h"
#include "core/base/progress.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "remote/launch/dry_run.h"
#include "remote/launch/host_launch.h"
#include "remote/launch/job_export.h"
#include "remote/launch/launch.h"
#include "remote/launch/run_mirrors.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace roadtune::cli {

namespace {

constexpr double kDetachWait = 60;  // seconds until rank 0 must have said hello for "started" to be certain

struct TrainOptions {
  std::string config;
  std::vector<std::string> overrides;
  std::string progress;
  HostList hosts;
  SyncOptions sync;
  std::optional<int> processes;
  bool detach = false, dryRun = false;
  std::string exportAs, out, image;
  int nodes = 0;
};

Result<remote::StartedRun> start(const remote::LaunchPlan& plan, const TrainOptions& options) {
  ROADTUNE_TRY(const ProgressStyle style, parseProgressStyle(options.progress));
  return remote::launchAnywhere(plan, terminalPrompts(options.hosts.trusted), makeProgressSink(style).get());
}

// A setting as it was given, without the values of variables: they may be keys.
std::string withoutKeys(const std::string& setting) {
  const std::string key = setting.substr(0, setting.find('='));
  return key.find("environment") == std::string::npos ? setting : key + "=...";
}

// As the manifest keeps it, which everybody may read.
std::vector<std::string> commandLine(const TrainOptions& options) {
  std::vector<std::string> words{"roadtune", "train", options.config};
  if (options.dryRun) words.emplace_back("--dry-run");
  for (const auto& entry : options.overrides) words.insert(words.end(), {"--set", withoutKeys(entry)});
  if (!options.hosts.hosts.empty()) words.insert(words.end(), {"--hosts", options.hosts.hosts});
  if (!options.hosts.fleet.empty()) words.insert(words.end(), {"--fleet", options.hosts.fleet});
  if (options.processes) words.insert(words.end(), {"--nproc-per-node", std::to_string(*options.processes)});
  return words;
}

void announce(const remote::LaunchPlan& plan, const remote::StartedRun& run) {
  const auto batch = plan.config.integer("per_device_train_batch_size");
  const auto accumulation = plan.config.integer("gradient_accumulation_steps");
  const int world = plan.ranks.processes * std::max<int>(1, static_cast<int>(plan.hosts.size()));
  fmt::print(stderr, "run {}\n  {}, batch {} × accumulation {} × ranks {} = {} samples per step, agent {}\n",
             run.folder.string(), counted(world, "rank"), batch, accumulation, world, batch * accumulation * world,
             run.agent.agent.pid);
}

// The run as a job for another launcher: on stdout, or into a file.
Result<int> writeJob(const remote::LaunchPlan& plan, const TrainOptions& options) {
  remote::JobExport wanted{
      .nodes = options.nodes > 0 ? options.nodes : std::max(1, static_cast<int>(plan.hosts.size())),
      .image = options.image};
  ROADTUNE_TRY(wanted.format, remote::parseJobFormat(options.exportAs));
  ROADTUNE_TRY(const std::string text, remote::exportJob(plan, wanted));
  if (options.out.empty()) return fmt::print("{}", text), kExitDone;
  ROADTUNE_CHECK(writeFileAtomically(options.out, text, plan.config.textMap("environment").empty() ? kForAll : kForMe));
  fmt::print("{}\n", options.out);
  return kExitDone;
}

Result<int> train(const TrainOptions& options) {
  ROADTUNE_TRY(const ScreenStyle style, parseScreenStyle(options.progress));
  if (options.exportAs.empty() && (options.nodes != 0 || !options.out.empty() || !options.image.empty()))
    return badInput("belong to --export", "--nodes, --out and --image", "--export slurm");
  if (!options.exportAs.empty()) {
    if (const auto format = remote::parseJobFormat(options.exportAs); !format.ok()) return format.error();
  }
  if (options.dryRun && (options.detach || !options.exportAs.empty()))
    return badInput("is watched to its end", "--dry-run", "leave out --detach and --export");
  ROADTUNE_TRY(config::Document document, config::Document::load(options.config));
  remote::LaunchRequest request{
      .document = std::move(document), .overrides = options.overrides, .commandLine = commandLine(options)};
  ROADTUNE_TRY(request.hosts, readHosts(options.hosts, "roadtune train"));
  for (auto& entry : overridesForHere(options.hosts)) request.overrides.push_back(std::move(entry));
  request.processesPerNode = options.processes;
  request.exported = !options.exportAs.empty();
  ROADTUNE_TRY(const remote::LaunchPlan plan, remote::planLaunch(request));
  ROADTUNE_TRY(const remote::LaunchPlan dry, options.dryRun ? remote::planDryRun(request, plan) : plan);
  ROADTUNE_CHECK(checkAgainstModel(plan.config));
  ROADTUNE_TRY(const ProgressStyle importStyle, parseProgressStyle(options.progress));
  const auto importing = makeProgressSink(importStyle, [] { return Interrupt::requested(); });
  if (!options.exportAs.empty()) {
    ROADTUNE_CHECK(prepareSources(plan.config, plan.folder, true, *importing));  // no rank of a job prepares any
    return writeJob(plan, options);
  }
  for (const auto& warning : plan.warnings) RunScreen(style).say(warning.text());
  for (const Error& doubt : doubtsAboutModel(plan.config))
    if (doubt.where == "target_modules") RunScreen(style).say(doubt.text());
  Interrupt::install();
  // Before anything is imported for them or copied to them.
  remote::HostAccess access;
  if (!plan.hosts.empty()) {
    ROADTUNE_TRY(access, remote::HostAccess::load(terminalPrompts(options.hosts.trusted)));
    ROADTUNE_CHECK(access.requireDistinct(plan.hosts));
  }
  ROADTUNE_CHECK(prepareSources(plan.config, plan.folder, !plan.hosts.empty(), *importing));
  if (options.sync.sync || options.sync.yes)
    ROADTUNE_CHECK(syncInputs(plan.config, plan.hosts, options.sync, access, *importing));
  if (options.dryRun) return dryRunToTheEnd(dry, style, terminalPrompts(options.hosts.trusted));
  ROADTUNE_TRY(const remote::StartedRun run, start(plan, options));
  if (style != ScreenStyle::None && style != ScreenStyle::Json) announce(plan, run);
  if (!options.detach) return followToTheEnd(run.folder, style, OnInterrupt::StopRun);
  ROADTUNE_TRY(const remote::RunMirrors mirrors, remote::RunMirrors::open(run.folder, access));
  ROADTUNE_TRY(const bool greeted, remote::waitForStart(run.folder, kDetachWait));
  if (!greeted) RunScreen(style).say("the ranks are still loading; the run goes on");
  fmt::print("{}\n", run.folder.string());
  return kExitDone;
}

const Registration kTrain{
    "train", "Train as a configuration says; Ctrl-C saves and stops", [](CLI::App& app) -> Action {
      auto options = std::make_shared<TrainOptions>();
      app.add_option("config", options->config, "the run's configuration (RUN.yaml)")->required();
      app.add_option("--set", options->overrides, "key=value, overrides the file; may be repeated")
          ->take_all()
          ->allow_extra_args(false);
      addHostOptions(app, options->hosts);
      addSyncOptions(app, options->sync);
      app.add_option("--nproc-per-node", options->processes, "ranks on each machine")->check(wholeNumberFrom(1));
      app.add_flag("--detach", options->detach, "return when the run has started; it goes on by itself");
      app.add_flag(
          "--dry-run", options->dryRun,
          "prove in about a minute that it will work: the longest samples, an evaluation, a checkpoint, time and "
          "disk; only one that fails leaves its folder, to look into");
      app.add_option("--progress", options->progress, "json, bar or none");
      app.add_option("--export", options->exportAs, "do not train: print the job for torchrun, slurm or jobset");
      app.add_option("--nodes", options->nodes, "machines of an exported job")->check(wholeNumberFrom(1));
      app.add_option("--out", options->out, "file for an exported job (default: stdout)");
      app.add_option("--image", options->image, "container of an exported JobSet");
      return [options] { return train(*options); };
    }};

}  // namespace
}  // namespace roadtune::cli
