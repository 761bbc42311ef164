// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/resume.h"

#include "app/cli/command.h"
#include "app/cli/host_list.h"
#include "app/cli/mirrored_run.h"
#include "app/cli/number_checks.h"
#include "app/cli/prepare_sources.h"
#include "app/cli/run_follow.h"
#include "app/cli/sync_inputs.h"
#include "app/cli/terminal_prompts.h"
#include "core/base/progress.h"
#include "core/base/units.h"
#include "core/config/resolve.h"
#include "core/data/source/prepare_sources.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "core/runs/run_store.h"
#include "remote/launch/agent_watch.h"
#include "remote/launch/run_mirrors.h"

#include <fmt/format.h>

#include <optional>

namespace roadtune::cli {

namespace {

constexpr double kStartWait = 60;  // seconds until rank 0 must have said hello for "started" to be certain

struct ResumeOptions {
  std::string run, into, progress;
  HostList hosts;
  SyncOptions sync;
  std::optional<int> processes;
  bool here = false, detach = false, assumeGone = false;
};

Result<remote::ResumeRequest> requestOf(const ResumeOptions& options) {
  remote::ResumeRequest request{.run = options.run, .assumeGone = options.assumeGone};
  request.processesPerNode = options.processes;
  if (options.here && options.hosts.named()) return badInput("exclude each other", "--here and --hosts");
  if (options.here) request.hosts = std::vector<std::string>{};
  if (options.hosts.named()) {
    ROADTUNE_TRY(request.hosts, readHosts(options.hosts, "roadtune resume"));
  }
  return request;
}

// A run that comes from a copy has none of the data that its start had prepared, and a cache may have been emptied.
Status prepareHere(const std::filesystem::path& run, bool mirrored, const ResumeOptions& options,
                   ProgressSink& progress) {
  if (options.hosts.named()) return {};
  const auto config = config::loadRunConfig(protocol::RunLayout(run).config());
  if (!config.ok() || (!mirrored && !data::readsStorage(config.value()))) return {};  // what is wrong is told later
  return prepareSources(config.value(), run, false, progress);
}

// All its steps are made, or it ended early as it was to, the newest checkpoint is that of its end, and what it is to
// do is what the trainer read: nobody has changed it since, and no other start has.
bool isDone(const std::filesystem::path& run) {
  auto store = runs::RunStore::open(run);
  if (!store.ok() || !store.value().refresh().ok()) return false;
  const auto progress = store.value().progress();
  const runs::EndInfo* end = store.value().end();
  if (!end || end->reason != "finished" || progress.totalSteps <= 0) return false;
  const protocol::RunLayout layout(run);
  const auto newest = layout.lastCompleteCheckpoint();
  if (!newest || newest->step < progress.step) return false;
  const auto config = config::loadRunConfig(layout.config());
  const runs::StartInfo* start = store.value().start();
  return config.ok() && start && start->configHash == config.value().hash();
}

Result<int> resume(const ResumeOptions& options) {
  ROADTUNE_TRY(const ScreenStyle style, parseScreenStyle(options.progress));
  ROADTUNE_TRY(remote::ResumeRequest request, requestOf(options));
  const bool mirrored = isMirrorPlace(options.run, options.into);
  if (!mirrored && !options.into.empty()) return badInput("belongs to the copy of a run", "--into");
  Interrupt::install();
  ROADTUNE_TRY(const ProgressStyle copying, parseProgressStyle(options.progress));
  const auto progress = makeProgressSink(copying, [] { return Interrupt::requested(); });
  if (mirrored) {
    ROADTUNE_TRY(request.run, bringMirroredRun(options.run, options.into, *progress));
  }
  if (isDone(request.run)) {
    fmt::print(stderr,
               "the run has finished, nothing is left to train: {}\n  to train on, raise num_train_epochs, max_steps "
               "or early_stopping_patience in its run.yaml, or start another one from its checkpoint: "
               "resume_from_checkpoint\n",
               request.run.string());
    return kExitDone;
  }
  ROADTUNE_CHECK(prepareHere(request.run, mirrored, options, *progress));
  if (options.sync.sync || options.sync.yes) {
    if (!request.hosts) return badInput("needs the machines", "--sync", "--hosts a,b");
    ROADTUNE_TRY(const auto config, config::loadRunConfig(protocol::RunLayout(request.run).config()));
    ROADTUNE_TRY(const remote::HostAccess access, remote::HostAccess::load(terminalPrompts(options.hosts.trusted)));
    ROADTUNE_CHECK(syncInputs(config, *request.hosts, options.sync, access, *progress));
  }
  ToldNotices told = noticesOf(request.run);
  ROADTUNE_TRY(const remote::StartedRun run,
               remote::resumeRun(request, terminalPrompts(options.hosts.trusted), progress.get()));
  if (style != ScreenStyle::None && style != ScreenStyle::Json) {
    fmt::print(stderr, "run {}\n  continued from {}", run.folder.string(), run.resumedFrom);
    if (run.repeatedSteps > 0)
      fmt::print(stderr, "; {} step{} repeated", formatCount(run.repeatedSteps),
                 run.repeatedSteps == 1 ? " is" : "s are");
    fmt::print(stderr, "\n");
    for (const auto& note : run.notes) fmt::print(stderr, "  {}\n", note);
  } else {
    RunScreen screen(style);
    for (const auto& note : run.notes) screen.say("warning: " + note);
  }
  // What machines elsewhere had told came here before the run went on; nothing that they tell now has.
  if (const auto manifest = protocol::readManifest(protocol::RunLayout(run.folder).manifest());
      manifest.ok() && protocol::runsElsewhere(manifest.value()))
    told = noticesOf(run.folder);
  if (!options.detach) return followToTheEnd(run.folder, style, OnInterrupt::StopRun, told);
  ROADTUNE_TRY(const remote::HostAccess access,
               remote::HostAccess::loadFor(run.folder, terminalPrompts(options.hosts.trusted)));
  ROADTUNE_TRY(const remote::RunMirrors mirrors, remote::RunMirrors::open(run.folder, access));
  ROADTUNE_TRY(const bool greeted, remote::waitForStart(run.folder, kStartWait, run.told));
  if (!greeted) RunScreen(style).say("the ranks are still loading; the run goes on");
  fmt::print("{}\n", run.folder.string());
  return kExitDone;
}

const Registration kResume{
    "resume", "Continue a run from its newest complete checkpoint, here or on other machines",
    [](CLI::App& app) -> Action {
      auto options = std::make_shared<ResumeOptions>();
      app.add_option("run", options->run,
                     "the run's folder (output_dir), or where it was copied to: a folder, s3://, gs://, HOST:/")
          ->required();
      app.add_option("--into", options->into, "folder for a run that was copied away (default: its output_dir)");
      addHostOptions(app, options->hosts);
      addSyncOptions(app, options->sync);
      app.add_flag("--here", options->here, "on this machine, wherever it was before");
      app.add_flag("--assume-gone", options->assumeGone, "a machine that cannot be asked runs nothing any more");
      app.add_option("--nproc-per-node", options->processes, "ranks on each machine (default: as before)")
          ->check(wholeNumberFrom(1));
      app.add_flag("--detach", options->detach, "return when the run has started");
      app.add_option("--progress", options->progress, "json, bar or none");
      return [options] { return resume(*options); };
    }};

}  // namespace
}  // namespace roadtune::cli
