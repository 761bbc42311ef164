// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/receipt.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/engine/lora/adapter.h"
#include "core/engine/nn/ops.h"

#include <ATen/ops/stack.h>

#include <algorithm>
#include <utility>

namespace roadtune::engine {
namespace {

// A sum over the squared bits of values: whether they changed, without a copy of what they were. Steps of one
// size up and down leave a plain sum as it is. Made where they are, in parts, since each is widened.
at::Tensor sumOfBits(const at::Tensor& values) {
  const auto part = std::clamp<std::int64_t>(values.numel() / 8, 1 << 18, 1 << 22);
  const auto bits = values.flatten().view(values.element_size() == 4 ? at::kInt : at::kShort);
  auto sum = at::zeros({}, bits.options().dtype(at::kLong));
  for (const auto& some : bits.split(part)) sum += some.to(at::kLong).square_().sum();
  return sum;
}

// Whether a step of that rate is seen in float32, where a small one is rounded away beside large values, or in 16 bits,
// where chance lets some of many through.
bool wouldShow(const at::Tensor& values, const at::Tensor& gradients, double rate, bool exact) {
  constexpr double kSeen = 1e-5, kSteps = 256, kSurelyOne = 100;  // of a value in its own 16 bits; changes expected
  if (rate == 0 || values.numel() == 0) return rate == 0;
  if (exact) return rate >= kSeen * values.abs().min().item<double>();
  const auto chances = values.abs().to(at::kFloat).reciprocal_().mul_(rate * kSteps).clamp_max_(1);
  return chances.mul_(gradients.ne(0)).sum().item<double>() >= kSurelyOne;
}

// One answer of the device for all of them.
std::vector<std::int64_t> numbersOf(const std::vector<at::Tensor>& scalars) {
  if (scalars.empty()) return {};
  const auto all = at::stack(scalars).to(at::kCPU, at::kLong);
  return {all.const_data_ptr<std::int64_t>(), all.const_data_ptr<std::int64_t>() + all.numel()};
}

// Tensors whose gradient is nothing at first, by mathematics: A while B is zero, and key biases, which softmax cancels.
bool mayStandStill(const model::ModuleTree& tree, const model::Tensor& tensor, const ModelState& model) {
  if (endsWith(tensor.name, "k_proj.bias")) return true;
  if (tensor.role != model::TensorRole::LoraA) return false;
  const auto* linear = model.network->linear(tree.moduleOf(tensor).path);
  return linear && linear->adapter() && linear->adapter()->b;
}

}  // namespace

std::map<const Parameter*, std::int64_t> Receipt::sums() const {
  std::vector<at::Tensor> sums;
  std::vector<const Parameter*> parameters;
  for (const auto& group : m_session.optimizer->groups())
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      parameters.push_back(group.members[i]);
      sums.push_back(sumOfBits(group.slice(group.values, i)));
      if (group.inHalves()) sums.back() += sumOfBits(group.slice(group.remainders, i));
    }
  const auto numbers = numbersOf(sums);
  std::map<const Parameter*, std::int64_t> result;
  for (std::size_t i = 0; i < parameters.size(); ++i) result[parameters[i]] = numbers[i];
  return result;
}

void Receipt::beforeStep() {
  m_factor = m_session.schedule->factor(m_session.state.globalStep);
  m_before = sums();
}

bool Receipt::shouldMove(const FlatGroup& group, std::size_t member) const {
  const bool anyRate =
      std::ranges::any_of(m_session.optimizer->groups(), [](const auto& g) { return g.learningRate > 0; });
  return m_factor > 0 && anyRate &&
         wouldShow(group.slice(group.values, member), group.gradient(member), group.learningRate * m_factor,
                   !group.in16Bits() || group.inHalves());
}

