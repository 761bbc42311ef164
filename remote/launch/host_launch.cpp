// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/host_launch.h"

#include "core/base/files.h"
#include "core/protocol/run_layout.h"
#include "remote/launch/host_nodes.h"
#include "remote/launch/mirror_starter.h"
#include "remote/launch/run_folder.h"

#include <algorithm>

namespace roadtune::remote {

Result<StartedRun> launchAnywhere(const LaunchPlan& plan, const Prompts& prompts, ProgressSink* progress) {
  if (plan.hosts.empty()) return launch(plan);
  ROADTUNE_TRY(const HostAccess access, HostAccess::load(prompts));
  return launchOnHosts(plan, access, progress);
}

bool runsElsewhere(const protocol::Manifest& manifest) {
  return std::any_of(manifest.nodes.begin(), manifest.nodes.end(),
                     [](const auto& node) { return !node.address.empty(); });
}

namespace {

Result<StartedRun> startOn(std::vector<HostNode>& nodes, const LaunchPlan& plan) {
  const protocol::RunLayout layout(plan.folder);
  ROADTUNE_TRY(protocol::Manifest manifest, protocol::readManifest(layout.manifest()));
  ROADTUNE_TRY(const std::string config, readFile(layout.config()));
  ROADTUNE_TRY(const std::string manifestText, manifestForNodes(plan.folder));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    ROADTUNE_CHECK(makeFolderThere(nodes[i], manifest.runId, static_cast<int>(i)));
    ROADTUNE_CHECK(sendConfig(nodes[i], config::Document(config, layout.config()), plan.config));
    ROADTUNE_CHECK(sendText(nodes[i], manifestText, nodes[i].folder + "/manifest.json"));
  }
  StartedRun started{.folder = plan.folder};
  ROADTUNE_CHECK(startAgents(nodes,
                             {.ranks = plan.ranks,
                              .supervision = plan.supervision,
                              .masterGiven = plan.config.isSet("master_addr"),
                              .environment = plan.environment},
                             manifest, started));
  ROADTUNE_CHECK(protocol::writeManifest(layout.manifest(), manifest));
  return started;
}

}  // namespace

Result<StartedRun> launchOnHosts(const LaunchPlan& plan, const HostAccess& access, ProgressSink* progress) {
  ROADTUNE_TRY(std::vector<HostNode> nodes, connectHosts(plan.hosts, plan.config, access, progress));
  ROADTUNE_CHECK(createRunFolder(plan));
  auto started = startOn(nodes, plan);
  if (started.ok()) {
    startMirror(plan.folder, plan.config);
  } else {
    stopStarted(nodes);
    sayNeverBegan(plan.folder, started.error());
  }
  return started;
}

}  // namespace roadtune::remote
