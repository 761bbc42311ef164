// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/data/index/index.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace roadtune::data {

// Pictures that look alike, whatever their file says. The first of a group stands for it.
struct NearDuplicates {
  std::size_t images = 0, unreadable = 0;
  std::size_t redundant = 0;                            // pictures that another one stands for
  std::vector<std::pair<ImageId, std::size_t>> groups;  // first picture and size, of more than one; largest first
};

// Groups hashes: one belongs to the first earlier group whose first member differs in at most `distance` (0..15) bits.
// Answers for each hash the position of that member (its own when it starts a group). Hashes that are not there belong
// to nobody.
std::vector<std::size_t> groupHashes(const std::vector<std::optional<std::uint64_t>>& hashes, int distance);

// Reads and hashes every picture on `jobs` threads (0: one per processor).
Result<NearDuplicates> findNearDuplicates(const Index& index, int distance, int jobs, ProgressSink& progress);

}  // namespace roadtune::data
