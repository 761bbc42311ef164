// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/launch.h"

#include "core/base/hash.h"
#include "core/config/document.h"
#include "core/config/resolve.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "remote/launch/run_control.h"
#include "remote/launch/run_folder.h"

#include <fmt/format.h>

namespace roadtune::remote {

Result<StartedRun> launch(const LaunchPlan& plan) {
  ROADTUNE_CHECK(createRunFolder(plan));
  ROADTUNE_TRY(StartedAgent agent, startAgentHere(plan.folder, plan.ranks, plan.environment));
  return StartedRun{.folder = plan.folder, .agent = std::move(agent)};
}

Result<StartedRun> resumeRun(const ResumeRequest& request) {
  ROADTUNE_TRY(const fs::path run, findRun(request.run));
  const protocol::RunLayout layout(run);
  if (isAlive(run)) return badInput("the run is going on", run.string(), "roadtune attach " + run.string());
  ROADTUNE_TRY(const config::RunConfig config, config::loadRunConfig(layout.config()));
  const auto checkpoint = layout.lastCompleteCheckpoint();
  if (!checkpoint)
    return failed("there is no complete checkpoint to continue from", run.string(),
                  "start it again with overwrite_output_dir: true, or with a smaller save_steps");
  ROADTUNE_TRY(config::Document document, config::Document::load(layout.config()));
  ROADTUNE_CHECK(document.set("resume_from_checkpoint", checkpoint->path.string()));
  ROADTUNE_CHECK(document.save());
  ROADTUNE_TRY(protocol::Manifest manifest, protocol::readManifest(layout.manifest()));
  RankPlan ranks;
  ranks.processes = request.processesPerNode.value_or(manifest.nodes.empty() ? 1 : manifest.nodes.front().processes);
  if (ranks.processes < 1) return badInput("a machine runs at least one process", "--nproc-per-node");
  ranks.worldSize = ranks.processes;
  if (config.isSet("master_port")) ranks.masterPort = static_cast<int>(config.integer("master_port"));
  manifest.resumedFrom = checkpoint->path.string();
  manifest.attempt += 1;
  manifest.configHash = sha256Hex(document.text());
  ROADTUNE_CHECK(protocol::writeManifest(layout.manifest(), manifest));
  ROADTUNE_TRY(StartedAgent agent, startAgentHere(run, ranks, rankVariables(config)));
  return StartedRun{.folder = run, .agent = std::move(agent), .resumedFrom = checkpoint->path.string()};
}

}  // namespace roadtune::remote
