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

std::int64_t rowsOf(const at::Tensor& x) { return x.numel() / x.size(-1); }

std::int64_t partsFor(const KernelTable& kernels, const at::Tensor& x) {
  return std::min(rowsOf(x), kernels.normParts(elementOf(x), x.size(-1)));
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

// Of the input and, if that trains, of the gain in float32.
std::pair<at::Tensor, at::Tensor> normGradients(const KernelTable& kernels, const at::Tensor& gradient,
                                                const at::Tensor& x, const at::Tensor& gain, const at::Tensor& inverse,
                                                const at::Tensor& extra, bool gainTrains) {
  auto result = at::empty_like(x), partial = at::Tensor();
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
  args.parts = partsFor(kernels, x);
  if (gainTrains) {
    partial = at::empty({args.parts, args.width}, x.options().dtype(at::kFloat));
    args.forGain = partial.mutable_data_ptr<float>();
  }
  started(kernels, kernels.rmsNormGradient(args), "gradient of RMS norm");
  return {result, gainTrains ? partial.sum(0) : at::Tensor()};
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
      std::tie(result[0], result[2]) = normGradients(kernels, gradient, saved[0], saved[1], saved[2], arrived.ofSum,
                                                     context->needs_input_grad(arrived.weight()));
      if (result[2].defined())
        result[2] = result[2].to(static_cast<at::ScalarType>(context->saved_data["gainType"].toInt()));
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
      const bool trains =
          context->needs_input_grad(arrived.weight()) || context->needs_input_grad(arrived.weight() + 1);
      std::tie(result[0], result[2], result[3]) = layerGradients(kernels, gradient, saved, arrived.ofSum, trains);
    } else {
      result[0] = arrived.ofSum;
    }
    if (arrived.summed) result[1] = result[0];
    return result;
  }

 private:
  // Of the input and, if they train, of weight and bias.
  static std::tuple<at::Tensor, at::Tensor, at::Tensor> layerGradients(const KernelTable& kernels,
                                                                       const at::Tensor& gradient,
                                                                       const variable_list& saved,
                                                                       const at::Tensor& extra, bool train) {
    const auto& x = saved[0];
    const auto rows = rowsOf(x), width = x.size(-1), parts = partsFor(kernels, x);
    auto forInput = at::empty_like(x);
    auto partial = train ? at::empty({2, parts, width}, x.options().dtype(at::kFloat)) : at::Tensor();
    float* const sums = train ? partial.mutable_data_ptr<float>() : nullptr;
    const LayerNormGradientArgs args{elementOf(x),
                                     gradient.const_data_ptr(),
                                     x.const_data_ptr(),
                                     extra.defined() ? extra.const_data_ptr() : nullptr,
                                     saved[1].const_data_ptr(),
                                     saved[2].const_data_ptr<float>(),
                                     saved[3].const_data_ptr<float>(),
                                     forInput.mutable_data_ptr(),
                                     sums,
                                     train ? sums + parts * width : nullptr,
                                     rows,
                                     width,
                                     parts};
    started(kernels, kernels.layerNormGradient(args), "gradient of layer norm");
    if (!train) return {forInput, at::Tensor(), at::Tensor()};
    const auto both = partial.sum(1).to(x.scalar_type());
    return {forInput, both[0], both[1]};
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
