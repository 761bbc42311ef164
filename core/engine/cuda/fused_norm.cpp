// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cuda/fused_norm.h"

#include "core/engine/nn/ops.h"

#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <optional>

namespace roadtune::engine::cuda {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t kRowsPerPart = 64, kMostParts = 256;

std::int64_t rowsOf(const at::Tensor& x) { return x.numel() / x.size(-1); }

at::Tensor perRow(const at::Tensor& x) { return at::empty({rowsOf(x)}, x.options().dtype(at::kFloat)); }

void runNorm(const KernelTable& kernels, const at::Tensor& x, const at::Tensor& delta, const at::Tensor& gain,
             double eps, at::Tensor& sum, at::Tensor& y, at::Tensor& inverse) {
  RmsNormArgs args{};
  args.type = elementOf(x);
  args.x = x.const_data_ptr();
  args.gain = gain.const_data_ptr<float>();
  args.y = y.mutable_data_ptr();
  if (delta.defined()) {
    args.delta = delta.const_data_ptr();
    args.sum = sum.mutable_data_ptr();
  }
  args.inverse = inverse.mutable_data_ptr<float>();
  args.rows = rowsOf(x);
  args.width = x.size(-1);
  args.eps = static_cast<float>(eps);
  started(kernels, kernels.rmsNorm(args), "RMS norm");
}

at::Tensor inputGradient(const KernelTable& kernels, const at::Tensor& gradient, const at::Tensor& x,
                         const at::Tensor& gain, const at::Tensor& inverse, const at::Tensor& extra) {
  auto result = at::empty_like(x);
  RmsNormGradientArgs args{};
  args.type = elementOf(x);
  args.gradient = gradient.const_data_ptr();
  args.x = x.const_data_ptr();
  args.extra = extra.defined() ? extra.const_data_ptr() : nullptr;
  args.gain = gain.const_data_ptr<float>();
  args.inverse = inverse.const_data_ptr<float>();
  args.forInput = result.mutable_data_ptr();
  args.rows = rowsOf(x);
  args.width = x.size(-1);
  started(kernels, kernels.rmsNormGradient(args), "gradient of RMS norm");
  return result;
}

at::Tensor gainGradient(const KernelTable& kernels, const at::Tensor& gradient, const at::Tensor& x,
                        const at::Tensor& inverse) {
  const auto rows = rowsOf(x);
  const auto parts = std::clamp<std::int64_t>((rows + kRowsPerPart - 1) / kRowsPerPart, 1, kMostParts);
  auto partial = at::empty({parts, x.size(-1)}, x.options().dtype(at::kFloat));
  RmsNormGainArgs args{};
  args.type = elementOf(x);
  args.gradient = gradient.const_data_ptr();
  args.x = x.const_data_ptr();
  args.inverse = inverse.const_data_ptr<float>();
  args.partial = partial.mutable_data_ptr<float>();
  args.rows = rows;
  args.width = x.size(-1);
  args.parts = parts;
  started(kernels, kernels.rmsNormGain(args), "gradient of an RMS norm's gain");
  return partial.sum(0);
}

// Outputs {sum, y}; without delta {y}. Saved: what was normalised, the gain in float32, 1 / rms.
struct NormFunction : torch::autograd::Function<NormFunction> {
  static variable_list forward(AutogradContext* context, const at::Tensor& given, const std::optional<at::Tensor>& more,
                               const at::Tensor& weight, const KernelTable* kernels, double eps) {
    const auto x = given.contiguous();
    const auto delta = more ? more->contiguous() : at::Tensor();
    const auto gain = weight.to(at::kFloat).contiguous();
    auto y = at::empty_like(x), inverse = perRow(x);
    auto sum = delta.defined() ? at::empty_like(x) : at::Tensor();
    runNorm(*kernels, x, delta, gain, eps, sum, y, inverse);
    context->save_for_backward({delta.defined() ? sum : x, gain, inverse});
    context->saved_data["kernels"] = reinterpret_cast<std::int64_t>(kernels);
    context->saved_data["gainType"] = static_cast<std::int64_t>(weight.scalar_type());
    context->saved_data["two"] = delta.defined();
    context->set_materialize_grads(false);
    return delta.defined() ? variable_list{sum, y} : variable_list{y};
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto& kernels = *reinterpret_cast<const KernelTable*>(context->saved_data["kernels"].toInt());
    const bool two = context->saved_data["two"].toBool();
    const auto ofSum = two && gradients[0].defined() ? gradients[0].contiguous() : at::Tensor();
    const auto& ofNorm = gradients[two ? 1 : 0];
    if (!ofNorm.defined()) return {ofSum, two ? ofSum : at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor()};
    const auto gradient = ofNorm.contiguous();
    const auto forInput = inputGradient(kernels, gradient, saved[0], saved[1], saved[2], ofSum);
    at::Tensor forGain;
    if (context->needs_input_grad(two ? 2 : 1))
      forGain = gainGradient(kernels, gradient, saved[0], saved[2])
                    .to(static_cast<at::ScalarType>(context->saved_data["gainType"].toInt()));
    return {forInput, two ? forInput : at::Tensor(), forGain, at::Tensor(), at::Tensor()};
  }
};

struct LayerNormFunction : torch::autograd::Function<LayerNormFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& given, const at::Tensor& weight,
                            const at::Tensor& bias, const KernelTable* kernels, double eps) {
    const auto x = given.contiguous();
    auto y = at::empty_like(x), mean = perRow(x), inverse = perRow(x);
    const auto gain = weight.contiguous(), shift = bias.contiguous();
    LayerNormArgs args{elementOf(x),
                       x.const_data_ptr(),
                       gain.const_data_ptr(),
                       shift.const_data_ptr(),
                       y.mutable_data_ptr(),
                       mean.mutable_data_ptr<float>(),
                       inverse.mutable_data_ptr<float>(),
                       rowsOf(x),
                       x.size(-1),
                       static_cast<float>(eps)};
    started(*kernels, kernels->layerNorm(args), "layer norm");
    context->save_for_backward({x, gain, mean, inverse});
    context->saved_data["kernels"] = reinterpret_cast<std::int64_t>(kernels);
    return y;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto& kernels = *reinterpret_cast<const KernelTable*>(context->saved_data["kernels"].toInt());
    const auto& x = saved[0];
    const auto gradient = gradients[0].contiguous();
    auto forInput = at::empty_like(x);
    LayerNormGradientArgs args{elementOf(x),
                               gradient.const_data_ptr(),
                               x.const_data_ptr(),
                               saved[1].const_data_ptr(),
                               saved[2].const_data_ptr<float>(),
                               saved[3].const_data_ptr<float>(),
                               forInput.mutable_data_ptr(),
                               rowsOf(x),
                               x.size(-1)};
    started(kernels, kernels.layerNormGradient(args), "gradient of layer norm");
    at::Tensor forWeight, forBias;
    if (context->needs_input_grad(1) || context->needs_input_grad(2)) {
      const auto wide = gradient.to(at::kFloat).reshape({-1, x.size(-1)});
      const auto normed = (x.to(at::kFloat).reshape({-1, x.size(-1)}) - saved[2].unsqueeze(1)) * saved[3].unsqueeze(1);
      forWeight = (wide * normed).sum(0).to(x.scalar_type());
      forBias = wide.sum(0).to(x.scalar_type());
    }
    return {forInput, forWeight, forBias, at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor rmsNorm(const KernelTable& kernels, const at::Tensor& x, const at::Tensor& gain, double eps) {
  return NormFunction::apply(x, std::nullopt, gain, &kernels, eps)[0];
}

std::pair<at::Tensor, at::Tensor> addThenRmsNorm(const KernelTable& kernels, const at::Tensor& x,
                                                 const at::Tensor& delta, const at::Tensor& gain, double eps) {
  const auto both = NormFunction::apply(x, std::optional<at::Tensor>(delta), gain, &kernels, eps);
  return {both[0], both[1]};
}

at::Tensor layerNorm(const KernelTable& kernels, const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                     double eps) {
  return LayerNormFunction::apply(x, weight, bias, &kernels, eps);
}

}  // namespace roadtune::engine::cuda
