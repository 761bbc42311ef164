// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/run_config.h"

#include <string>
#include <vector>

namespace roadtune::config {

struct Difference {
  std::string key;
  Value first, second;
};

// Keys whose values differ, in the order of the schema.
std::vector<Difference> differences(const RunConfig& first, const RunConfig& second);

}  // namespace roadtune::config
