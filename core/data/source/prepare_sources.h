// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/run_config.h"
#include "core/data/source/sample_source.h"

#include <filesystem>
#include <functional>
#include <string>

namespace roadtune::data {

// How data comes here: each program has its own way.
struct SourceMeans {
  std::function<Result<std::string>(const std::string& url)> fetch;                        // a path of this machine
  std::function<Status(const SourceSpec& source, const std::filesystem::path& out)> read;  // into an index
};

// Does any of them lie in object storage?
bool readsStorage(const config::RunConfig& config);

// Fetches the sources of a run that lie in object storage, and imports those that are files of a dataset (COCO,
// Parquet, TFRecord) into indexes in `folder`, the run's for prepared data, where its ranks look for them. What is
// there already and unchanged stays. `onHosts`: the ranks run elsewhere, where such an index would not be; sources
// that need one are refused then.
Status prepareSources(const config::RunConfig& config, const std::filesystem::path& folder, bool onHosts,
                      const SourceMeans& means);

}  // namespace roadtune::data
