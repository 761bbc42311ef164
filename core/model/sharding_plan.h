// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/memory_plan.h"

#include <cstdint>

namespace roadtune::model {

// Bytes that a rank holds beyond its share while weights are shared out by block: what is outside the blocks stays
// whole for a pass; of the blocks, the one in work and the one that is fetched meanwhile are whole, and the gradients
// of one are on their way to their owners.
struct ShardingPlan {
  std::uint64_t ends = 0, block = 0;                    // gathered weights: outside the blocks, and of the largest one
  std::uint64_t endsGradients = 0, blockGradients = 0;  // whole gradients of the same
  std::uint64_t waiting = 0;                            // blocks that stay gathered for the backward pass

  std::uint64_t duringBackward() const {
    return ends + endsGradients + (waiting > 0 ? waiting : 2 * block + transport()) + 2 * blockGradients;
  }
  std::uint64_t atItsEnd() const { return ends + 2 * endsGradients; }  // gradients, and those that come in
  std::uint64_t transport() const { return block; }                    // the copy that the network writes into
};

// Nothing when nothing is shared out.
ShardingPlan planSharding(const ModuleTree& tree, const StepShape& step);

}  // namespace roadtune::model
