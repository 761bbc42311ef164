// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cuda/fused_points.h"

#include "core/engine/cuda/kept_kernels.h"
#include "core/engine/nn/ops.h"

#include <optional>
#include <utility>

namespace roadtune::engine::cuda {

at::Tensor gated(const KernelTable& kernels, const at::Tensor& gate, const at::Tensor& up) {
  auto out = at::empty_like(gate);
  const GegluArgs args{elementOf(gate), gate.const_data_ptr(), up.defined() ? up.const_data_ptr() : nullptr,
                       out.mutable_data_ptr(), gate.numel()};
  started(kernels, kernels.geglu(args), "GeGLU");
  return out;
}

GatedGradients gatedGradients(const KernelTable& kernels, const at::Tensor& arrived, const at::Tensor& gate,
                              const at::Tensor& up, bool again) {
  const auto gradient = arrived.contiguous();
  auto forGate = at::empty_like(gate), forUp = up.defined() ? at::empty_like(up) : at::Tensor();
  const GegluGradientArgs args{elementOf(gradient),
                               gradient.const_data_ptr(),
                               gate.const_data_ptr(),
                               up.defined() ? up.const_data_ptr() : nullptr,
                               forGate.mutable_data_ptr(),
                               up.defined() ? forUp.mutable_data_ptr() : nullptr,
                               again ? gradient.mutable_data_ptr() : nullptr,
                               gradient.numel()};
  started(kernels, kernels.gegluGradient(args), "gradient of GeGLU");
  return {forGate, forUp, again ? gradient : at::Tensor()};
}

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct GegluFunction : torch::autograd::Function<GegluFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& givenGate, const at::Tensor& givenUp,
                            const KernelTable* kernels) {
    const auto gate = givenGate.contiguous(), up = givenUp.contiguous();
    context->save_for_backward({gate, up});
    keepKernels(context, kernels);
    return gated(*kernels, gate, up);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto found = gatedGradients(kernelsIn(context), gradients[0], saved[0], saved[1]);
    return {found.forGate, found.forUp, at::Tensor()};
  }
};

at::Tensor thinned(const KernelTable& kernels, const at::Tensor& given, const at::Tensor& places, double probability,
                   std::uint64_t seed) {
  const auto x = given.contiguous();
  auto out = at::empty_like(x);
  DropoutArgs args{};
  args.type = elementOf(x);
  args.x = x.const_data_ptr();
  args.out = out.mutable_data_ptr();
  args.count = x.numel();
  args.width = x.size(-1);
  args.places = places.defined() ? places.const_data_ptr<std::int64_t>() : nullptr;
  args.probability = static_cast<float>(probability);
  args.seed = seed;
  started(kernels, kernels.dropout(args), "dropout");
  return out;
}

struct DropoutFunction : torch::autograd::Function<DropoutFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const std::optional<at::Tensor>& givenPlaces,
                            const KernelTable* kernels, double probability, std::int64_t seed) {
    const auto places = givenPlaces.value_or(at::Tensor());
    context->save_for_backward({places});
    keepKernels(context, kernels);
    context->saved_data["probability"] = probability;
    context->saved_data["seed"] = seed;
    return thinned(*kernels, x, places, probability, static_cast<std::uint64_t>(seed));
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto seed = static_cast<std::uint64_t>(context->saved_data["seed"].toInt());
    return {thinned(kernelsIn(context), gradients[0], context->get_saved_variables()[0],
                    context->saved_data["probability"].toDouble(), seed),
            at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor geglu(const KernelTable& kernels, const at::Tensor& gate, const at::Tensor& up) {
  return GegluFunction::apply(gate, up, &kernels);
}

at::Tensor dropped(const KernelTable& kernels, const at::Tensor& x, double probability, std::uint64_t seed,
                   const at::Tensor& places) {
  const auto given = places.defined() ? std::optional<at::Tensor>(places) : std::nullopt;
  return DropoutFunction::apply(x, given, &kernels, probability, static_cast<std::int64_t>(seed));
}

at::Tensor normalisedPixels(const KernelTable& kernels, const at::Tensor& pixels, const at::Tensor& table,
                            at::ScalarType type) {
  const auto images = pixels.size(0), side = pixels.size(1);
  auto out = at::empty({images, 3, side, side}, pixels.options().dtype(type));
  const PixelArgs args{elementOf(out),
                       pixels.const_data_ptr<std::uint8_t>(),
                       table.const_data_ptr<float>(),
                       out.mutable_data_ptr(),
                       images,
                       side};
  started(kernels, kernels.pixels(args), "pixels");
  return out;
}

}  // namespace roadtune::engine::cuda
