// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/source/sample_source.h"

#include <filesystem>
#include <map>
#include <string>

namespace roadtune::data {

// Where the sources of a run lie here that its configuration names by s3:// or gs://: fetched.json in the folder of
// prepared data, written by who starts the run, read by its ranks.
using FetchedSources = std::map<std::string, std::string>;  // URL -> path

FetchedSources readFetched(const std::filesystem::path& prepared);
Status writeFetched(const std::filesystem::path& prepared, const FetchedSources& sources);

// The same source with paths of this machine. Paths stay as they are; a URL that was not fetched is an error.
Result<SourceSpec> withFetchedPaths(SourceSpec spec);

}  // namespace roadtune::data
