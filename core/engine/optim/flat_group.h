// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/loop/settings.h"
#include "core/engine/nn/parameter.h"
#include "core/engine/optim/moment.h"
#include "core/model/module_tree.h"

#include <vector>

namespace roadtune::engine {

// What is kept of everything that trains. Scales are those of moments in bytes.
enum class TrainedValues { Weights, FirstMoment, SecondMoment, FirstScales, SecondScales };

// Parameters that are updated alike. Their values, gradients and moments each lie in one buffer: in float32, or those
// of narrow weights in bfloat16 but for the moments. Where a rank holds everything, every parameter's `value` and
// gradient are views into it; where it holds a share, a member may be a part of its parameter: `counts` elements of the
// flattened parameter from `begins` on. With moments in bytes, members and their parts begin at whole blocks: it is of
// no matter for the result how many ranks share them.
struct FlatGroup {
  double learningRate = 0;  // base of the schedule
  double weightDecay = 0;
  std::vector<Parameter*> members = {};
  std::vector<std::int64_t> offsets = {}, begins = {}, counts = {};
  at::Tensor values = {}, gradients = {};
  Moment firstMoment = {}, secondMoment = {};
  at::Tensor rounded = {};  // `values` in 16 bits, where the model computes in them; its members' `rounded` are views

  // At the beginning of a step. Gradients become zero, or outdated where a product will write them anew: all of them
  // are as large as the weights, and need not be gone over before they are there.
  void restartGradients();
  void finishGradients();  // once all passes are over: what none of them wrote is zero
  void round();            // after `values` changed
  at::Tensor slice(const at::Tensor& buffer, std::size_t member) const;  // in the member's shape; a part is flat
  at::Tensor part(TrainedValues what, std::size_t member) const;         // undefined for scales of moments in float32
  bool narrow() const { return values.scalar_type() == at::kBFloat16; }
  bool whole(std::size_t member) const { return counts[member] == members[member]->value.numel(); }
};

// How one tensor is updated: its rate before the schedule, and whether the reference decays it.
struct UpdateRule {
  double learningRate = 0;
  bool decays = false;
  bool momentsInBytes = false;
  bool narrow = false;  // kept in bfloat16 alone
  auto operator<=>(const UpdateRule&) const = default;
};
// What of trained weights is asked to be smaller than float32, where model:: says that it may be.
struct KeptSmall {
  bool moments = false, weights = false;
};
UpdateRule updateRule(const LearningRates& rates, const model::ModuleTree& tree, const model::Tensor& tensor,
                      KeptSmall small = {});

// Moves the trainable parameters into groups by decay (norms and biases have none) and learning rate of their part.
// Their values become float32 leaves, with copies beside them where the model computes in bfloat16, or leaves in
// bfloat16 with nothing beside them.
std::vector<FlatGroup> makeGroups(ParameterSet& parameters, const model::ModuleTree& tree, const LearningRates& rates,
                                  double weightDecay, at::ScalarType computeType = at::kFloat, KeptSmall small = {});

// Does the reference decay this tensor?
bool decays(const model::ModuleTree& tree, const model::Tensor& tensor);

}  // namespace roadtune::engine
