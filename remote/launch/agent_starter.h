// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "remote/agent/process_table.h"
#include "remote/agent/rank_plan.h"
#include "remote/agent/supervision.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace roadtune::remote {

struct StartedAgent {
  ProcessId agent;
  std::string socket;
  int masterPort = 0;
};

// Starts the agent of this machine in the background; its ranks run when this returns. ROADTUNE_TRAINER replaces what a
// rank runs, ROADTUNE_AGENT_OPTIONS adds options of roadtune-agent (tests, odd machines).
Result<StartedAgent> startAgentHere(const std::filesystem::path& run, const RankPlan& plan,
                                    const std::vector<std::pair<std::string, std::string>>& environment = {},
                                    const Supervision& supervision = {});

// The arguments of roadtune-agent for a plan, for this machine or any other. Its input is variablesText() of what the
// ranks' environment is to hold besides: that may be keys.
std::vector<std::string> agentArguments(const std::filesystem::path& run, const RankPlan& plan,
                                        const Supervision& supervision = {});

// What an agent prints when its ranks run.
Result<StartedAgent> parseReadyLine(const std::string& line);

}  // namespace roadtune::remote
