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

// How values that train are kept. In float32, with a copy in 16 bits where the model computes in those; the same in two
// halves, of which the upper one is what the model computes with; or in bfloat16 alone.
enum class Kept { Whole, Halves, Narrow };

// Parameters that are updated alike. Their values, gradients and moments each lie in one buffer. Where a rank holds
// everything, every parameter's `value` and gradient are views into it; where it holds a share, a member may be a part
// of its parameter: `counts` elements of the flattened parameter from `begins` on. With moments in bytes, members and
// their parts begin at whole blocks: it is of no matter for the result how many ranks share them.
struct FlatGroup {
  double learningRate = 0;  // base of the schedule
  double weightDecay = 0;
  std::vector<Parameter*> members = {};
  std::vector<std::int64_t> offsets = {}, begins = {}, counts = {};
  at::Tensor values = {}, gradients = {};  // in float32 or bfloat16, each; no gradients where they are fleeting
  at::Tensor remainders = {};              // the lower halves, where `values` are upper ones
  Moment firstMoment = {}, secondMoment = {};
  at::Tensor rounded = {};  // `values` in 16 bits, where the model computes in them; its members' `rounded` are views
  bool fleeting = false;    // members' gradients are their own, and there while they are needed (parameter.h)

  // At the beginning of a step. Gradients become zero, or outdated where a product will write them anew: all of them
  // are as large as the weights, and need not be gone over before they are there.
  void restartGradients();
  void finishGradients();  // once all passes are over: what none of them wrote is zero
  void round();            // after `values` changed
  at::Tensor slice(const at::Tensor& buffer, std::size_t member) const;  // in the member's shape; a part is flat
  at::Tensor gradient(std::size_t member) const;                         // the same of its gradient
  at::Tensor part(TrainedValues what, std::size_t member) const;         // undefined for scales of moments in float32
  at::Tensor exact(std::int64_t begin, std::int64_t count) const;        // values, joined where they are in halves
  void setValues(std::int64_t begin, const at::Tensor& exact);
  bool in16Bits() const { return values.scalar_type() == at::kBFloat16; }
  bool inHalves() const { return remainders.defined(); }
  bool whole(std::size_t member) const { return counts[member] == members[member]->value.numel(); }

 private:
  void dropGradients();
};

// How one tensor is updated: its rate before the schedule, and whether the reference decays it.
struct UpdateRule {
  double learningRate = 0;
  bool decays = false;
  bool momentsInBytes = false;
  Kept kept = Kept::Whole;
  auto operator<=>(const UpdateRule&) const = default;
};
// What of trained weights is smaller than float32, where model:: says that it may be.
struct KeptSmall {
  bool moments = false;
  bool weights = false;       // in bfloat16 alone, with their gradients
  bool halves = false;        // else: weights in two halves
  bool ofOneProduct = false;  // in a step one batch of one rank makes their gradients: in bfloat16, and fleeting
};
UpdateRule updateRule(const LearningRates& rates, const model::ModuleTree& tree, const model::Tensor& tensor,
                      KeptSmall small = {});

// Moves the trainable parameters into groups by decay (norms and biases have none) and learning rate of their part.
// Their values become leaves: in float32, or the bfloat16 ones that the model computes with.
std::vector<FlatGroup> makeGroups(ParameterSet& parameters, const model::ModuleTree& tree, const LearningRates& rates,
                                  double weightDecay, at::ScalarType computeType = at::kFloat, KeptSmall small = {});

// Does the reference decay this tensor?
bool decays(const model::ModuleTree& tree, const model::Tensor& tensor);

}  // namespace roadtune::engine
