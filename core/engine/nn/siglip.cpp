// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/siglip.h"

#include "core/engine/attention/attention.h"
#include "core/engine/attention/heads.h"
#include "core/engine/lora/gated.h"
#include "core/engine/lora/together.h"
#include "core/engine/nn/ops.h"
#include "core/engine/nn/recompute.h"

#include <ATen/ops/linear.h>

#include <cmath>

namespace roadtune::engine {
namespace {

// Patches do not overlap, so their convolution is a product of rows: one row per patch, channel by channel. It needs no
// cuDNN on a GPU.
at::Tensor patchRows(const at::Tensor& pixels, std::int64_t size, at::ScalarType type) {
  const auto images = pixels.size(0), channels = pixels.size(1), down = pixels.size(2) / size,
             across = pixels.size(3) / size;
  return pixels.narrow(2, 0, down * size)
      .narrow(3, 0, across * size)
      .reshape({images, channels, down, size, across, size})
      .permute({0, 2, 4, 1, 3, 5})
      .to(type, false, false, at::MemoryFormat::Contiguous)
      .reshape({images, down * across, channels * size * size});
}

}  // namespace

at::Tensor SiglipLayer::forward(const at::Tensor& x, const ForwardContext& context) const {
  const auto [entering, ready] = norm1.beside(x);
  const auto projected = forwardTogether({q, k, v}, ready, context);
  const auto query = splitHeads(projected[0], heads), key = splitHeads(projected[1], heads),
             value = splitHeads(projected[2], heads);
  const double scale = 1.0 / std::sqrt(static_cast<double>(x.size(2) / heads));
  const auto attended = out->forward(joinHeads(attend(query, key, value, {}, scale, 0.0)), context);
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
  const auto patches = patchRows(pixels, patchSize, type);
  auto x = at::linear(patches, patchWeight->as(type).flatten(1), patchBias->as(type)).to(context.type) +
           positions->as(context.type);
  std::size_t unit = 0;
  for (const auto& layer : layers)
    x = recomputed(x, context, layer.trains(), ++unit,
                   [&layer](const at::Tensor& in, const ForwardContext& inside) { return layer.forward(in, inside); });
  return finalNorm.forward(x);
}

}  // namespace roadtune::engine
