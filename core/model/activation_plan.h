// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/memory_plan.h"

#include <cstdint>

namespace roadtune::model {

// Bytes that autograd keeps between forward and backward, counted operator by operator as the engine runs them.
struct ActivationPlan {
  struct Blocks {
    int count = 0;                // that gradients reach
    int again = 0;                // the first so many of them are computed again
    std::uint64_t one = 0;        // kept by the largest in full
    std::uint64_t all = 0;        // kept by all: in full, or what a second run needs
    std::uint64_t ofAgain = 0;    // the latter's share of it
    std::uint64_t transient = 0;  // what one block's backward pass adds
  };
  Blocks vision, text;
  std::uint64_t lastTextBlock = 0;  // where it works on few rows: gone when the others' pass begins
  std::uint64_t ends = 0;           // patches, embedding, final norms, masks
};

ActivationPlan planActivations(const ModuleTree& tree, const StepShape& step);

}  // namespace roadtune::model
