// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/loop/settings.h"
#include "core/engine/nn/parameter.h"
#include "core/model/module_tree.h"

#include <vector>

namespace roadtune::engine {

// Parameters that are updated alike. Their float32 values, gradients and moments each lie in one buffer. Where a rank
// holds everything, every parameter's `value` and gradient are views into it; where it holds a share, a member may be
// a part of its parameter: `counts` elements of the flattened parameter from `begins` on.
struct FlatGroup {
  double learningRate = 0;  // base of the schedule
  double weightDecay = 0;
  std::vector<Parameter*> members = {};
  std::vector<std::int64_t> offsets = {}, begins = {}, counts = {};
  at::Tensor values = {}, gradients = {}, firstMoment = {}, secondMoment = {};
  at::Tensor rounded = {};  // `values` in 16 bits, where the model computes in them; its members' `rounded` are views

  void round();                                                          // after `values` changed
  at::Tensor slice(const at::Tensor& buffer, std::size_t member) const;  // in the member's shape; a part is flat
  bool whole(std::size_t member) const { return counts[member] == members[member]->value.numel(); }
};

// How one tensor is updated: its rate before the schedule, and whether the reference decays it.
struct UpdateRule {
  double learningRate = 0;
  bool decays = false;
  auto operator<=>(const UpdateRule&) const = default;
};
UpdateRule updateRule(const LearningRates& rates, const model::ModuleTree& tree, const model::Tensor& tensor);

// Moves the trainable parameters into groups by decay (norms and biases have none) and learning rate of their part.
// Their values become float32 leaves, with copies beside them where the model computes in bfloat16.
std::vector<FlatGroup> makeGroups(ParameterSet& parameters, const model::ModuleTree& tree, const LearningRates& rates,
                                  double weightDecay, at::ScalarType computeType = at::kFloat);

// Does the reference decay this tensor?
bool decays(const model::ModuleTree& tree, const model::Tensor& tensor);

}  // namespace roadtune::engine
