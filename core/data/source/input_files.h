// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/source/sample_source.h"

#include <filesystem>
#include <vector>

namespace roadtune::data {

// Every file that training on a source reads: what the configuration names, the pictures that JSON lines or a COCO file
// name, the recordings an index was made from. Absolute, sorted, each once. A picture that is not there is left out:
// training tells of it. Fails when the source itself is not there.
Result<std::vector<std::filesystem::path>> inputFiles(const SourceSpec& spec);

// The files of a model's or a tokenizer's folder that training reads.
Result<std::vector<std::filesystem::path>> modelFiles(const std::filesystem::path& folder);

}  // namespace roadtune::data
