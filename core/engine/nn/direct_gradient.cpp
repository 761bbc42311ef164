// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/direct_gradient.h"

#include "core/engine/nn/ops.h"

#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/mm.h>
#include <torch/csrc/autograd/custom_function.h>

#include <optional>

namespace roadtune::engine {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct DirectLora : torch::autograd::Function<DirectLora> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const at::Tensor& a, const at::Tensor& b, const std::optional<at::Tensor>& bias,
                            double scale) {
    auto y = at::linear(x, weight, bias);
    const auto inner = at::linear(flatRows(x), a);
    flatRows(y).addmm_(inner, b.t(), 1, scale);
    context->saved_data["scale"] = scale;
    context->saved_data["biased"] = bias.has_value();
    context->save_for_backward({x, weight, a, b, inner});
    return y;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto &x = saved[0], &weight = saved[1], &a = saved[2], &b = saved[3], &inner = saved[4];
    const double scale = context->saved_data["scale"].toDouble();
    const auto gradient = flatRows(gradients[0]), rows = flatRows(x);
    auto innerGradient = at::mm(gradient, b);
    if (scale != 1) innerGradient.mul_(scale);
    addProduct(b.grad(), gradient, inner, scale);
    addProduct(a.grad(), innerGradient, rows);
    variable_list result(6);
    if (context->needs_input_grad(0)) result[0] = at::mm(gradient, weight).addmm_(innerGradient, a).view(x.sizes());
    if (context->needs_input_grad(1)) addProduct(weight.grad(), gradient, rows);
    if (context->saved_data["biased"].toBool() && context->needs_input_grad(4)) result[4] = gradient.sum(0);
    return result;
  }
};

// What DirectLoras needs to know of its layers besides their tensors, which come as one list.
struct LayersHolder : torch::CustomClassHolder {
  struct Layer {
    std::size_t first;         // of weight, A, B and perhaps the bias in the list
    std::int64_t begin, rank;  // its columns of the product with all A matrices
    double scale;
    bool biased;
  };
  std::vector<Layer> layers;
};

struct DirectLoras : torch::autograd::Function<DirectLoras> {
  static variable_list forward(AutogradContext* context, const at::Tensor& x, at::TensorList tensors,
                               const c10::intrusive_ptr<LayersHolder>& holder) {
    std::vector<at::Tensor> factors;
    for (const auto& layer : holder->layers) factors.push_back(tensors[layer.first + 1]);
    const auto all = at::cat(factors), inner = at::linear(flatRows(x), all);
    variable_list results;
    for (const auto& layer : holder->layers) {
      const auto bias = layer.biased ? std::optional<at::Tensor>(tensors[layer.first + 3]) : std::nullopt;
      auto y = at::linear(x, tensors[layer.first], bias);
      flatRows(y).addmm_(inner.narrow(1, layer.begin, layer.rank), tensors[layer.first + 2].t(), 1, layer.scale);
      results.push_back(y);
    }
    variable_list saved = {x, all, inner};
    saved.insert(saved.end(), tensors.begin(), tensors.end());
    context->save_for_backward(std::move(saved));
    context->saved_data["layers"] = c10::IValue::make_capsule(holder);
    return results;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto holder = c10::static_intrusive_pointer_cast<LayersHolder>(context->saved_data["layers"].toCapsule());
    const auto saved = context->get_saved_variables();
    const auto &x = saved[0], &all = saved[1], &inner = saved[2];
    const auto rows = flatRows(x);
    const auto innerGradient = at::empty_like(inner);
    const bool forInput = context->needs_input_grad(0);
    variable_list result(saved.size() - kFirst + 2);  // x, the list, the holder
    at::Tensor inputGradient;
    for (std::size_t i = 0; i < holder->layers.size(); ++i) {
      const auto& layer = holder->layers[i];
      const auto &weight = saved[kFirst + layer.first], &b = saved[kFirst + layer.first + 2];
      const auto gradient = flatRows(gradients[i]);
      auto columns = innerGradient.narrow(1, layer.begin, layer.rank);
      at::mm_out(columns, gradient, b);
      if (layer.scale != 1) columns.mul_(layer.scale);
      addProduct(b.grad(), gradient, inner.narrow(1, layer.begin, layer.rank), layer.scale);
      if (context->needs_input_grad(1 + layer.first)) addProduct(weight.grad(), gradient, rows);
      if (layer.biased && context->needs_input_grad(1 + layer.first + 3)) result[1 + layer.first + 3] = gradient.sum(0);
      if (!forInput) continue;
      if (inputGradient.defined())
        inputGradient.addmm_(gradient, weight);
      else
        inputGradient = at::mm(gradient, weight);
    }
    const auto forFactors = at::mm(innerGradient.t(), rows);
    for (const auto& layer : holder->layers)
      saved[kFirst + layer.first + 1].mutable_grad().add_(forFactors.narrow(0, layer.begin, layer.rank));
    if (forInput) result[0] = inputGradient.addmm_(innerGradient, all).view(x.sizes());
    return result;
  }

