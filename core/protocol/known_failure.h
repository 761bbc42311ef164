// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace roadtune::protocol {

// What the last words of a process usually mean, and which setting to change.
struct KnownFailure {
  std::string id;  // for machines: out-of-gpu-memory, nccl-timeout, ...
  std::string title, line, advice;
  bool transient = false;    // may pass by itself: worth starting again
  bool consequence = false;  // of another rank's end; the cause is told by that rank
};

// An explanation for the last lines of a log: known signatures, the most telling first.
std::optional<KnownFailure> explainLog(const std::vector<std::string>& lines);

}  // namespace roadtune::protocol
