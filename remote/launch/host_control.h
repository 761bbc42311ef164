// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/protocol/control.h"
#include "core/protocol/manifest.h"
#include "remote/launch/host_access.h"
#include "remote/launch/run_control.h"

#include <filesystem>
#include <vector>

namespace roadtune::remote {

// The halves of run_control.h for runs on other machines.

// From what was mirrored: an agent that has not said goodbye is taken to live, and so is one that nobody has named yet
// (cut_start.h); whether the link is down is another matter.
bool isAliveElsewhere(const std::filesystem::path& run, const protocol::Manifest& manifest);

// Leaves the command in the control file of every node that must know; its agent looks there twice a second. A word to
// stop is a signal where that file cannot be written; it goes to whom it reaches, and fails where that is nobody:
// proveGoneElsewhere() names the others.
Result<protocol::ControlReply> sendControlElsewhere(const protocol::Manifest& manifest,
                                                    const protocol::ControlCommand& command, const HostAccess& access);

// What still lives of a node's part of the run over there, a line each; with Leftovers::End, after it was ended.
Result<std::vector<std::string>> leftThere(Session& session, const std::string& agent, const std::string& folder,
                                           int node, Leftovers wanted = Leftovers::Keep);

// Asks every node, all at once; one that cannot be reached is not gone, and the reason stands in `left`.
std::vector<NodeProof> proveGoneElsewhere(const protocol::Manifest& manifest, const HostAccess& access,
                                          Leftovers leftovers = Leftovers::Keep);

}  // namespace roadtune::remote
