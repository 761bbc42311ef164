// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "remote/launch/host_access.h"
#include "remote/launch/preflight.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace roadtune::remote {

// A short all-reduce by one trainer on every machine, two by two and all together, over the interface and the libraries
// that a run would use. Machines that have no trainer yet are named, and nothing is measured then: nothing is copied
// for a check. Takes seconds, also when machines do not reach each other; told as the stage "sum over pairs". Over NCCL
// where every machine has a card that can, else over Gloo with the reason. Fails only when it is cancelled.
Result<std::vector<Check>> checkReduce(const std::vector<std::string>& hosts, const HostAccess& access,
                                       ProgressSink* progress = nullptr);

// What the ranks told, in the order of the hosts; null where one told nothing, for the reason in `errors`. Pure.
std::vector<Check> judgeReduce(const std::vector<std::string>& hosts, const std::vector<nlohmann::json>& told,
                               const std::vector<std::string>& errors);

}  // namespace roadtune::remote
