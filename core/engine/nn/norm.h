// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/nn/forward_context.h"
#include "core/engine/nn/parameter.h"

#include <utility>

namespace roadtune::engine {

// Gemma's: computed in float32, multiplied by (1 + w) before the result is cast back.
struct RmsNorm {
  const Parameter* weight = nullptr;
  double eps = 1e-6;
  at::Tensor forward(const at::Tensor& x) const;
  std::pair<at::Tensor, at::Tensor> ofSum(const at::Tensor& x, const at::Tensor& delta) const;  // {x + delta, its norm}
};

struct LayerNorm {
  const Parameter* weight = nullptr;
  const Parameter* bias = nullptr;
  double eps = 1e-6;
  at::Tensor forward(const at::Tensor& x) const;
  at::Tensor normed(const at::Tensor& x) const;  // in the type of x
};

}  // namespace roadtune::engine
