// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/run_files.h"

#include <algorithm>
#include <array>

namespace roadtune::config {

bool isRunFile(std::string_view name) {
  constexpr std::array<std::string_view, 14> kNames{
      "run.yaml",    "manifest.json", "events",           "logs",   "logs.1", "runs",    "provenance",
      "predictions", "control",       "all_results.json", "ledger", "best",   "profile", "exchanges"};
  constexpr std::string_view kCheckpoint = "checkpoint-";
  if (name.starts_with(kCheckpoint)) {  // and digits alone: checkpoint-2024_06_01 is somebody's own
    name.remove_prefix(kCheckpoint.size());
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
  }
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

}  // namespace roadtune::config
