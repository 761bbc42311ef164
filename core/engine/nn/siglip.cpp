// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/siglip.h"

#include "core/engine/attention/attention.h"
#include "core/engine/lora/gated.h"
#include "core/engine/lora/together.h"
#include "core/engine/nn/ops.h"
#include "core/engine/nn/recompute.h"

#include <ATen/ops/conv2d.h>

#include <cmath>

namespace roadtune::engine {
namespace {

at::Tensor splitHeads(const at::Tensor& x, std::int64_t heads) {
  return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}

}  // namespace

at::Tensor SiglipLayer::forward(const at::Tensor& x, const ForwardContext& context) const {
  const auto [entering, ready] = norm1.beside(x);
  const auto projected = forwardTogether({q, k, v}, ready, context);
  const auto query = splitHeads(projected[0], heads), key = splitHeads(projected[1], heads),
             value = splitHeads(projected[2], heads);
  const double scale = 1.0 / std::sqrt(static_cast<double>(x.size(2) / heads));
  const auto attended = out->forward(attend(query, key, value, {}, scale, 0.0), context);
  const auto [middle, normed] = norm2.ofSum(entering, attended);
  return middle + forwardGated(*fc2, fc1->forward(normed, context), {}, activation, context);
}

bool SiglipLayer::trains() const {
  for (const auto* parameter : {norm1.weight, norm1.bias, norm2.weight, norm2.bias})
    if (parameter->trainable) return true;
  for (const auto* linear : {q, k, v, out, fc1, fc2})
    if (linear->trains()) return true;
  return false;
}

at::Tensor SiglipTower::forward(const at::Tensor& pixels, const ForwardContext& context) const {
  const auto type = patchWeight->computeType.value_or(context.type);
  const auto patches =
      at::conv2d(pixels.to(type), patchWeight->as(type), patchBias->as(type), at::IntArrayRef{patchSize, patchSize})
          .to(context.type);
  auto x = patches.flatten(2).transpose(1, 2).contiguous() + positions->as(context.type);  // rows are patches
  std::size_t unit = 0;
  for (const auto& layer : layers)
    x = recomputed(x, context, layer.trains(), ++unit,
                   [&layer, context](const at::Tensor& in) { return layer.forward(in, context); });
  return finalNorm.forward(x);
}

}  // namespace roadtune::engine
