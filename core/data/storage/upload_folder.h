// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/data/storage/storage.h"

#include <filesystem>
#include <set>
#include <string>

namespace roadtune::data {

// Uploads every file below a folder, `jobs` at a time, and those in `last` (names below the folder) when all others are
// there: whoever finds them finds the rest.
Status uploadFolder(const Storage& storage, const std::filesystem::path& folder, const Location& target,
                    const std::set<std::string>& last, int jobs, ProgressSink& progress);

}  // namespace roadtune::data
