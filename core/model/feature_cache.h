// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/run_config.h"
#include "core/model/memory_plan.h"

#include <cstdint>
#include <optional>

namespace roadtune::model {

// cache_vision_features: what a frozen vision tower makes of a picture is kept.
std::uint64_t featureBytes(const PaliGemmaConfig& config, Dtype computeDtype);  // of one picture
std::uint64_t featureLimit(const config::RunConfig& run);                       // of all that is kept

// What each process keeps of them in the memory of its machine, with so many samples to train on; nothing where none
// are kept there. On a graphics card it takes no room.
std::optional<MemoryItem> takenByFeatures(const config::RunConfig& run, const PaliGemmaConfig& config,
                                          std::optional<std::uint64_t> samples);

}  // namespace roadtune::model
