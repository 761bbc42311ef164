// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/memory_plan.h"

#include <cstdint>

namespace roadtune::model {

// Bytes that autograd keeps between forward and backward, counted operator by operator as the engine runs them.
struct ActivationPlan {
  std::uint64_t visionBlock = 0, textBlock = 0;          // one block, nothing recomputed
  std::uint64_t vision = 0, text = 0;                    // all blocks, with checkpointing applied
  std::uint64_t visionTransient = 0, textTransient = 0;  // what one block's backward pass adds
  std::uint64_t lastTextBlock = 0;  // where it works on few rows: gone when the others' pass begins
  std::uint64_t ends = 0;           // patches, embedding, final norms, masks
  bool visionTrains = false;        // gradients reach into the tower
};

ActivationPlan planActivations(const ModuleTree& tree, const StepShape& step);

}  // namespace roadtune::model
