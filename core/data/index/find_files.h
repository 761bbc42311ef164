// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace roadtune::data {

// The regular files at `path` (itself, or below it to any depth) whose lower-case name passes; sorted. Symbolic links
// to folders are followed unless they lead back up; hidden folders, our own index folders and runs are not entered. An
// unreadable folder is passed over.
std::vector<std::filesystem::path> findFiles(const std::filesystem::path& path,
                                             const std::function<bool(const std::string& name)>& wanted);

// What findFiles() passes over there without a word, and why: folders that cannot be listed, links that lead nowhere.
// Not of pictures, which are missed by who names them.
std::vector<std::pair<std::filesystem::path, std::string>> findUnreadable(const std::filesystem::path& folder);

// At most so many bytes from the beginning of a file, to see what it is; none where it cannot be read.
std::string firstBytes(const std::filesystem::path& file, std::size_t wanted);

bool isImageName(const std::string& lowerName);  // .jpg .jpeg .png .webp

}  // namespace roadtune::data
