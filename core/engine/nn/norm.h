// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/cuda/kernels.h"
#include "core/engine/nn/forward_context.h"
#include "core/engine/nn/parameter.h"

#include <utility>

namespace roadtune::engine {

// Gemma's: computed in float32, multiplied by (1 + w) before the result is cast back.
struct RmsNorm {
  const Parameter* weight = nullptr;
  double eps = 1e-6;
  at::Tensor forward(const at::Tensor& x) const;
  // {x, its norm} for those who go on with both: the gradients of both come back in one pass.
  std::pair<at::Tensor, at::Tensor> beside(const at::Tensor& x) const;
  std::pair<at::Tensor, at::Tensor> ofSum(const at::Tensor& x, const at::Tensor& delta) const;  // {x + delta, its norm}
};

struct LayerNorm {
  const Parameter* weight = nullptr;
  const Parameter* bias = nullptr;
  double eps = 1e-6;
  at::Tensor forward(const at::Tensor& x) const;
  std::pair<at::Tensor, at::Tensor> beside(const at::Tensor& x) const;
  std::pair<at::Tensor, at::Tensor> ofSum(const at::Tensor& x, const at::Tensor& delta) const;

 private:
  const cuda::KernelTable* kernels(const at::Tensor& x) const;  // null where the norm has a type of its own
  at::Tensor normed(const at::Tensor& x) const;                 // in the type of x
};

}  // namespace roadtune::engine
