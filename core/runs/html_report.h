// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/runs/run_store.h"

#include <string>

namespace roadtune::runs {

// One page that needs nothing else: summary, verdicts, plots of every metric, phases, checkpoints, warnings, settings.
// Follows the reader's light or dark preference.
std::string toHtml(const RunStore& store);

}  // namespace roadtune::runs
