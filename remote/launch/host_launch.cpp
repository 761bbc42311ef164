// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/host_launch.h"

#include "core/base/files.h"
#include "core/protocol/run_layout.h"
#include "remote/launch/cut_start.h"
#include "remote/launch/host_nodes.h"
#include "remote/launch/mirror_starter.h"
#include "remote/launch/run_folder.h"
#include "remote/launch/whereabouts.h"

#include <algorithm>

namespace roadtune::remote {

Result<StartedRun> launchAnywhere(const LaunchPlan& plan, const Prompts& prompts, ProgressSink* progress) {
  if (plan.hosts.empty()) return launch(plan);
  ROADTUNE_TRY(const HostAccess access, HostAccess::load(prompts));
  return launchOnHosts(plan, access, progress);
}

namespace {

Status startOn(std::vector<HostNode>& nodes, const LaunchPlan& plan, protocol::Manifest& manifest,
               StartedRun& started) {
  const protocol::RunLayout layout(plan.folder);
  const HostStart start{.ranks = plan.ranks,
                        .supervision = plan.supervision,
                        .masterGiven = plan.config.isSet("master_addr"),
                        .environment = plan.environment};
  ROADTUNE_TRY(const std::string config, readFile(layout.config()));
  const std::string manifestText = manifestForNodes(plan.folder, manifest);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    ROADTUNE_CHECK(makeFolderThere(nodes[i], manifest.runId, static_cast<int>(i)));
    ROADTUNE_CHECK(sendConfig(nodes[i], config::Document(config, layout.config()), plan.config));
    ROADTUNE_CHECK(sendText(nodes[i], manifestText, nodes[i].folder + "/manifest.json"));
  }
  nameNodes(nodes, start, manifest);
  ROADTUNE_CHECK(protocol::writeManifest(layout.manifest(), manifest));
  ROADTUNE_CHECK(startAgents(nodes, start, manifest, started));
  ROADTUNE_CHECK(protocol::writeManifest(layout.manifest(), manifest));
  leaveWhereabouts(nodes, plan.folder, manifest);
  return {};
}

}  // namespace

Result<StartedRun> launchOnHosts(const LaunchPlan& plan, const HostAccess& access, ProgressSink* progress) {
  ROADTUNE_TRY(std::vector<HostNode> nodes, connectHosts(plan.hosts, plan.config, access, progress));
  ROADTUNE_TRY([[maybe_unused]] const UniqueFd turn, createRunFolder(plan));
  const fs::path file = protocol::RunLayout(plan.folder).manifest();
  ROADTUNE_TRY(const protocol::Manifest before, protocol::readManifest(file));
  protocol::Manifest manifest = before;
  StartedRun started{.folder = plan.folder};
  const Status status = startOn(nodes, plan, manifest, started);
  if (!status.ok()) {
    ROADTUNE_CHECK(takeBack(nodes, plan.folder, before, manifest, status.error()));
    sayNeverBegan(plan.folder, status.error());
    return status.error();
  }
  startMirror(plan.folder, plan.config);
  return started;
}

}  // namespace roadtune::remote
