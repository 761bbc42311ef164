// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"
#include "core/base/result.h"
#include "core/engine/checkpoint/writing_told.h"

#include <cstdint>

namespace roadtune::engine {

// Syncs every file of a finished folder and writes COMPLETE, which lists their sizes and SHA-256, last.
Status sealFolder(const fs::path& folder, const WritingTold& told = {});

std::uint64_t folderBytes(const fs::path& folder);

}  // namespace roadtune::engine
