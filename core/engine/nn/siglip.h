// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/nn/linear.h"
#include "core/engine/nn/norm.h"
#include "core/model/pali_config.h"

#include <vector>

namespace roadtune::engine {

struct SiglipLayer {
  LayerNorm norm1, norm2;
  Linear *q = nullptr, *k = nullptr, *v = nullptr, *out = nullptr, *fc1 = nullptr, *fc2 = nullptr;
  std::int64_t heads = 1;
  model::Activation activation = model::Activation::GeluTanh;

  at::Tensor forward(const at::Tensor& x, const ForwardContext& context) const;
  bool trains() const;
};

// The vision tower: patches, positions, pre-norm blocks, final norm. No pooling.
struct SiglipTower {
  const Parameter *patchWeight = nullptr, *patchBias = nullptr, *positions = nullptr;
  std::int64_t patchSize = 14;
  std::vector<SiglipLayer> layers;
  LayerNorm finalNorm;

  // [N, 3, S, S] -> [N, tokens, hidden]
  at::Tensor forward(const at::Tensor& pixels, const ForwardContext& context) const;
};

}  // namespace roadtune::engine
