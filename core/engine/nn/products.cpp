// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/products.h"

#include "core/engine/cuda/fused_points.h"
#include "core/engine/cuda/kept_kernels.h"
#include "core/engine/nn/direct_gradient.h"
#include "core/engine/nn/ops.h"
#include "core/engine/nn/parameter.h"
#include "core/engine/nn/recompute.h"
#include "core/engine/quant/nf4_weight.h"

#include <ATen/ops/_unsafe_view.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

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
    at::Tensor narrow;
    std::size_t weights;  // from `weight` on, one below the other in `narrow`
    Parameter* collector;
    const LastProduct* known;  // see Product

    const at::Tensor& factor(at::TensorList tensors) const { return narrow.defined() ? narrow : tensors[*weight]; }
  };
  std::vector<Layer> layers;
};

using Layers = std::vector<ProductsHolder::Layer>;

std::int64_t widthOf(const ProductsHolder::Layer& layer, at::TensorList tensors) {
  return layer.packed ? layer.packed->shape[0] : layer.factor(tensors).size(0);
}

at::Tensor output(const at::Tensor& rows, at::TensorList tensors, const ProductsHolder::Layer& layer) {
  const auto bias = layer.bias ? std::optional<at::Tensor>(tensors[*layer.bias]) : std::nullopt;
  return layer.packed ? layer.packed->product(rows, bias) : at::linear(rows, layer.factor(tensors), bias);
}

// `like` has the sizes and the type of x, which may be undefined where all is known.
variable_list outputs(const at::Tensor& x, const at::Tensor& like, at::TensorList tensors, const Layers& layers) {
  const auto rows = x.defined() ? flatRows(x) : x;
  variable_list results;
  for (const auto& layer : layers) {
    auto shape = like.sizes().vec();
    shape.back() = widthOf(layer, tensors);
    const auto y = !layer.known          ? output(rows, tensors, layer)
                   : layer.known->needed ? layer.known->result
                                         : at::zeros({1}, like.options()).expand(shape);
    results.push_back(at::_unsafe_view(y, shape));  // its own: what follows may add to it in place
  }
  return results;
}

bool allKnown(const Layers& layers) {
  return std::all_of(layers.begin(), layers.end(), [](const auto& layer) { return layer.known != nullptr; });
}

// The backward pass over layers whose tensors are the inputs of a function from `first` on.
class Backward {
 public:
  Backward(AutogradContext* context, const variable_list& saved, std::size_t first, const variable_list& gradients)
      : m_context(context), m_tensors(saved.begin() + static_cast<std::ptrdiff_t>(first), saved.end()), m_first(first) {
    m_holder = c10::static_intrusive_pointer_cast<ProductsHolder>(context->saved_data["layers"].toCapsule());
    for (const auto& gradient : gradients) m_gradients.push_back(flatRows(gradient));
  }

  bool weightsTrain() const {
    return std::any_of(m_holder->layers.begin(), m_holder->layers.end(),
                       [this](const auto& layer) { return needs(layer.weight); });
  }

  // Gradients of weights and biases, at their places among `results`; `rows` are the input.
  void ofTensors(const at::Tensor& rows, variable_list& results) const {
    for (std::size_t i = 0; i < m_gradients.size(); ++i) {
      const auto& layer = m_holder->layers[i];
      const auto& gradient = m_gradients[i];
      if (needs(layer.bias)) results[m_first + *layer.bias] = gradient.sum(0);
      if (!needs(layer.weight)) continue;
      if (layer.direct && layer.weights > 1)
        addProducts({m_tensors.data() + *layer.weight, layer.weights}, gradient, rows);
      else if (layer.direct && layer.collector && layer.collector->replacesGradient())
        setProduct(layer.collector->value.grad(), gradient, rows);
      else if (layer.direct)
        addProduct(m_tensors[*layer.weight].grad(), gradient, rows);
      else
        results[m_first + *layer.weight] = at::mm(gradient.t(), rows);
    }
  }

  at::Tensor ofInput() const {
    at::Tensor sum;
    for (std::size_t i = 0; i < m_gradients.size(); ++i) {
      const auto& layer = m_holder->layers[i];
      const auto& gradient = m_gradients[i];
      const auto weight = layer.packed ? layer.packed->dequantise(gradient.scalar_type()) : layer.factor(m_tensors);
      if (sum.defined())
        sum.addmm_(gradient, weight);
      else
        sum = at::mm(gradient, weight);
    }
    return sum;
  }

 private:
  bool needs(const std::optional<std::size_t>& place) const {
    return place && m_context->needs_input_grad(m_first + *place);
  }

  AutogradContext* m_context;
  c10::intrusive_ptr<ProductsHolder> m_holder;
  variable_list m_tensors, m_gradients;
  std::size_t m_first;
};

