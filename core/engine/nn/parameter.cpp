// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/parameter.h"

#include "core/engine/nn/ops.h"

#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <utility>

namespace roadtune::engine {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t kPart = 1 << 20;  // numbers

// Stands for a conversion of `value` that has been made already. Its gradient is added where it is collected, in one
// pass over both.
struct RoundedWeight : torch::autograd::Function<RoundedWeight> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& value, const at::Tensor& rounded) {
    context->save_for_backward({value});
    return rounded.variable_data();
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    at::Tensor value = context->get_saved_variables()[0];
    if (!value.grad().defined()) return {gradients[0].to(value.scalar_type()), at::Tensor()};
    addRounded(value.mutable_grad(), gradients[0]);
    return {at::Tensor(), at::Tensor()};
  }
};

}  // namespace

void addRounded(at::Tensor sum, const at::Tensor& part, double factor) {
  const auto count = part.numel();
  if (!part.is_cpu() || count <= kPart || !sum.is_contiguous()) {
    sum.add_(part, factor);
    return;
  }
  const auto flat = part.contiguous().flatten(), into = sum.flatten();
  for (std::int64_t begin = 0; begin < count; begin += kPart) {
    const auto length = std::min(kPart, count - begin);
    into.narrow(0, begin, length).add_(flat.narrow(0, begin, length), factor);
  }
}

at::Tensor Parameter::as(at::ScalarType type) const {
  if (value.scalar_type() == type) return value;
  if (!rounded.defined() || rounded.scalar_type() != type) return value.to(type);
  if (!c10::GradMode::is_enabled() || !value.requires_grad()) return rounded;
  return RoundedWeight::apply(value, rounded);
}

bool Parameter::replacesGradient() {
  if (!std::exchange(outdated, false)) return false;
  if (fleeting) value.mutable_grad() = at::empty_like(value);
  return true;
}

void Parameter::renewGradient() {
  if (replacesGradient()) value.mutable_grad().zero_();
}

Parameter& ParameterSet::add(Parameter parameter) {
  if (parameter.value.defined()) parameter.value.requires_grad_(parameter.trainable);
  auto& stored = m_all.emplace_back(std::make_unique<Parameter>(std::move(parameter)));
  m_byName[stored->name] = stored.get();
  return *stored;
}

Parameter* ParameterSet::find(std::string_view name) const {
  const auto found = m_byName.find(std::string(name));
  return found == m_byName.end() ? nullptr : found->second;
}

std::vector<Parameter*> ParameterSet::trainable() const {
  std::vector<Parameter*> result;
  for (const auto& parameter : m_all)
    if (parameter->trainable) result.push_back(parameter.get());
  return result;
}

void ParameterSet::remove(std::string_view name) {
  m_byName.erase(std::string(name));
  std::erase_if(m_all, [&](const auto& parameter) { return parameter->name == name; });
}

}  // namespace roadtune::engine
