// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/between_machines.h"

#include "remote/launch/check_step.h"
#include "remote/launch/data_agreement.h"
#include "remote/launch/link_matrix.h"
#include "remote/launch/reduce_matrix.h"

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
  if (request.hosts.empty() || request.paths.empty()) return checks;
  CheckStep step(progress, "data", 0, "machines");
  if (step.stopped()) return cancelled();
  add(judgeData(fingerprintsOn(request.hosts, request.paths, access), request.paths));
  return checks;
}

std::vector<std::string> reachedHosts(const std::vector<HostReport>& reports) {
  std::vector<std::string> hosts;
  for (const auto& report : reports)
    if (report.checks.front().verdict != Verdict::Bad) hosts.push_back(report.host);
  return hosts;
}

}  // namespace roadtune::remote
