// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/run_config.h"

#include <filesystem>

namespace roadtune::remote {

// Starts the process that copies a run's checkpoints away when its configuration says mirror_checkpoints_to. It belongs
// to nobody and ends after the run. That it cannot start is told in the run's events and is no reason not to train.
void startMirror(const std::filesystem::path& run, const config::RunConfig& config);

}  // namespace roadtune::remote
