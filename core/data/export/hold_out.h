// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace roadtune::data {

// Holds out `share` of the recordings, or of the pictures that belong to none, drawn by name and seed, so that frames
// of one drive never lie on both sides. At least one when the share is above 0 and there are two; a new one does not
// move the others by more than the rounding. Answers (kept, held out) images, each in order.
std::pair<std::vector<ImageId>, std::vector<ImageId>> holdOutGroups(const Index& index,
                                                                    const std::vector<ImageId>& images, double share,
                                                                    std::uint64_t seed);

}  // namespace roadtune::data