std::map<const Parameter*, Receipt::Signs> Receipt::signs() const {
  std::map<const Parameter*, Signs> own;
  const auto now = sums();
  std::vector<at::Tensor> gradients;
  for (const auto& group : m_session.optimizer->groups())
    for (std::size_t i = 0; i < group.members.size(); ++i) gradients.push_back(group.gradient(i).ne(0).any());
  const auto nonZero = numbersOf(gradients);
  auto next = nonZero.begin();
  for (const auto& group : m_session.optimizer->groups())
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      const auto* member = group.members[i];
      const bool changed = now.at(member) != m_before.at(member);
      own[member] = {true, *next++ != 0, changed, !changed && shouldMove(group, i)};
    }
  if (!m_session.distribution->shares()) return own;
  const auto trained = m_session.model->parameters.trainable();
  std::vector<double> flags;
  for (const auto* parameter : trained) {
    const auto& one = own[parameter];
    for (const bool flag : {one.owned, one.gradient, one.changed, one.still}) flags.push_back(flag ? 1 : 0);
  }
  flags = m_session.ranks->highest(flags);
  for (std::size_t i = 0; i < trained.size(); ++i)
    own[trained[i]] = {flags[4 * i] > 0, flags[4 * i + 1] > 0, flags[4 * i + 2] > 0, flags[4 * i + 3] > 0};
  return own;
}

std::vector<std::string> Receipt::mismatches() const {
  const c10::NoGradGuard noGrad;
  const auto& model = *m_session.model;
  const auto all = signs();
  std::vector<std::string> result;
  for (const auto& tensor : model.tree.tensors) {
    const auto* parameter = model.parameters.find(tensor.name);
    if (!parameter) continue;  // quantised: cannot move
    if (!parameter->trainable) {
      if (parameter->value.requires_grad() || parameter->value.grad().defined())
        result.push_back(tensor.name + " is frozen, but received a gradient");
      continue;
    }
    const auto found = all.find(parameter);
    if (found == all.end() || !found->second.owned) {
      result.push_back(tensor.name + " is to be trained, but no optimizer has it");
      continue;
    }
    if (mayStandStill(model.tree, tensor, model)) continue;
    if (!found->second.gradient)
      result.push_back(tensor.name + " is to be trained, but received no gradient");
    else if (found->second.still && !found->second.changed)
      result.push_back(tensor.name + " received a gradient, but did not change");
  }
  return result;
}

std::vector<std::string> Receipt::updatedParts() const {
  std::map<std::string, std::pair<int, std::int64_t>> parts;  // tensors, values
  for (const auto& tensor : m_session.model->tree.tensors) {
    if (!tensor.trainable) continue;
    const auto& module = m_session.model->tree.moduleOf(tensor);
    auto& [tensors, values] =
        parts[std::string(model::nameOf(module.part)) + (tensor.role == model::TensorRole::Base ? "" : " adapters")];
    ++tensors;
    values += tensor.elements();
  }
  std::vector<std::string> result;
  for (const auto& [name, counts] : parts)
    result.push_back(name + ": " + formatCount(counts.first) + " tensors, " + formatCount(counts.second) + " values");
  return result;
}

Status Receipt::afterStep(const StepResult& step) {
  if (!step.applied) return {};
  const bool first = std::exchange(m_first, false);
  m_pending = m_factor == 0;  // as in the first step of a warm-up: what moves is seen in the next one
  const auto wrong = mismatches();
  m_before.clear();
  if (!first && wrong.empty()) return {};
  m_session.reporter->event("receipt", {{"ok", wrong.empty()}, {"updated", updatedParts()}, {"mismatch", wrong}});
  if (wrong.empty()) return {};
  std::string list;
  for (std::size_t i = 0; i < wrong.size() && i < 10; ++i) list += "\n  " + wrong[i];
  if (wrong.size() > 10) list += "\n  and " + std::to_string(wrong.size() - 10) + " more";
  return failed("what was trained is not what the configuration asks for:" + list, "verify_updates");
}

}  // namespace roadtune::engine