bool weightsTrain(at::TensorList tensors, const Layers& layers) {
  return std::any_of(layers.begin(), layers.end(),
                     [&](const auto& layer) { return layer.weight && tensors[*layer.weight].requires_grad(); });
}

struct Products : torch::autograd::Function<Products> {
  static variable_list forward(AutogradContext* context, const at::Tensor& x, at::TensorList tensors,
                               const c10::intrusive_ptr<ProductsHolder>& holder) {
    variable_list saved{weightsTrain(tensors, holder->layers) ? x : at::Tensor()};
    context->saved_data["sizes"] = x.sizes().vec();
    saved.insert(saved.end(), tensors.begin(), tensors.end());
    context->save_for_backward(std::move(saved));
    context->saved_data["layers"] = c10::IValue::make_capsule(holder);
    return outputs(x, x, tensors, holder->layers);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const Backward pass(context, saved, 1, gradients);
    variable_list result(saved.size() + 1);
    pass.ofTensors(saved[0].defined() ? flatRows(saved[0]) : at::Tensor(), result);
    if (context->needs_input_grad(0)) result[0] = pass.ofInput().view(context->saved_data["sizes"].toIntVector());
    return result;
  }
};

// The input, as wide as the MLP, is made again in the backward pass from the gate and, where there is one, `up`.
struct GatedProducts : torch::autograd::Function<GatedProducts> {
  static variable_list forward(AutogradContext* context, at::TensorList gates, at::TensorList tensors,
                               const c10::intrusive_ptr<ProductsHolder>& holder, const cuda::KernelTable* kernels) {
    variable_list saved;
    for (const auto& given : gates) saved.push_back(given.contiguous());
    const auto gate = saved[0],
               input = allKnown(holder->layers) ? at::Tensor() : cuda::gated(*kernels, gate, upOf(saved, gates.size()));
    saved.insert(saved.end(), tensors.begin(), tensors.end());
    context->save_for_backward(std::move(saved));
    context->saved_data["gates"] = static_cast<std::int64_t>(gates.size());
    context->saved_data["layers"] = c10::IValue::make_capsule(holder);
    cuda::keepKernels(context, kernels);
    return outputs(input, gate, tensors, holder->layers);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto gates = static_cast<std::size_t>(context->saved_data["gates"].toInt());
    const auto gate = saved[0], up = upOf(saved, gates);
    const auto& kernels = cuda::kernelsIn(context);
    const Backward pass(context, saved, gates, gradients);
    variable_list result(saved.size() + 2);
    at::Tensor input;  // again, for the weights; biases need the gradient alone
    if (context->needs_input_grad(0) || (up.defined() && context->needs_input_grad(1))) {
      const auto found =
          cuda::gatedGradients(kernels, pass.ofInput().view(gate.sizes()), gate, up, pass.weightsTrain());
      result[0] = found.forGate;
      if (up.defined()) result[1] = found.forUp;
      input = found.made;
    } else if (pass.weightsTrain()) {
      input = cuda::gated(kernels, gate, up);
    }
    pass.ofTensors(input.defined() ? flatRows(input) : input, result);
    return result;
  }

 private:
  static at::Tensor upOf(const variable_list& saved, std::size_t gates) { return gates == 2 ? saved[1] : at::Tensor(); }
};

// The layers' tensors as the list that autograd sees.
std::pair<std::vector<at::Tensor>, c10::intrusive_ptr<ProductsHolder>> listed(const std::vector<Product>& layers) {
  const auto holder = c10::make_intrusive<ProductsHolder>();
  std::vector<at::Tensor> tensors;
  const auto place = [&tensors](const at::Tensor& tensor) {
    if (!tensor.defined()) return std::optional<std::size_t>();
    tensors.push_back(tensor);
    return std::optional(tensors.size() - 1);
  };
  for (const auto& layer : layers) {
    const auto weight = place(layer.weight);
    for (const auto& further : layer.further) place(further);
    const auto bias = place(layer.bias);
    holder->layers.push_back({weight, bias, layer.packed, layer.direct, layer.narrow, 1 + layer.further.size(),
                              layer.collector, layer.known});
  }
  return {tensors, holder};
}

}  // namespace

std::vector<at::Tensor> products(const at::Tensor& x, const std::vector<Product>& layers) {
  const auto [tensors, holder] = listed(layers);
  return Products::apply(x, at::TensorList(tensors), holder);
}

std::vector<at::Tensor> gatedProducts(const cuda::KernelTable& kernels, const at::Tensor& gate, const at::Tensor& up,
                                      const std::vector<Product>& layers) {
  const auto [tensors, holder] = listed(layers);
  std::vector<at::Tensor> gates{gate};
  if (up.defined()) gates.push_back(up);
  return GatedProducts::apply(at::TensorList(gates), at::TensorList(tensors), holder, &kernels);
}

}  // namespace roadtune::engine
