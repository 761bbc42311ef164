// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/lora/gated.h"

#include "core/engine/cuda/fused_points.h"
#include "core/engine/lora/adapter.h"
#include "core/engine/nn/activation.h"
#include "core/engine/nn/ops.h"
#include "core/engine/nn/recompute.h"

namespace roadtune::engine {

namespace {

at::Tensor throughKernels(const cuda::KernelTable& kernels, const Linear& layer, const at::Tensor& gate,
                          const at::Tensor& up, const ForwardContext& context) {
  const auto* adapter = layer.adapter();
  auto* last = context.lastProduct;
  if (adapter && !adapter->addsInPlace(context.type, context.type)) last = nullptr;
  const bool known = last && last->isKnown();
  std::vector<Product> layers{layer.product(context)};
  if (known) layers.front().known = last;
  if (adapter) layers.push_back({adapter->a->as(context.type)});
  const auto made = gatedProducts(kernels, gate, up, layers);
  const auto result = adapter ? adapter->added(made[0], made[1], layer, {}, context, known) : made[0];
  if (last) last->made(result);
  return result;
}

}  // namespace

at::Tensor forwardGated(const Linear& layer, const at::Tensor& gate, const at::Tensor& up, model::Activation activation,
                        const ForwardContext& context) {
  const auto* kernels = activation == model::Activation::GeluTanh ? cuda::kernelsFor(gate) : nullptr;
  const auto* adapter = layer.adapter();
  if (kernels && !layer.hasOwnType() && (!adapter || adapter->besideBase(layer, context)))
    return throughKernels(*kernels, layer, gate, up, context);
  if (kernels && up.defined()) return layer.forward(cuda::geglu(*kernels, gate, up), context);
  const auto active = activate(gate, activation);
  return layer.forwardLast(up.defined() ? active * up : active, context);
}

}  // namespace roadtune::engine
