// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/runs/run_store.h"

#include <string>

namespace roadtune::cli {

// A run, read to its end. badInput when the folder is missing or holds no run.
Result<runs::RunStore> openRun(const std::string& folder);

}  // namespace roadtune::cli
