// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "remote/agent/rank_plan.h"
#include "remote/agent/supervision.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roadtune::remote {

// What one agent is told when it starts. Times in seconds.
struct AgentOptions {
  std::filesystem::path run;  // absolute
  RankPlan plan;
  Supervision supervision;
  bool portGiven = false;             // a busy port is then an error; else a free one is chosen
  std::vector<std::string> command;   // of a rank; empty: roadtune-train beside this program, with --run
  std::vector<std::string> forRanks;  // added to that command
  std::vector<std::pair<std::string, std::string>> environment;  // of the ranks, besides torchrun's variables
  bool readsEnvironment = false;                                 // more of it comes on standard input
  bool foreground = false;  // stay the caller's child, print to its streams (Slurm, tests)
  double sampleInterval = 1;
  double stopGrace = 900;    // between "save and stop" and SIGTERM
  double killGrace = 10;     // between SIGTERM and SIGKILL
  double orphanGrace = 900;  // what ranks get to save and stop by themselves when the agent was killed
};

// The command line of roadtune-agent; `--` ends the options and starts what is added to the ranks' command.
Result<AgentOptions> parseAgentOptions(const std::vector<std::string>& arguments);
std::string agentHelp();

// The ranks' variables as one program tells another.
using Variables = std::vector<std::pair<std::string, std::string>>;
std::string variablesText(const Variables& variables);
Result<Variables> readVariables(std::string_view text);

}  // namespace roadtune::remote
