// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/config/run_config.h"

#include <filesystem>

namespace roadtune::cli {

// data::prepareSources for the run in `run`, fetching and reading in this process.
Status prepareSources(const config::RunConfig& config, const std::filesystem::path& run, bool onHosts,
                      ProgressSink& progress);

}  // namespace roadtune::cli
