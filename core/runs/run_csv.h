// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/runs/run_store.h"

#include <string>

namespace roadtune::runs {

// One row per step: step, time, and a column for each metric that is logged by step, in alphabetical order. Every
// point is there, in full precision; an empty cell is a step at which the metric was not logged; nan, inf and -inf are
// written out. Samples by time (system, gpu) have no step and are left out: the JSON export holds them.
std::string toCsv(const RunStore& store);

}  // namespace roadtune::runs
