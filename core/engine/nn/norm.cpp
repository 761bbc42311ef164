// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/norm.h"

#include "core/engine/nn/ops.h"

#include <ATen/ops/layer_norm.h>
#include <ATen/ops/rsqrt.h>

namespace roadtune::engine {

at::Tensor RmsNorm::forward(const at::Tensor& x) const {
  const auto wide = x.to(at::kFloat);
  const auto scaled = wide * at::rsqrt(wide.pow(2).mean(-1, true) + eps);
  return (scaled * (weight->as(at::kFloat) + 1.0)).to(x.scalar_type());
}

at::Tensor LayerNorm::forward(const at::Tensor& x) const {
  const auto w = weight->as(x.scalar_type());
  return at::layer_norm(x, {x.size(-1)}, w, bias->as(x.scalar_type()), eps);
}

}  // namespace roadtune::engine
