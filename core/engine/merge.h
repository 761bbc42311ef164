// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"

#include <cstdint>
#include <filesystem>

namespace roadtune::engine {

struct MergeRequest {
  std::filesystem::path model;
  std::filesystem::path adapter;
  std::filesystem::path out;
  std::uint64_t maxShardBytes = 5'000'000'000;
};

// Writes the base model with the adapter folded into its weights (computed in float32, stored in the base's types):
// a checkpoint like any other. Returns the number of merged layers. Refuses to write into a folder that holds one;
// the folder appears when it is whole.
Result<std::int64_t> merge(const MergeRequest& request, ProgressSink& progress);

}  // namespace roadtune::engine
