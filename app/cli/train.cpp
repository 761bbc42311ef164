// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/run_follow.h"
#include "app/cli/terminal_prompts.h"
#include "core/base/progress.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/config/fleet.h"
#include "remote/launch/host_launch.h"
#include "remote/launch/launch.h"
#include "remote/launch/run_mirrors.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::cli {

namespace {

constexpr double kDetachWait = 60;  // seconds until rank 0 must have said hello for "started" to be certain

struct TrainOptions {
  std::string config;
  std::vector<std::string> overrides;
  std::string hosts, fleet, trusted, progress;
  int processes = 0;
  bool detach = false;
};

Result<std::vector<std::string>> hostsOf(const TrainOptions& options) {
  if (!options.fleet.empty() && !options.hosts.empty())
    return badInput("--hosts and --fleet exclude each other", "roadtune train");
  if (!options.fleet.empty()) return config::readFleet(options.fleet);
  std::vector<std::string> hosts;
  for (const auto& name : split(options.hosts, ','))
    if (const auto host = trim(name); !host.empty()) hosts.emplace_back(host);
  if (hosts == std::vector<std::string>{"localhost"}) hosts.clear();
  return hosts;
}

Result<remote::StartedRun> start(const remote::LaunchPlan& plan, const TrainOptions& options) {
  if (plan.hosts.empty()) return remote::launch(plan);
  ROADTUNE_TRY(const remote::HostAccess access, remote::HostAccess::load(terminalPrompts(options.trusted)));
  ROADTUNE_TRY(const ProgressStyle style, parseProgressStyle(options.progress));
  return remote::launchOnHosts(plan, access, makeProgressSink(style).get());
}

std::vector<std::string> commandLine(const TrainOptions& options) {
  std::vector<std::string> words{"roadtune", "train", options.config};
  for (const auto& entry : options.overrides) words.insert(words.end(), {"--set", entry});
  if (!options.hosts.empty()) words.insert(words.end(), {"--hosts", options.hosts});
  if (!options.fleet.empty()) words.insert(words.end(), {"--fleet", options.fleet});
  if (options.processes > 0) words.insert(words.end(), {"--nproc-per-node", std::to_string(options.processes)});
  return words;
}

void announce(const remote::LaunchPlan& plan, const remote::StartedRun& run) {
  const auto batch = plan.config.integer("per_device_train_batch_size");
  const auto accumulation = plan.config.integer("gradient_accumulation_steps");
  const int world = plan.ranks.processes * std::max<int>(1, static_cast<int>(plan.hosts.size()));
  fmt::print(stderr, "run {}\n  {} rank{}, batch {} × accumulation {} × ranks {} = {} samples per step, agent {}\n",
             run.folder.string(), world, world == 1 ? "" : "s", batch, accumulation, world, batch * accumulation * world,
             run.agent.agent.pid);
}

Result<int> train(const TrainOptions& options) {
  ROADTUNE_TRY(const ScreenStyle style, parseScreenStyle(options.progress));
  ROADTUNE_TRY(config::Document document, config::Document::load(options.config));
  remote::LaunchRequest request{
      .document = std::move(document), .overrides = options.overrides, .commandLine = commandLine(options)};
  ROADTUNE_TRY(request.hosts, hostsOf(options));
  if (options.processes != 0) request.processesPerNode = options.processes;
  ROADTUNE_TRY(const remote::LaunchPlan plan, remote::planLaunch(request));
  for (const auto& warning : plan.warnings) fmt::print(stderr, "warning: {}\n", warning.text());
  Interrupt::install();
  ROADTUNE_TRY(const remote::StartedRun run, start(plan, options));
  if (style != ScreenStyle::None && style != ScreenStyle::Json) announce(plan, run);
  if (!options.detach) return followToTheEnd(run.folder, style, OnInterrupt::StopRun);
  ROADTUNE_TRY(const remote::HostAccess access, remote::HostAccess::load(terminalPrompts(options.trusted)));
  ROADTUNE_TRY(const remote::RunMirrors mirrors, remote::RunMirrors::open(run.folder, access));
  ROADTUNE_TRY(const bool greeted, remote::waitForStart(run.folder, kDetachWait));
  if (!greeted) fmt::print(stderr, "the ranks are still loading; the run goes on\n");
  fmt::print("{}\n", run.folder.string());
  return kExitDone;
}

const Registration kTrain{
    "train", "Train as a configuration says; Ctrl-C saves and stops", [](CLI::App& app) -> Action {
      auto options = std::make_shared<TrainOptions>();
      app.add_option("config", options->config, "the run's configuration (RUN.yaml)")->required();
      app.add_option("--set", options->overrides, "key=value, overrides the file; may be repeated")->take_all();
      app.add_option("--hosts", options->hosts, "machines, separated by commas (default: this one)");
      app.add_option("--fleet", options->fleet, "a file that lists machines");
      app.add_option("--trust-host-key", options->trusted, "fingerprint (SHA256:...) of a host key not known yet");
      app.add_option("--nproc-per-node", options->processes, "ranks on each machine");
      app.add_flag("--detach", options->detach, "return when the run has started; it goes on by itself");
      app.add_option("--progress", options->progress, "json, bar or none");
      return [options] { return train(*options); };
    }};

}  // namespace
}  // namespace roadtune::cli