 private:
  static constexpr std::size_t kFirst = 3;  // of the list among what is saved
};

std::optional<at::Tensor> whenThere(const at::Tensor& bias) {
  return bias.defined() ? std::optional<at::Tensor>(bias) : std::nullopt;
}

}  // namespace

bool collects(const at::Tensor& weight, const ForwardContext& context) {
  const bool collected = weight.scalar_type() == at::kFloat || weight.scalar_type() == at::kBFloat16;
  return collected && !context.gate && c10::GradMode::is_enabled() && weight.requires_grad() && weight.is_leaf() &&
         weight.grad().defined();
}

bool addsDirectly(const at::Tensor& weight, const ForwardContext& context) {
  return (weight.is_cpu() || weight.scalar_type() == at::kBFloat16) && collects(weight, context);
}

bool addsWider(const Parameter& parameter, at::ScalarType type, const ForwardContext& context) {
  return type == at::kBFloat16 && parameter.value.is_cuda() && parameter.rounded.defined() &&
         parameter.rounded.scalar_type() == type && collects(parameter.value, context);
}

// The CPU has no products of a wider type than their factors.
void addProduct(at::Tensor sum, const at::Tensor& y, const at::Tensor& x, double factor) {
  if (sum.scalar_type() == y.scalar_type())
    sum.addmm_(y.t(), x, 1, factor);
  else if (sum.is_cpu())
    addRounded(sum, at::mm(y.t(), x), factor);
  else
    at::addmm_out(sum, sum, y.t(), x, sum.scalar_type(), 1, factor);
}

void setProduct(at::Tensor sum, const at::Tensor& y, const at::Tensor& x) {
  if (sum.scalar_type() == y.scalar_type())
    at::mm_out(sum, y.t(), x);
  else if (sum.is_cpu())
    sum.copy_(at::mm(y.t(), x));
  else
    at::mm_out(sum, y.t(), x, sum.scalar_type());
}

void addProducts(at::TensorList weights, const at::Tensor& y, const at::Tensor& x) {
  std::vector<at::Tensor> sums;
  std::vector<std::int64_t> rows;
  for (const auto& weight : weights) {
    sums.push_back(weight.grad());
    rows.push_back(weight.size(0));
  }
  const auto type = sums.front().scalar_type();
  const auto all = type == y.scalar_type() ? at::mm(y.t(), x) : at::mm(y.t(), x, type);
  at::_foreach_add_(sums, all.split_with_sizes(rows));
}

at::Tensor directLora(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, const at::Tensor& a,
                      const at::Tensor& b, double scale) {
  return DirectLora::apply(x, weight, a, b, whenThere(bias), scale);
}

std::vector<at::Tensor> directLoras(const at::Tensor& x, const std::vector<DirectAdapter>& layers) {
  const auto holder = c10::make_intrusive<LayersHolder>();
  std::vector<at::Tensor> tensors;
  std::int64_t begin = 0;
  for (const auto& layer : layers) {
    const auto rank = layer.a.size(0);
    holder->layers.push_back({tensors.size(), begin, rank, layer.scale, layer.bias.defined()});
    tensors.insert(tensors.end(), {layer.weight, layer.a, layer.b});
    if (layer.bias.defined()) tensors.push_back(layer.bias);
    begin += rank;
  }
  return DirectLoras::apply(x, at::TensorList(tensors), holder);
}

}  // namespace roadtune::engine
