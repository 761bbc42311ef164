// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "remote/launch/agent_watch.h"
#include "remote/launch/run_control.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace roadtune::remote {

// Runs whose ranks another launcher started (an exported job under Slurm or torchrun): there is no agent, so what the
// ranks write into the folder, which this machine sees, is all there is to go by. A rank that lives says so every 5 s.

// No manifest and no word of an agent: another launcher's run.
bool isSelfLed(const std::filesystem::path& run);

// Some rank was heard of within the last minute and has not said goodbye; or the job has only just made the folder.
bool isSelfLedAlive(const std::filesystem::path& run);

// How it ended: by the rank that failed first for a reason of its own, else by rank 0. Asked when nothing is alive.
RunOutcome outcomeOfSelfLed(const std::filesystem::path& run);

// A proof per machine: every rank of it has said goodbye, and where that is this machine, is gone.
std::vector<NodeProof> proveSelfLedGone(const std::filesystem::path& run);

}  // namespace roadtune::remote
