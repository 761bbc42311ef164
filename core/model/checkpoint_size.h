// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/run_config.h"
#include "core/model/module_tree.h"

#include <cstdint>

namespace roadtune::model {

// What one checkpoint of a run takes on disk: adapters and what else is trained, or the whole model
// where there are none; with what an exact resume needs, unless save_only_model.
struct CheckpointContent {
  bool state = true;             // weights in float32, and moments
  bool eightBitMoments = false;  // of AdamW
  bool pureBf16 = false;         // no float32 values of what is written in 16 bits
};
CheckpointContent checkpointContent(const config::RunConfig& run);
std::uint64_t checkpointBytes(const ModuleTree& tree, const CheckpointContent& content);

}  // namespace roadtune::model
