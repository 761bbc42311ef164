// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/receipt.h"

#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/engine/lora/adapter.h"
#include "core/engine/nn/ops.h"

namespace roadtune::engine {
namespace {

// A sum over the bytes of a tensor: whether it changed, without a copy of what it was.
std::uint32_t checksum(const at::Tensor& tensor) {
  const auto here = tensor.to(at::kCPU).contiguous();
  return crc32c({static_cast<const std::uint8_t*>(here.const_data_ptr()), here.nbytes()});
}

bool anyNonZero(const at::Tensor& tensor) { return tensor.ne(0).any().item<bool>(); }

// Tensors whose gradient is nothing at first, by mathematics: A while B is zero, and key biases, which softmax cancels.
bool mayStandStill(const model::ModuleTree& tree, const model::Tensor& tensor, const ModelState& model) {
  if (endsWith(tensor.name, "k_proj.bias")) return true;
  if (tensor.role != model::TensorRole::LoraA) return false;
  const auto* linear = model.network->linear(tree.moduleOf(tensor).path);
  return linear && linear->adapter() && linear->adapter()->b;
}

}  // namespace

void Receipt::beforeStep() {
  m_before.clear();
  for (const auto& group : m_session.optimizer->groups())
    for (std::size_t i = 0; i < group.members.size(); ++i)
      m_before[group.members[i]] = checksum(group.slice(group.values, i));
}

std::map<const Parameter*, Receipt::Signs> Receipt::signs() const {
  std::map<const Parameter*, Signs> own;
  for (const auto& group : m_session.optimizer->groups())
    for (std::size_t i = 0; i < group.members.size(); ++i)
      own[group.members[i]] = {true, anyNonZero(group.slice(group.gradients, i)),
                               checksum(group.slice(group.values, i)) != m_before.at(group.members[i])};
  if (!m_session.distribution->shares()) return own;
  const auto trained = m_session.model->parameters.trainable();
  std::vector<double> flags;
  for (const auto* parameter : trained) {
    const auto& one = own[parameter];
    for (const bool flag : {one.owned, one.gradient, one.changed}) flags.push_back(flag ? 1 : 0);
  }
  flags = m_session.ranks->highest(flags);
  for (std::size_t i = 0; i < trained.size(); ++i)
    own[trained[i]] = {flags[3 * i] > 0, flags[3 * i + 1] > 0, flags[3 * i + 2] > 0};
  return own;
}

std::vector<std::string> Receipt::mismatches(bool moved) const {
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
    else if (moved && !found->second.changed)
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
  m_pending = false;
  const bool moved = step.rate > 0;
  const auto wrong = mismatches(moved);
  m_before.clear();
  m_session.reporter->event("receipt", {{"ok", wrong.empty()}, {"updated", updatedParts()}, {"mismatch", wrong}});
  if (wrong.empty()) return {};
  std::string list;
  for (std::size_t i = 0; i < wrong.size() && i < 10; ++i) list += "\n  " + wrong[i];
  if (wrong.size() > 10) list += "\n  and " + std::to_string(wrong.size() - 10) + " more";
  return failed("the first step did not train what the configuration asks for:" + list, "verify_updates");
}

}  // namespace roadtune::engine
