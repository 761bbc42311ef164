// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/products.h"

#include "core/engine/nn/direct_gradient.h"
#include "core/engine/nn/ops.h"
#include "core/engine/quant/nf4_weight.h"

#include <ATen/ops/_unsafe_view.h>
#include <ATen/ops/mm.h>
#include <torch/csrc/autograd/custom_function.h>

#include <optional>

namespace roadtune::engine {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// What is known of the layers besides their tensors, which autograd sees as one list.
struct ProductsHolder : torch::CustomClassHolder {
  struct Layer {
    std::optional<std::size_t> weight, bias;  // places in the list
    const Nf4Weight* packed;
    bool direct;
  };
  std::vector<Layer> layers;
};

struct Products : torch::autograd::Function<Products> {
  static variable_list forward(AutogradContext* context, const at::Tensor& x, at::TensorList tensors,
                               const c10::intrusive_ptr<ProductsHolder>& holder) {
    const auto rows = flatRows(x);
    variable_list results, saved{x};
    for (const auto& layer : holder->layers) {
      const auto bias = layer.bias ? std::optional<at::Tensor>(tensors[*layer.bias]) : std::nullopt;
      const auto y = layer.packed ? layer.packed->product(rows, bias) : at::linear(rows, tensors[*layer.weight], bias);
      auto shape = x.sizes().vec();
      shape.back() = y.size(1);
      results.push_back(at::_unsafe_view(y, shape));  // its own: what follows may add to it in place
    }
    saved.insert(saved.end(), tensors.begin(), tensors.end());
    context->save_for_backward(std::move(saved));
    context->saved_data["layers"] = c10::IValue::make_capsule(holder);
    return results;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto holder = c10::static_intrusive_pointer_cast<ProductsHolder>(context->saved_data["layers"].toCapsule());
    const auto saved = context->get_saved_variables();
    const auto& x = saved[0];
    const auto rows = flatRows(x);
    const bool forInput = context->needs_input_grad(0);
    variable_list result(saved.size() + 1);  // x, the list, the holder
    at::Tensor inputGradient;
    for (std::size_t i = 0; i < holder->layers.size(); ++i) {
      const auto& layer = holder->layers[i];
      const auto gradient = flatRows(gradients[i]);
      if (layer.weight && context->needs_input_grad(1 + *layer.weight)) {
        if (layer.direct)
          addProduct(saved[1 + *layer.weight], gradient, rows);
        else
          result[1 + *layer.weight] = at::mm(gradient.t(), rows);
      }
      if (layer.bias && context->needs_input_grad(1 + *layer.bias)) result[1 + *layer.bias] = gradient.sum(0);
      if (!forInput) continue;
      const auto weight = layer.packed ? layer.packed->dequantise(gradient.scalar_type()) : saved[1 + *layer.weight];
      if (inputGradient.defined())
        inputGradient.addmm_(gradient, weight);
      else
        inputGradient = at::mm(gradient, weight);
    }
    if (forInput) result[0] = inputGradient.view(x.sizes());
    return result;
  }
};

}  // namespace

std::vector<at::Tensor> products(const at::Tensor& x, const std::vector<Product>& layers) {
  const auto holder = c10::make_intrusive<ProductsHolder>();
  std::vector<at::Tensor> tensors;
  const auto place = [&tensors](const at::Tensor& tensor) {
    if (!tensor.defined()) return std::optional<std::size_t>();
    tensors.push_back(tensor);
    return std::optional(tensors.size() - 1);
  };
  for (const auto& layer : layers) {
    const auto weight = place(layer.weight), bias = place(layer.bias);
    holder->layers.push_back({weight, bias, layer.packed, layer.direct});
  }
  return Products::apply(x, at::TensorList(tensors), holder);
}

}  // namespace roadtune::engine
