// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/direct_gradient.h"

#include "core/engine/nn/ops.h"

#include <ATen/ops/mm.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/variable.h>

#include <optional>

namespace roadtune::engine {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

at::Tensor rowsOf(const at::Tensor& x) { return x.reshape({-1, x.size(-1)}); }

// weight.grad() += yᵀ x
void addProduct(at::Tensor weight, const at::Tensor& y, const at::Tensor& x, double factor = 1) {
  weight.mutable_grad().addmm_(y.t(), x, 1, factor);
}

struct DirectLinear : torch::autograd::Function<DirectLinear> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const std::optional<at::Tensor>& bias) {
    context->saved_data["biased"] = bias.has_value();
    context->save_for_backward({x, weight});
    return at::linear(x, weight, bias);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto &x = saved[0], &weight = saved[1];
    const auto gradient = rowsOf(gradients[0]);
    addProduct(weight, gradient, rowsOf(x));
    variable_list result(3);
    if (context->needs_input_grad(0)) result[0] = at::mm(gradient, weight).view(x.sizes());
    if (context->saved_data["biased"].toBool() && context->needs_input_grad(2)) result[2] = gradient.sum(0);
    return result;
  }
};

struct DirectLora : torch::autograd::Function<DirectLora> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const at::Tensor& a, const at::Tensor& b, const std::optional<at::Tensor>& bias,
                            double scale) {
    auto y = at::linear(x, weight, bias);
    const auto inner = at::linear(rowsOf(x), a);
    rowsOf(y).addmm_(inner, b.t(), 1, scale);
    context->saved_data["scale"] = scale;
    context->saved_data["biased"] = bias.has_value();
    context->save_for_backward({x, weight, a, b, inner});
    return y;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto &x = saved[0], &weight = saved[1], &a = saved[2], &b = saved[3], &inner = saved[4];
    const double scale = context->saved_data["scale"].toDouble();
    const auto gradient = rowsOf(gradients[0]), rows = rowsOf(x);
    auto innerGradient = at::mm(gradient, b);
    if (scale != 1) innerGradient.mul_(scale);
    addProduct(b, gradient, inner, scale);
    addProduct(a, innerGradient, rows);
    variable_list result(6);
    if (context->needs_input_grad(0)) result[0] = at::mm(gradient, weight).addmm_(innerGradient, a).view(x.sizes());
    if (context->needs_input_grad(1)) addProduct(weight, gradient, rows);
    if (context->saved_data["biased"].toBool() && context->needs_input_grad(4)) result[4] = gradient.sum(0);
    return result;
  }
};

std::optional<at::Tensor> whenThere(const at::Tensor& bias) {
  return bias.defined() ? std::optional<at::Tensor>(bias) : std::nullopt;
}

}  // namespace

bool addsDirectly(const at::Tensor& weight, const ForwardContext& context) {
  return !context.gate && c10::GradMode::is_enabled() && weight.is_cpu() && weight.scalar_type() == at::kFloat &&
         weight.requires_grad() && weight.is_leaf() && weight.grad().defined() &&
         !torch::autograd::impl::post_acc_grad_hooks(weight);
}

at::Tensor directLinear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  return DirectLinear::apply(x, weight, whenThere(bias));
}

at::Tensor directLora(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, const at::Tensor& a,
                      const at::Tensor& b, double scale) {
  return DirectLora::apply(x, weight, a, b, whenThere(bias), scale);
}

}  // namespace roadtune::engine
