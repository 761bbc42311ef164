// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/lora/gated.h"

#include "core/engine/cuda/fused_points.h"
#include "core/engine/lora/adapter.h"
#include "core/engine/nn/activation.h"
#include "core/engine/nn/ops.h"

namespace roadtune::engine {

at::Tensor forwardGated(const Linear& layer, const at::Tensor& gate, const at::Tensor& up, model::Activation activation,
                        const ForwardContext& context) {
  const auto* kernels = activation == model::Activation::GeluTanh ? cuda::kernelsFor(gate) : nullptr;
  const auto* adapter = layer.adapter();
  const bool together = !layer.hasOwnType() && (!adapter || adapter->besideBase(layer, context));
  if (kernels && together) {
    std::vector<Product> layers{layer.product(context)};
    if (adapter) layers.push_back({adapter->a->as(context.type)});
    const auto made = gatedProducts(*kernels, gate, up, layers);
    return adapter ? adapter->added(made[0], made[1], layer, {}, context) : made[0];
  }
  if (kernels && up.defined()) return layer.forward(cuda::geglu(*kernels, gate, up), context);
  const auto active = activate(gate, activation);
  return layer.forward(up.defined() ? active * up : active, context);
}

}  // namespace roadtune::engine
