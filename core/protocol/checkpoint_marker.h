// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"

#include <cstdint>
#include <string>
#include <vector>

namespace roadtune::protocol {

inline constexpr const char* kCompleteMarker = "COMPLETE";  // lies in a checkpoint when all of it is there

// A file that COMPLETE says a checkpoint consists of.
struct CheckpointFile {
  std::string name;  // below the checkpoint
  std::uint64_t bytes = 0;
  std::string sha256;
};

// The text of COMPLETE, and back. Names outside the checkpoint are refused; `where` is for messages.
std::string markerText(const std::vector<CheckpointFile>& files);
Result<std::vector<CheckpointFile>> readMarker(const std::string& text, const std::string& where);

// Is the file below `checkpoint` what COMPLETE says? Says in which way it is not.
Status verifyCheckpointFile(const fs::path& checkpoint, const CheckpointFile& file);

// A checkpoint whose files were gathered in `aside` takes its place: COMPLETE last, an incomplete one gives way.
Status adoptCheckpoint(const fs::path& aside, const fs::path& checkpoint, const std::string& marker);

}  // namespace roadtune::protocol
