// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/module_tree.h"

#include <cstdint>

namespace roadtune::model {

// What passes through the network in a step.
struct StepLoad {
  std::int64_t samples = 0, tokens = 0, targets = 0;  // tokens with those of the pictures; targets need logits
  std::int64_t asked = 0;                             // tokens that the last block works on; 0: all
  bool visionKept = false;                            // the vision tower's output is known and not computed again
};

// Floating point operations of the matrix products that a training step needs: forward; back to the lowest module that
// trains; and the gradients of what trains. Attention scores are left out (about a hundredth at these lengths), and so
// is what checkpointing computes a second time: it is no use.
double stepFlops(const ModuleTree& tree, const StepLoad& load);

}  // namespace roadtune::model
