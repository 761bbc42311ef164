// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/optim/flat_group.h"

#include "core/base/text.h"
#include "core/engine/nn/ops.h"
#include "core/engine/optim/halves.h"
#include "core/model/moments.h"
#include "core/model/narrow.h"

#include <map>
#include <utility>

namespace roadtune::engine {
namespace {

double rateFor(const LearningRates& rates, const model::Module& module) {
  if (module.learningRate) return *module.learningRate;
  if (module.kind == model::ModuleKind::Embedding) return rates.embedding.value_or(rates.language.value_or(rates.base));
  switch (module.part) {
    case model::Part::Vision: return rates.vision.value_or(rates.base);
    case model::Part::Projector: return rates.projector.value_or(rates.base);
    case model::Part::Text: return rates.language.value_or(rates.base);
  }
  return rates.base;
}

void fill(FlatGroup& group, const UpdateRule& rule, bool rounds, bool ofOneProduct) {
  std::int64_t total = 0;
  for (const auto* member : group.members) {
    group.offsets.push_back(total);
    group.begins.push_back(0);
    group.counts.push_back(member->value.numel());
    total += member->value.numel();
    if (rule.momentsInBytes) total = scalesFor(total) * model::kMomentBlock;
  }
  const auto options = group.members.front()->value.options().requires_grad(false);
  group.values = at::zeros({total}, options.dtype(rule.kept == Kept::Whole ? at::kFloat : at::kBFloat16));
  if (rule.kept == Kept::Halves) group.remainders = at::zeros({total}, options.dtype(at::kShort));
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    auto& value = group.members[i]->value;
    group.setValues(group.offsets[i], value.detach().flatten());
    value = group.slice(group.values, i).detach().requires_grad_(true);
    group.members[i]->narrow = rule.kept == Kept::Narrow;
  }
  // What was read is gone now, and does not lie beside what follows.
  group.fleeting = ofOneProduct && rule.kept != Kept::Whole;
  for (auto* member : group.members) member->fleeting = group.fleeting;
  if (group.fleeting)
    group.restartGradients();
  else
    group.gradients = at::zeros({total}, options.dtype(rule.kept == Kept::Narrow ? at::kBFloat16 : at::kFloat));
  for (std::size_t i = 0; i < group.members.size(); ++i) group.members[i]->value.mutable_grad() = group.gradient(i);
  group.firstMoment = Moment::zeros(total, rule.momentsInBytes, true, options.device());
  group.secondMoment = Moment::zeros(total, rule.momentsInBytes, false, options.device());
  if (!rounds) return;
  group.rounded = group.values.to(at::kBFloat16);
  for (std::size_t i = 0; i < group.members.size(); ++i) group.members[i]->rounded = group.slice(group.rounded, i);
}

}  // namespace

at::Tensor FlatGroup::slice(const at::Tensor& buffer, std::size_t member) const {
  const auto flat = buffer.narrow(0, offsets[member], counts[member]);
  return whole(member) ? flat.view(members[member]->value.sizes()) : flat;
}

at::Tensor FlatGroup::gradient(std::size_t member) const {
  return fleeting ? members[member]->value.grad() : slice(gradients, member);
}

at::Tensor FlatGroup::part(TrainedValues what, std::size_t member) const {
  const auto scalesOf = [&](const Moment& moment) {
    return moment.inBytes() ? moment.narrow(offsets[member], counts[member]).scales : at::Tensor();
  };
  switch (what) {
    case TrainedValues::Weights:
      if (inHalves()) return joined(slice(values, member).to(at::kCPU), slice(remainders, member).to(at::kCPU));
      return slice(values, member);
    case TrainedValues::FirstMoment: return slice(firstMoment.values, member);
    case TrainedValues::SecondMoment: return slice(secondMoment.values, member);
    case TrainedValues::FirstScales: return scalesOf(firstMoment);
    case TrainedValues::SecondScales: return scalesOf(secondMoment);
  }
  return {};
}

at::Tensor FlatGroup::exact(std::int64_t begin, std::int64_t count) const {
  const auto some = values.narrow(0, begin, count);
  return inHalves() ? joined(some, remainders.narrow(0, begin, count)) : some;
}

