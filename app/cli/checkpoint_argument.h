// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <string>
#include <vector>

namespace roadtune::cli {

// Commands take a run's checkpoint by its path even when it lies on another machine, and a run's folder for its newest
// one: after --adapter, --model and --adapter=..., such a path is replaced by the checkpoint's folder here, which is
// fetched first when it must be. Other arguments stay as they are.
Result<std::vector<std::string>> withCheckpointsHere(std::vector<std::string> arguments);

}  // namespace roadtune::cli
