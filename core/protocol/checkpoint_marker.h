// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"

#include <cstdint>
#include <functional>
#include <map>
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

// Sizes are there in no time and tell what was cut off; the content of a large checkpoint takes a while to read.
enum class Compare { Sizes, Content };

// Is the file below `checkpoint` what COMPLETE says? Says in which way it is not: what is damaged is bad input.
Status verifyCheckpointFile(const fs::path& checkpoint, const CheckpointFile& file, Compare compare);

// Is COMPLETE there, and every file what it says? Says in which way it is not.
Status verifyCheckpoint(const fs::path& checkpoint, Compare compare);

// What is wrong with the files that COMPLETE lists, when these are the sizes on disk; empty for nothing.
std::string damageBySize(const std::vector<CheckpointFile>& files, const std::map<std::string, std::uint64_t>& sizes);

// "checkpoint-8" -> "checkpoint-8.damaged", or with a number where that is taken: no run looks for it there.
std::string damagedName(const std::string& checkpoint, const std::function<bool(const std::string&)>& taken);

// Gives the checkpoint such a name, and returns it.
Result<std::string> setAsideDamaged(const fs::path& checkpoint);

// A checkpoint whose files were gathered in `aside` takes its place: COMPLETE last; what was there gives way then.
Status adoptCheckpoint(const fs::path& aside, const fs::path& checkpoint, const std::string& marker);

}  // namespace roadtune::protocol
