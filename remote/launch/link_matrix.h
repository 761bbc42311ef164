// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "remote/launch/host_access.h"
#include "remote/launch/preflight.h"

#include <string>
#include <vector>

namespace roadtune::remote {

// One direction between two machines.
struct Link {
  std::string from, to;
  std::string error = {};  // empty when the port there could be reached
  double latencySeconds = 0, bytesPerSecond = 0;
};

// Every machine calls every other one on a port that is opened there for these seconds only, and answers who knows a
// secret only. n machines take n - 1 rounds of about a second, told as the stage "links". Our agent must have been
// brought there (checkHosts). A machine that cannot be asked has links that say why. Fails only when it is cancelled.
Result<std::vector<Link>> probeLinks(const std::vector<std::string>& hosts, const HostAccess& access,
                                     ProgressSink* progress = nullptr);

// "links": what all have in common, and one check for each that is not reached or far slower than the others. Pure.
std::vector<Check> judgeLinks(const std::vector<Link>& links);

}  // namespace roadtune::remote
