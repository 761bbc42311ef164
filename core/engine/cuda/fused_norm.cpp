// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cuda/fused_norm.h"

#include "core/engine/cuda/kept_kernels.h"
#include "core/engine/nn/ops.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace roadtune::engine::cuda {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t kRowsPerPart = 64, kMostParts = 256;

std::int64_t rowsOf(const at::Tensor& x) { return x.numel() / x.size(-1); }

std::int64_t partsFor(std::int64_t rows) {
  return std::clamp<std::int64_t>((rows + kRowsPerPart - 1) / kRowsPerPart, 1, kMostParts);
}

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
  const auto rows = rowsOf(x), parts = partsFor(rows);
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

// Which outputs a norm has: {x + delta, y}; {x, y} when x is kept beside its norm; {y} else. No gradient is made up for
// those that nobody used.
void noteOutputs(AutogradContext* context, const KernelTable* kernels, bool kept, bool summed) {
  keepKernels(context, kernels);
  context->saved_data["two"] = kept || summed;
  context->saved_data["summed"] = summed;
  context->set_materialize_grads(false);
}

// What came back for them.
struct Arrived {
  bool summed;
  at::Tensor ofSum, ofNorm;  // contiguous; undefined where nothing came

  Arrived(AutogradContext* context, const variable_list& gradients) : summed(context->saved_data["summed"].toBool()) {
    const bool two = context->saved_data["two"].toBool();
    if (two && gradients[0].defined()) ofSum = gradients[0].contiguous();
    if (const auto& norm = gradients[two ? 1 : 0]; norm.defined()) ofNorm = norm.contiguous();
  }
  std::size_t weight() const { return summed ? 2 : 1; }  // its place among the inputs that are tensors
};

// Saved: what was normalised, the gain in
// float32, 1 / rms.
struct NormFunction : torch::autograd::Function<NormFunction> {
  static variable_list forward(AutogradContext* context, const at::Tensor& given, const std::optional<at::Tensor>& more,
                               const at::Tensor& weight, const KernelTable* kernels, double eps, bool kept) {
    const auto x = given.contiguous();
    const auto delta = more ? more->contiguous() : at::Tensor();
    const auto gain = weight.to(at::kFloat).contiguous();
    auto y = at::empty_like(x), inverse = perRow(x);
    auto sum = delta.defined() ? at::empty_like(x) : at::Tensor();
    runNorm(*kernels, x, delta, gain, eps, sum, y, inverse);
    context->save_for_backward({delta.defined() ? sum : x, gain, inverse});
    noteOutputs(context, kernels, kept, delta.defined());
    context->saved_data["gainType"] = static_cast<std::int64_t>(weight.scalar_type());
    if (kept) return {given, y};
    return delta.defined() ? variable_list{sum, y} : variable_list{y};
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto& kernels = kernelsIn(context);
    const Arrived arrived(context, gradients);
    variable_list result(6);
    if (const auto& gradient = arrived.ofNorm; gradient.defined()) {
      result[0] = inputGradient(kernels, gradient, saved[0], saved[1], saved[2], arrived.ofSum);
      if (context->needs_input_grad(arrived.weight()))
        result[2] = gainGradient(kernels, gradient, saved[0], saved[2])
                        .to(static_cast<at::ScalarType>(context->saved_data["gainType"].toInt()));
    } else {
      result[0] = arrived.ofSum;
    }
    if (arrived.summed) result[1] = result[0];
    return result;
  }
};

struct LayerNormFunction : torch::autograd::Function<LayerNormFunction> {
  static variable_list forward(AutogradContext* context, const at::Tensor& given, const std::optional<at::Tensor>& more,
                               const at::Tensor& weight, const at::Tensor& bias, const KernelTable* kernels, double eps,
                               bool kept) {
    const auto x = given.contiguous();
    const auto delta = more ? more->contiguous() : at::Tensor();
    auto y = at::empty_like(x), mean = perRow(x), inverse = perRow(x);
    auto sum = delta.defined() ? at::empty_like(x) : at::Tensor();
    const auto gain = weight.contiguous(), shift = bias.contiguous();
    LayerNormArgs args{};
    args.type = elementOf(x);
    args.x = x.const_data_ptr();
    args.weight = gain.const_data_ptr();
    args.bias = shift.const_data_ptr();
    args.y = y.mutable_data_ptr();
    if (delta.defined()) {
      args.delta = delta.const_data_ptr();
      args.sum = sum.mutable_data_ptr();
    }
    args.mean = mean.mutable_data_ptr<float>();
    args.inverse = inverse.mutable_data_ptr<float>();
    args.rows = rowsOf(x);
    args.width = x.size(-1);
    args.eps = static_cast<float>(eps);
    started(*kernels, kernels->layerNorm(args), "layer norm");
    context->save_for_backward({delta.defined() ? sum : x, gain, mean, inverse});
    noteOutputs(context, kernels, kept, delta.defined());
    if (kept) return {given, y};
    return delta.defined() ? variable_list{sum, y} : variable_list{y};
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto& kernels = kernelsIn(context);
    const Arrived arrived(context, gradients);
    variable_list result(7);
    if (const auto& gradient = arrived.ofNorm; gradient.defined()) {
      result[0] = layerInputGradient(kernels, gradient, saved, arrived.ofSum);
      if (context->needs_input_grad(arrived.weight()) || context->needs_input_grad(arrived.weight() + 1))
        std::tie(result[2], result[3]) = layerGainGradients(kernels, gradient, saved);
    } else {
      result[0] = arrived.ofSum;
    }
    if (arrived.summed) result[1] = result[0];
    return result;
  }

