// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace roadtune::remote {

// The last non-empty lines of a log, the oldest first, without terminal escapes and cut to 300 characters. Progress
// bars that rewrite their line with carriage returns count as their last state. What lies before byte `from` was
// written by an earlier process and does not count. Empty when there is no such file.
std::vector<std::string> lastLines(const std::filesystem::path& log, std::size_t count, std::uintmax_t from = 0);

}  // namespace roadtune::remote
