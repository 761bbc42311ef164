// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/document.h"
#include "core/config/problem.h"
#include "core/config/run_config.h"
#include "remote/agent/rank_plan.h"
#include "remote/agent/supervision.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace roadtune::remote {

// What a user asks for, from the command line or from the studio.
struct LaunchRequest {
  config::Document document;
  std::vector<std::string> overrides = {};    // key=value
  std::filesystem::path overridesFrom = {};   // their relative paths; empty: the working folder
  std::optional<int> processesPerNode = {};   // else nproc_per_node of the configuration
  std::vector<std::string> hosts = {};        // empty: this machine
  std::vector<std::string> commandLine = {};  // kept in the manifest
  // For another launcher: nothing is asked of this machine, and each start goes on from the newest checkpoint.
  bool exported = false;
};

// A run that passed every check that needs no device. Nothing has been written yet.
struct LaunchPlan {
  config::Document document;
  config::RunConfig config;
  std::vector<config::Problem> warnings;
  std::filesystem::path folder;                                  // output_dir, absolute
  RankPlan ranks;                                                // masterPort 0: a free one is chosen at the start
  std::vector<std::pair<std::string, std::string>> environment;  // variables for the ranks
  std::vector<std::string> hosts;
  std::vector<std::string> commandLine;
  Supervision supervision = {};
  std::string runId = {};  // the run's, for who must know it before there is a folder; empty: one is made up
};

// What a configuration says about the ranks' environment: `environment`, GPUs, threads, NCCL's and Gloo's settings.
std::vector<std::pair<std::string, std::string>> rankVariables(const config::RunConfig& config);

// What a configuration says about stalls and restarts, for a job on so many machines. Agents restart only what runs on
// one machine; a job on several is restarted by the program that follows it.
Supervision supervisionOf(const config::RunConfig& config, int machines);

// Ranks on this machine when nobody says how many: one per GPU that may be used, else one.
int defaultProcesses(const config::RunConfig& config);

// Refuses with all problems at once, one per line.
Result<LaunchPlan> planLaunch(const LaunchRequest& request);

}  // namespace roadtune::remote
