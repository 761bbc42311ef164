// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/source/sample_source.h"

#include <filesystem>
#include <optional>

namespace roadtune::data {

// Data that is trained on by way of an index although the configuration names the files themselves: COCO files,
// Parquet, TFRecord, and every folder. False for indexes and JSONL, which are read as they are, and for what is not
// there.
bool needsImport(const std::filesystem::path& path);

// The folder below SourceSpec::prepared that holds, or is to hold, the index of such data. None when nothing is needed
// or no place was given. Equal on every machine for equal paths.
std::optional<std::filesystem::path> preparedIndex(const SourceSpec& spec);

}  // namespace roadtune::data
