// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "remote/launch/agent_starter.h"
#include "remote/launch/launch_plan.h"

#include <filesystem>
#include <optional>
#include <string>

namespace roadtune::remote {

struct StartedRun {
  std::filesystem::path folder;
  StartedAgent agent;
  std::string resumedFrom = {};  // checkpoint
};

// Makes the run's folder and starts its agent, which outlives the caller. The command line, the studio and the demo
// all start runs here. When the agent cannot start, the folder stays for inspection and the error says why.
Result<StartedRun> launch(const LaunchPlan& plan);

struct ResumeRequest {
  std::filesystem::path run;
  std::optional<int> processesPerNode = {};  // else as before
};

// Continues a run that is not going on, in its own folder, from its newest complete checkpoint.
Result<StartedRun> resumeRun(const ResumeRequest& request);

}  // namespace roadtune::remote
