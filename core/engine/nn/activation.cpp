// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/activation.h"

#include "core/engine/nn/ops.h"

#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>

namespace roadtune::engine {

at::Tensor activate(const at::Tensor& x, model::Activation activation) {
  switch (activation) {
    case model::Activation::GeluTanh: return at::gelu(x, "tanh");
    case model::Activation::Gelu: return at::gelu(x);
    case model::Activation::QuickGelu: return x * at::sigmoid(x * 1.702);
    case model::Activation::Relu: return at::relu(x);
    case model::Activation::Silu: return at::silu(x);
  }
  return x;
}

}  // namespace roadtune::engine
