// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/protocol/control.h"
#include "remote/ssh/prompts.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::remote {

// `prompts` answer what SSH may ask when the run is on other machines.

// Does anything of the run still live? True as well while it is being cleared up.
bool isAlive(const std::filesystem::path& run);

// Hands a command to the run's agent and returns its answer. When the agent cannot be reached over its socket the
// command goes into the run's control file, and the answer says so; so do words for ranks that another launcher
// started, whose first rank reads that file. Fails when the run is not alive.
Result<protocol::ControlReply> sendControl(const std::filesystem::path& run, protocol::ControlCommand command,
                                           const Prompts& prompts = {});

// What is known to be left of a run on one of its machines.
struct NodeProof {
  int node = 0;
  std::string host;
  bool gone = false;
  std::vector<std::string> left = {};  // "rank 0: process 123 (roadtune-train)"; why it is not known
  bool reached = true;                 // else nothing is known of that machine
  std::optional<bool> gpuFree = {};    // the driver counts none of them on a card; nothing where there is none
};

// Seconds without a goodbye after "stop now": then its processes are ended from outside.
constexpr double kHangs = 40;

// What becomes of ranks that outlived their agent: they go on, or end without saving.
enum class Leftovers { Keep, End };

// Looks for every process the run ever started, by number and time of birth, on each of its machines. Ranks that
// another launcher started are never ended: they do not tell their time of birth.
std::vector<NodeProof> proveGone(const std::filesystem::path& run, const Prompts& prompts = {},
                                 Leftovers leftovers = Leftovers::Keep);
std::vector<std::string> unreached(const std::vector<NodeProof>& proofs);  // the machines of which nothing is known

}  // namespace roadtune::remote
