// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "remote/launch/host_access.h"
#include "remote/launch/preflight.h"
#include "remote/launch/run_inputs.h"

#include <string>
#include <vector>

namespace roadtune::remote {

struct BetweenRequest {
  std::vector<std::string> hosts;       // that answered checkHosts()
  std::vector<std::string> paths = {};  // of a run: must hold the same everywhere
  bool links = true;
  std::vector<InputGroup> inputs = {};  // instead of `paths`, with the files of each that training reads
};

// What shows only between machines, each step named while it runs ("links", "sum over pairs", "data"): the network
// between every two of them, a sum over all, and that they hold the same data. Fails only when it is cancelled.
Result<std::vector<Check>> checkBetween(const BetweenRequest& request, const HostAccess& access,
                                        ProgressSink* progress = nullptr);

// Those that could be asked.
std::vector<std::string> reachedHosts(const std::vector<HostReport>& reports);

}  // namespace roadtune::remote
