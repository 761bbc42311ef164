// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/protocol/manifest.h"
#include "remote/queue/job_queue.h"

#include <optional>
#include <string>

namespace roadtune::remote {

// The run that lies in the job's folder, when the job has made it: another one is not its to overwrite or to continue.
std::optional<protocol::Manifest> ownRun(const QueueJob& job);

// Has a start that nobody saw to its end come so far that the run in the folder is the one it was to make, and that it
// may have an agent?
bool hasBegun(const QueueJob& job);

std::string newRunId(const QueueJob& job);

}  // namespace roadtune::remote
