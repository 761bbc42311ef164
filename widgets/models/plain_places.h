// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/runs/run_facts.h"

#include <string>
#include <vector>

namespace roadtune::widgets {

// A sentence about a run as people say it: "rank 3" is "process 4", "gpu/0" is "GPU 0", and where a run has several
// machines their names come with both. Processes count from one, as where the end of a run is told.
std::string plainPlaces(const std::string& told, const std::vector<runs::ProcessInfo>& processes);

}  // namespace roadtune::widgets
