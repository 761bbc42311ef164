// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/launch.h"

#include "remote/launch/mirror_starter.h"
#include "remote/launch/run_folder.h"

namespace roadtune::remote {

Result<StartedRun> launch(const LaunchPlan& plan) {
  ROADTUNE_TRY([[maybe_unused]] const UniqueFd turn, createRunFolder(plan));
  auto agent = startAgentHere(plan.folder, plan.ranks, plan.environment, plan.supervision);
  if (!agent.ok()) {
    sayNeverBegan(plan.folder, agent.error());
    return agent.error();
  }
  startMirror(plan.folder, plan.config);
  return StartedRun{.folder = plan.folder, .agent = std::move(agent).value()};
}

}  // namespace roadtune::remote