 private:
  static at::Tensor layerInputGradient(const KernelTable& kernels, const at::Tensor& gradient,
                                       const variable_list& saved, const at::Tensor& extra) {
    const auto& x = saved[0];
    auto forInput = at::empty_like(x);
    const LayerNormGradientArgs args{elementOf(x),
                                     gradient.const_data_ptr(),
                                     x.const_data_ptr(),
                                     extra.defined() ? extra.const_data_ptr() : nullptr,
                                     saved[1].const_data_ptr(),
                                     saved[2].const_data_ptr<float>(),
                                     saved[3].const_data_ptr<float>(),
                                     forInput.mutable_data_ptr(),
                                     rowsOf(x),
                                     x.size(-1)};
    started(kernels, kernels.layerNormGradient(args), "gradient of layer norm");
    return forInput;
  }

  static std::pair<at::Tensor, at::Tensor> layerGainGradients(const KernelTable& kernels, const at::Tensor& gradient,
                                                              const variable_list& saved) {
    const auto& x = saved[0];
    const auto parts = partsFor(rowsOf(x));
    auto partial = at::empty({2, parts, x.size(-1)}, x.options().dtype(at::kFloat));
    auto* const weight = partial.mutable_data_ptr<float>();
    const LayerNormGainArgs args{elementOf(x),
                                 gradient.const_data_ptr(),
                                 x.const_data_ptr(),
                                 saved[2].const_data_ptr<float>(),
                                 saved[3].const_data_ptr<float>(),
                                 weight,
                                 weight + parts * x.size(-1),
                                 rowsOf(x),
                                 x.size(-1),
                                 parts};
    started(kernels, kernels.layerNormGain(args), "gradients of a layer norm's weight and bias");
    const auto sums = partial.sum(1).to(x.scalar_type());
    return {sums[0], sums[1]};
  }
};

}  // namespace

at::Tensor rmsNorm(const KernelTable& kernels, const at::Tensor& x, const at::Tensor& gain, double eps) {
  return NormFunction::apply(x, std::nullopt, gain, &kernels, eps, false)[0];
}

std::pair<at::Tensor, at::Tensor> besideRmsNorm(const KernelTable& kernels, const at::Tensor& x, const at::Tensor& gain,
                                                double eps) {
  const auto both = NormFunction::apply(x, std::nullopt, gain, &kernels, eps, true);
  return {both[0], both[1]};
}

std::pair<at::Tensor, at::Tensor> addThenRmsNorm(const KernelTable& kernels, const at::Tensor& x,
                                                 const at::Tensor& delta, const at::Tensor& gain, double eps) {
  const auto both = NormFunction::apply(x, std::optional<at::Tensor>(delta), gain, &kernels, eps, false);
  return {both[0], both[1]};
}

at::Tensor layerNorm(const KernelTable& kernels, const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                     double eps) {
  return LayerNormFunction::apply(x, std::nullopt, weight, bias, &kernels, eps, false)[0];
}

std::pair<at::Tensor, at::Tensor> besideLayerNorm(const KernelTable& kernels, const at::Tensor& x,
                                                  const at::Tensor& weight, const at::Tensor& bias, double eps) {
  const auto both = LayerNormFunction::apply(x, std::nullopt, weight, bias, &kernels, eps, true);
  return {both[0], both[1]};
}

std::pair<at::Tensor, at::Tensor> addThenLayerNorm(const KernelTable& kernels, const at::Tensor& x,
                                                   const at::Tensor& delta, const at::Tensor& weight,
                                                   const at::Tensor& bias, double eps) {
  const auto both = LayerNormFunction::apply(x, std::optional<at::Tensor>(delta), weight, bias, &kernels, eps, false);
  return {both[0], both[1]};
}

}  // namespace roadtune::engine::cuda
