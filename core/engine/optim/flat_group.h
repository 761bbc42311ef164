// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/loop/settings.h"
#include "core/engine/nn/parameter.h"
#include "core/model/module_tree.h"

#include <vector>

namespace roadtune::engine {

// Parameters that are updated alike. Their float32 values, gradients and moments each lie in one buffer; every
// parameter's `value` and gradient are views into it.
struct FlatGroup {
  double learningRate = 0;  // base of the schedule
  double weightDecay = 0;
  std::vector<Parameter*> members;
  std::vector<std::int64_t> offsets;
  at::Tensor values, gradients, firstMoment, secondMoment;

  at::Tensor slice(const at::Tensor& buffer, std::size_t member) const;  // in the member's shape
};

// Moves the trainable parameters into groups by decay (norms and biases have none) and learning rate of their part.
// Their values become float32 leaves.
std::vector<FlatGroup> makeGroups(ParameterSet& parameters, const model::ModuleTree& tree, const LearningRates& rates,
                                  double weightDecay);

// Does the reference decay this tensor?
bool decays(const model::ModuleTree& tree, const model::Tensor& tensor);

}  // namespace roadtune::engine
