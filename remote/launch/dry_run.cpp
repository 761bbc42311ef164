// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/dry_run.h"

#include "core/base/clock.h"
#include "core/protocol/dry_run.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "remote/launch/agent_watch.h"
#include "remote/launch/host_launch.h"
#include "remote/launch/in_parallel.h"
#include "remote/launch/run_control.h"
#include "remote/launch/run_folder.h"
#include "remote/launch/run_mirrors.h"
#include "remote/ssh/shell_quote.h"

#include <optional>
#include <unistd.h>

namespace roadtune::remote {

namespace fs = std::filesystem;

namespace {

constexpr useconds_t kGlance = 100'000;  // microseconds
constexpr double kPatience = 5;          // seconds between two orders to stop
constexpr double kGiveUp = 20;           // seconds after the first: machines that cannot be reached stop by themselves
constexpr const char* kSuffix = "-dry-run";

// Indexes that were made for the run itself serve here, too: they are not made twice.
void linkPreparedData(const fs::path& folder) {
  std::string run = folder.string();
  run.resize(run.size() - std::string_view(kSuffix).size());
  const fs::path data = protocol::RunLayout(run).preparedData(), link = protocol::RunLayout(folder).preparedData();
  std::error_code ignored;
  if (!fs::exists(data, ignored) || fs::exists(link, ignored)) return;
  fs::create_directories(folder, ignored);
  fs::create_directory_symlink(data, link, ignored);
}

void removeThere(const protocol::ManifestNode& node, const HostAccess& access) {
  auto session = access.connect(node.address);
  if (!session.ok()) return;
  const fs::path run = fs::path(node.folder).parent_path();
  const std::string command =
      "rm -rf " + shellQuote(node.folder) + "; rmdir " + shellQuote(run.string()) + " 2>/dev/null; true";
  [[maybe_unused]] const auto removed = session.value().output(command);
}

void removeEverywhere(const fs::path& folder, const HostAccess& access) {
  const double deadline = monotonicSeconds() + kPatience;
  while (isAlive(folder) && monotonicSeconds() < deadline) ::usleep(kGlance);  // its agent says the last word
  if (const auto manifest = protocol::readManifest(protocol::RunLayout(folder).manifest()); manifest.ok()) {
    const auto& nodes = manifest.value().nodes;
    const HostAccess shared = access.shared();
    inParallel(nodes.size(), [&](std::size_t i) {
      if (!nodes[i].address.empty()) removeThere(nodes[i], shared);
    });
  }
  std::error_code ignored;
  if (const fs::path link = protocol::RunLayout(folder).preparedData(); fs::is_symlink(link, ignored))
    fs::remove(link, ignored);
  [[maybe_unused]] const Status removed = removeRunFiles(folder);
}

Result<std::vector<runs::ProofInfo>> follow(const fs::path& folder, const HostAccess& access,
                                            const DryRunWatcher& watcher) {
  ROADTUNE_TRY(const RunMirrors mirrors, RunMirrors::open(folder, access));
  ROADTUNE_TRY(runs::RunStore store, runs::RunStore::open(folder));
  AgentWatch agents(folder);
  std::optional<double> ended;  // when the watcher wanted no more
  double told = -kPatience;
  while (true) {
    const auto outcome =
        agents.poll(mirrors.unreached(), mirrors.lost());  // before the last look, so that the look sees everything
    ROADTUNE_TRY([[maybe_unused]] const bool changed, store.refresh());
    const double now = monotonicSeconds();
    if (!watcher(store) && !ended) ended = now;
    if (ended && (outcome || now - *ended > kGiveUp)) return cancelled();
    if (outcome && outcome->reason != "finished") {
      Error error = toError(*outcome);
      error.what += "\n  dry run: " + folder.string();
      return error;
    }
    if (outcome) return store.proofs();
    if (ended && now - told > kPatience) {
      [[maybe_unused]] const auto reply = sendControl(folder, {.word = protocol::ControlWord::StopNow}, access.prompts);
      told = now;
    }
    ::usleep(kGlance);
  }
}

}  // namespace

Result<LaunchPlan> planDryRun(LaunchRequest request, const LaunchPlan& run) {
  for (const std::string& entry :
       {"output_dir=" + run.folder.string() + kSuffix, std::string("overwrite_output_dir=true"),
        std::string("max_restarts=0"), std::string("mirror_checkpoints_to=")})
    request.overrides.push_back(entry);
  ROADTUNE_TRY(LaunchPlan plan, planLaunch(request));
  plan.environment.emplace_back(protocol::kDryRunVariable, "1");
  return plan;
}

Result<std::vector<runs::ProofInfo>> dryRun(const LaunchPlan& plan, const HostAccess& access, ProgressSink* progress,
                                            const DryRunWatcher& watcher) {
  linkPreparedData(plan.folder);
  const auto started = plan.hosts.empty() ? launch(plan) : launchOnHosts(plan, access, progress);
  if (!started.ok()) return started.error();
  auto proofs = follow(plan.folder, access, watcher);
  const bool keeps = !proofs.ok() && proofs.error().kind != ErrorKind::Cancelled;
  if (!keeps) removeEverywhere(plan.folder, access);
  return proofs;
}

}  // namespace roadtune::remote
