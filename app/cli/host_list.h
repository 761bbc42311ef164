// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/command.h"
#include "core/base/result.h"
#include "core/config/run_config.h"

#include <string>
#include <vector>

namespace roadtune::cli {

// The options by which every command names other machines.
struct HostList {
  std::string hosts, fleet;
  std::vector<std::string> trusted;  // fingerprints
  bool named() const { return !hosts.empty() || !fleet.empty(); }
};

void addHostOptions(CLI::App& app, HostList& list);
void addTrustOption(CLI::App& app, std::vector<std::string>& trusted);

// The machines in order; none for this machine ("localhost" alone means the same).
Result<std::vector<std::string>> readHosts(const HostList& list, const std::string& command);

// What the configuration says of machines, taken back where the command line names this one.
std::vector<std::string> overridesForHere(const HostList& list);

// The same; where the command line names none, the machines of the configuration, by its `hosts` or its `fleet`.
Result<std::vector<std::string>> readHosts(const HostList& list, const std::string& command,
                                           const config::RunConfig& config);

}  // namespace roadtune::cli
