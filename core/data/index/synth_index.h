// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>

namespace roadtune::data {

// An index of recordings that never were, as large as asked for: columns only, no pictures. For budgets.
struct SynthIndexOptions {
  std::filesystem::path out;
  std::uint64_t images = 990'000, boxes = 12'000'000;  // of all segments; exactly so many are made
  std::uint64_t seed = 1;
  int jobs = 0;
};

struct SynthIndexOutcome {
  std::uint64_t segments = 0, images = 0, boxes = 0;
};

// Segments of 198 frames with five cameras; classes, sizes, difficulty, times and places in about the shares of the
// Waymo Open Dataset. Equal options give equal columns.
Result<SynthIndexOutcome> writeSynthIndex(const SynthIndexOptions& options, ProgressSink& progress);

}  // namespace roadtune::data