void FlatGroup::setValues(std::int64_t begin, const at::Tensor& exact) {
  const auto some = values.narrow(0, begin, exact.numel());
  if (inHalves())
    split(exact, some, remainders.narrow(0, begin, exact.numel()));
  else
    some.copy_(exact);
}

// What stands for a gradient that is to come has its shape, and cannot be written to.
void FlatGroup::dropGradients() {
  const auto none = at::empty({1}, values.options());
  for (auto* member : members) {
    member->value.mutable_grad() = none.expand(member->value.sizes());
    member->outdated = true;
    if (!member->inProducts) member->renewGradient();
  }
}

void FlatGroup::restartGradients() {
  if (fleeting) return dropGradients();
  std::int64_t zeroed = 0;
  const auto zeroUpTo = [&](std::int64_t end) {
    if (end > zeroed) gradients.narrow(0, zeroed, end - zeroed).zero_();
  };
  // On a GPU products write only what is computed in 16 bits (direct_gradient.h).
  if (!gradients.is_cpu() && !in16Bits() && !rounded.defined()) return zeroUpTo(gradients.numel());
  for (std::size_t i = 0; i < members.size(); ++i) {
    auto& member = *members[i];
    const auto& collected = member.value.grad();
    if (!member.inProducts || !collected.defined() || !collected.is_alias_of(gradients)) continue;
    zeroUpTo(offsets[i]);
    zeroed = offsets[i] + counts[i];
    member.outdated = true;
  }
  zeroUpTo(gradients.numel());
}

void FlatGroup::finishGradients() {
  for (auto* member : members) member->renewGradient();
}

void FlatGroup::round() {
  if (rounded.defined()) rounded.copy_(values);
}

bool decays(const model::ModuleTree& tree, const model::Tensor& tensor) {
  if (tree.moduleOf(tensor).kind == model::ModuleKind::LayerNorm) return false;
  const auto name = "." + lower(tensor.name) + ".";
  for (const char* word : {"bias", "layernorm", "rmsnorm", ".norm.", "_norm."})
    if (name.find(word) != std::string::npos) return false;
  return true;
}

UpdateRule updateRule(const LearningRates& rates, const model::ModuleTree& tree, const model::Tensor& tensor,
                      KeptSmall small) {
  const auto& module = tree.moduleOf(tensor);
  const bool second = tensor.role == model::TensorRole::LoraB || tensor.shape.size() == 1;  // as peft's LoRA+ has it
  const bool inBytes = small.moments && model::momentsInBytes(module, tensor);
  auto kept = Kept::Whole;
  if (model::mayBeNarrow(module, tensor)) kept = small.weights ? Kept::Narrow : small.halves ? Kept::Halves : kept;
  return {rateFor(rates, module) * (second ? rates.ofSecondMatrix : 1.0), decays(tree, tensor), inBytes, kept};
}

std::vector<FlatGroup> makeGroups(ParameterSet& parameters, const model::ModuleTree& tree, const LearningRates& rates,
                                  double weightDecay, at::ScalarType computeType, KeptSmall small) {
  const c10::NoGradGuard noGrad;
  std::map<std::pair<UpdateRule, bool>, std::size_t> known;  // rule, and whether there is a copy in 16 bits
  std::vector<FlatGroup> groups;
  for (const auto& tensor : tree.tensors) {
    auto* parameter = parameters.find(tensor.name);
    if (!parameter || !parameter->trainable) continue;
    const auto rule = updateRule(rates, tree, tensor, small);
    const bool rounds = rule.kept == Kept::Whole && computeType == at::kBFloat16 &&
                        parameter->computeType.value_or(computeType) == at::kBFloat16;
    const auto [place, fresh] = known.try_emplace({rule, rounds}, groups.size());
    if (fresh) groups.push_back({.learningRate = rule.learningRate, .weightDecay = rule.decays ? weightDecay : 0.0});
    groups[place->second].members.push_back(parameter);
  }
  for (const auto& [key, place] : known) fill(groups[place], key.first, key.second, small.ofOneProduct);
  return groups;
}

}  // namespace roadtune::engine
