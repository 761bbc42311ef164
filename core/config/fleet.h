// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/config/run_config.h"

#include <filesystem>
#include <string>
#include <vector>

namespace roadtune::config {

// The machines of a fleet file, in order: a YAML list of hosts, or a map with a list under `hosts`. An entry is a name
// as ssh takes it, or a map with `host` and, optionally, `user` and `port`.
Result<std::vector<std::string>> readFleet(const std::filesystem::path& file);

constexpr const char* kThisMachine = "localhost";

// Machines as they were named; none where that is this one alone.
std::vector<std::string> otherMachines(std::vector<std::string> named);

// Those of a configuration, by its `fleet` or its `hosts`.
Result<std::vector<std::string>> machinesOf(const RunConfig& config);

}  // namespace roadtune::config
