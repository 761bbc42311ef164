// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/protocol/manifest.h"
#include "remote/launch/host_access.h"

#include <filesystem>

namespace roadtune::remote {

// A launcher names the machines of a run in its manifest before it starts their agents, and who the agents are after.
// When it is killed in between, only the machines know.

// A machine of the run is named, and its agent is not.
bool isStartOpen(const protocol::Manifest& manifest);

// Asks those machines and writes down what they say: their agent, living or ended, or that there is none. Waits while
// another program is still starting the run. A machine that cannot be asked is an error. Does nothing for other runs.
Status closeStart(const std::filesystem::path& run, const HostAccess& access);

// Refuses to follow a run whose start was cut before all of its machines had an agent: it can only be ended.
Status requireWholeStart(const std::filesystem::path& run);

}  // namespace roadtune::remote
