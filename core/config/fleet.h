// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace roadtune::config {

// The machines of a fleet file, in order: a YAML list of hosts, or a map with a list under `hosts`. An entry is a name
// as ssh takes it, or a map with `host` and, optionally, `user` and `port`.
Result<std::vector<std::string>> readFleet(const std::filesystem::path& file);

}  // namespace roadtune::config
