// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/norm.h"

#include "core/engine/cuda/fused_norm.h"
#include "core/engine/nn/norm_kernels.h"
#include "core/engine/nn/ops.h"

#include <ATen/ops/layer_norm.h>
#include <ATen/ops/rsqrt.h>
#include <torch/csrc/autograd/custom_function.h>

namespace roadtune::engine {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// One pass over memory forward and two backward, instead of some twenty small operators.
struct FusedRmsNorm : torch::autograd::Function<FusedRmsNorm> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight, double eps) {
    const auto input = x.contiguous(), gain = weight.to(at::kFloat).contiguous();
    auto y = at::empty_like(input);
    auto inverse = at::empty({input.numel() / input.size(-1)}, input.options().dtype(at::kFloat));
    rmsNormForward(input, gain, eps, y, inverse);
    context->save_for_backward({input, gain, inverse});
    context->saved_data["type"] = static_cast<std::int64_t>(weight.scalar_type());
    return y;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto gradient = gradients[0].contiguous();
    auto forInput = at::empty_like(saved[0]);
    at::Tensor forWeight = context->needs_input_grad(1) ? at::empty_like(saved[1]) : at::Tensor();
    rmsNormBackward(gradient, saved[0], saved[1], saved[2], forInput, forWeight);
    if (forWeight.defined()) forWeight = forWeight.to(static_cast<at::ScalarType>(context->saved_data["type"].toInt()));
    return {forInput, forWeight, at::Tensor()};
  }
};

}  // namespace

at::Tensor RmsNorm::forward(const at::Tensor& x) const {
  if (const auto* kernels = cuda::kernelsFor(x)) return cuda::rmsNorm(*kernels, x, weight->value, eps);
  if (rmsNormKernelTakes(x)) return FusedRmsNorm::apply(x, weight->value, eps);
  const auto wide = x.to(at::kFloat);
  const auto scaled = wide * at::rsqrt(wide.pow(2).mean(-1, true) + eps);
  return (scaled * (weight->as(at::kFloat) + 1.0)).to(x.scalar_type());
}

std::pair<at::Tensor, at::Tensor> RmsNorm::beside(const at::Tensor& x) const {
  if (const auto* kernels = cuda::kernelsFor(x)) return cuda::besideRmsNorm(*kernels, x, weight->value, eps);
  return {x, forward(x)};
}

std::pair<at::Tensor, at::Tensor> RmsNorm::ofSum(const at::Tensor& x, const at::Tensor& delta) const {
  if (const auto* kernels = cuda::kernelsFor(x)) return cuda::addThenRmsNorm(*kernels, x, delta, weight->value, eps);
  const auto sum = x + delta;
  return {sum, forward(sum)};
}

at::Tensor LayerNorm::forward(const at::Tensor& x) const {
  const auto type = weight->computeType.value_or(x.scalar_type());
  return type == x.scalar_type() ? normed(x) : normed(x.to(type)).to(x.scalar_type());
}

at::Tensor LayerNorm::normed(const at::Tensor& x) const {
  const auto w = weight->as(x.scalar_type()), b = bias->as(x.scalar_type());
  if (const auto* own = cuda::kernelsFor(x)) return cuda::layerNorm(*own, x, w, b, eps);
  return at::layer_norm(x, {x.size(-1)}, w, b, eps);
}

const cuda::KernelTable* LayerNorm::kernels(const at::Tensor& x) const {
  return weight->computeType.value_or(x.scalar_type()) == x.scalar_type() ? cuda::kernelsFor(x) : nullptr;
}

std::pair<at::Tensor, at::Tensor> LayerNorm::beside(const at::Tensor& x) const {
  const auto* own = kernels(x);
  if (!own) return {x, forward(x)};
  return cuda::besideLayerNorm(*own, x, weight->as(x.scalar_type()), bias->as(x.scalar_type()), eps);
}

std::pair<at::Tensor, at::Tensor> LayerNorm::ofSum(const at::Tensor& x, const at::Tensor& delta) const {
  if (const auto* own = kernels(x))
    return cuda::addThenLayerNorm(*own, x, delta, weight->as(x.scalar_type()), bias->as(x.scalar_type()), eps);
  const auto sum = x + delta;
  return {sum, forward(sum)};
}

}  // namespace roadtune::engine
