// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/protocol/event_reader.h"
#include "remote/launch/agent_starter.h"
#include "remote/launch/launch_plan.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace roadtune::remote {

struct StartedRun {
  std::filesystem::path folder;
  StartedAgent agent;
  std::string resumedFrom = {};         // checkpoint, after its machine's name when it lies elsewhere
  std::int64_t repeatedSteps = 0;       // that were done before and are done again
  std::vector<std::string> notes = {};  // what else is worth telling, one line each
  protocol::ReaderPosition told = {};   // the end of what rank 0 had told before this start
};

// Makes the run's folder and starts its agent, which outlives the caller. The command line, the studio and the demo
// all start runs here. When the agent cannot start, the folder stays for inspection, and it and the error say why.
Result<StartedRun> launch(const LaunchPlan& plan);

}  // namespace roadtune::remote
