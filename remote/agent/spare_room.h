// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <string_view>

namespace roadtune::remote {

// A little of the disk that is held while an agent lives and given up for its last word: how a run ended is to be
// written down even where the disk filled up. Best effort, as is all that is done on a full disk.
inline constexpr std::string_view kSpareRoomPrefix = ".spare-";
void holdSpareRoom(const std::filesystem::path& run, int node);
void giveUpSpareRoom(const std::filesystem::path& run, int node);

// What is told of a run whose end nobody could write.
inline constexpr std::string_view kDiskWasFull = "the disk of the run was full, and how it ended could not be written";

// Was the disk full when the agent of a node wrote last? From the space that it told, and a line that was cut short.
bool wasDiskFull(const std::filesystem::path& run, int node);

}  // namespace roadtune::remote
