// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::cli {

// A file that COMPLETE says a checkpoint consists of.
struct CheckpointFile {
  std::string name;
  std::uint64_t bytes = 0;
  std::string sha256;
};

// Reads the text of COMPLETE; refuses names outside the checkpoint. `where` is for messages.
Result<std::vector<CheckpointFile>> filesOfMarker(const std::string& marker, const std::string& where);

// Is the file what COMPLETE says it is?
Status verifyCheckpointFile(const std::filesystem::path& path, const CheckpointFile& file);

// "checkpoint-40" -> 40.
std::optional<std::int64_t> stepOfCheckpoint(const std::string& name);

}  // namespace roadtune::cli
