// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "remote/agent/machine_facts.h"
#include "remote/launch/host_access.h"
#include "remote/launch/preflight.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace roadtune::remote {

struct CheckedHost {
  HostReport report;
  nlohmann::json facts;  // null when the host could not be asked
};

// Asks all hosts at once, one connection each. Our agent is copied there when it is not there yet, and looks around.
// An empty folder is where runs go over there, ~/.roadtune/runs.
// A host that cannot be reached has one check, "reach", that says why. Questions to the user come one at a time.
std::vector<CheckedHost> checkHosts(const std::vector<std::string>& hosts, const HostAccess& access,
                                    const std::string& folder, const PreflightLimits& limits);

// The same for this machine, with the trainer that lies beside this program: is it complete, which torch does it load?
CheckedHost checkHere(const std::string& folder, const PreflightLimits& limits, DiskProbe probe = DiskProbe::Write);

// Our agent on a machine as a tool of preflight, brought there when it is not there yet. Returns its path.
Result<std::string> toolThere(Session& session, ProgressSink* progress = nullptr);

}  // namespace roadtune::remote
