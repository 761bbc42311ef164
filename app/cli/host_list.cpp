// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/host_list.h"

#include "core/base/text.h"
#include "core/config/fleet.h"
#include "remote/ssh/ssh_target.h"

#include <algorithm>

namespace roadtune::cli {

void addHostOptions(CLI::App& app, HostList& list) {
  // An empty word, from a variable that is not set, must not stand for this machine.
  const auto given = [](const std::string& word) { return std::string(trim(word).empty() ? "names no machine" : ""); };
  app.add_option("--hosts", list.hosts, "machines, separated by commas (default: this one)")->check(given);
  app.add_option("--fleet", list.fleet, "a file that lists machines")->check(given);
  addTrustOption(app, list.trusted);
}

void addTrustOption(CLI::App& app, std::vector<std::string>& trusted) {
  app.add_option("--trust-host-key", trusted, "fingerprint (SHA256:...) of a host key not known yet; may be repeated")
      ->allow_extra_args(false);
}

namespace {

// A slip in a name is wrong input, not a machine that cannot be reached.
Result<std::vector<std::string>> wellFormed(std::vector<std::string> hosts) {
  for (const auto& host : hosts)
    if (const auto target = remote::parseSshTarget(host); !target.ok()) return target.error();
  return hosts;
}

}  // namespace

Result<std::vector<std::string>> readHosts(const HostList& list, const std::string& command) {
  if (!list.fleet.empty() && !list.hosts.empty())
    return badInput("exclude each other", "--hosts and --fleet", command + " --hosts a,b");
  std::vector<std::string> hosts;
  if (!list.fleet.empty()) {
    ROADTUNE_TRY(hosts, config::readFleet(list.fleet));
  }
  for (const auto& name : split(list.hosts, ','))
    if (const auto host = trim(name); !host.empty()) hosts.emplace_back(host);
  for (const auto& host : hosts)
    if (std::count(hosts.begin(), hosts.end(), host) > 1)
      return badInput("'" + host + "' is named twice", "--hosts", "name each machine once; --nproc-per-node for ranks");
  if (!list.hosts.empty() && hosts.empty()) return badInput("names no machine: '" + list.hosts + "'", "--hosts");
  return wellFormed(config::otherMachines(std::move(hosts)));
}

std::vector<std::string> overridesForHere(const HostList& list) {
  if (trim(list.hosts) != config::kThisMachine) return {};
  return {"hosts=[]", "fleet="};
}

Result<std::vector<std::string>> readHosts(const HostList& list, const std::string& command,
                                           const config::RunConfig& config) {
  if (list.named()) return readHosts(list, command);
  ROADTUNE_TRY(std::vector<std::string> hosts, config::machinesOf(config));
  return wellFormed(std::move(hosts));
}

}  // namespace roadtune::cli
