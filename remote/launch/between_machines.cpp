// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/between_machines.h"

#include "remote/launch/check_step.h"
#include "remote/launch/data_agreement.h"
#include "remote/launch/link_matrix.h"
#include "remote/launch/reduce_matrix.h"

#include <algorithm>

namespace roadtune::remote {

Result<std::vector<Check>> checkBetween(const BetweenRequest& request, const HostAccess& access,
                                        ProgressSink* progress) {
  std::vector<Check> checks;
  const auto add = [&](const std::vector<Check>& more) { checks.insert(checks.end(), more.begin(), more.end()); };
  if (request.hosts.size() > 1 && request.links) {
    const HostAccess shared = access.shared();
    ROADTUNE_TRY(const auto links, probeLinks(request.hosts, shared, progress));
    add(judgeLinks(links));
    ROADTUNE_TRY(const auto reduced, checkReduce(request.hosts, shared, progress));
    add(reduced);
  }
  std::vector<InputGroup> inputs = request.inputs;
  if (inputs.empty())
    for (const auto& path : request.paths) inputs.push_back({path});
  if (request.hosts.empty() || inputs.empty()) return checks;
  CheckStep step(progress, "data", 0, "machines");
  if (step.stopped()) return cancelled();
  std::vector<std::string> paths;
  for (const auto& group : inputs)
    if (std::find(paths.begin(), paths.end(), group.root) == paths.end()) paths.push_back(group.root);
  add(judgeData(fingerprintsOn(request.hosts, inputs, access), paths));
  return checks;
}

std::vector<std::string> reachedHosts(const std::vector<HostReport>& reports) {
  std::vector<std::string> hosts;
  for (const auto& report : reports)
    if (report.checks.front().verdict != Verdict::Bad) hosts.push_back(report.host);
  return hosts;
}

}  // namespace roadtune::remote
