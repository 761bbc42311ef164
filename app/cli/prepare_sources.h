// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/config/run_config.h"

#include <filesystem>

namespace roadtune::cli {

// Fetches the sources of a run that lie in object storage, and imports those that are files of a dataset (COCO,
// Parquet, TFRecord) into indexes below the run's folder, where its ranks look for them. What is there already and
// unchanged stays. `onHosts`: the ranks run elsewhere, where such an index would not be; sources that need one are
// refused then.
Status prepareSources(const config::RunConfig& config, const std::filesystem::path& run, bool onHosts,
                      ProgressSink& progress);

}  // namespace roadtune::cli
