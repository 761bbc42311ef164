// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace roadtune::remote {

// How a rank said goodbye in its own event file.
struct LastWord {
  std::string reason;  // finished | stopped | failed | diverged
  std::string message;
};

// Nothing when the file does not end with a `bye`: the rank was killed, or is a stranger that writes no events.
// What lies before `begin` was said in an earlier life.
std::optional<LastWord> lastWord(const std::filesystem::path& rankEvents, std::uintmax_t begin = 0);

}  // namespace roadtune::remote
