// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/command.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/data/storage/storage.h"

#include <filesystem>
#include <string>
#include <vector>

namespace roadtune::cli {

// The options of every command that reads from s3:// and gs://.
struct StorageOptions {
  std::string cache;  // empty: the user's cache folder
  int parallel = 4;
  std::filesystem::path cacheFolder() const;
};

void addStorageOptions(CLI::App& app, StorageOptions& options);

// A source as a path of this machine: what s3:// and gs:// name is fetched into the cache, after its size was told on
// stderr; paths stay as they are.
Result<std::string> sourceHere(const std::string& source, const StorageOptions& options, ProgressSink& progress);
Result<std::vector<std::string>> sourcesHere(const std::vector<std::string>& sources, const StorageOptions& options,
                                             ProgressSink& progress);

}  // namespace roadtune::cli
