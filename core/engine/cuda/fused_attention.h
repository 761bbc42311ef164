// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/cuda/kernels.h"

namespace roadtune::engine::cuda {

// Attention over whole score matrices, with the cap, the mask and the softmax in one kernel between two batched
// products. Keeps q, k, v and one number per row; scores are computed again in the backward pass. Shapes as attend()
// has them; `mask` in the type of q.
at::Tensor attendDense(const KernelTable& kernels, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                       const at::Tensor& mask, double scale, double cap);

}  // namespace roadtune::engine::cuda
