// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/cuda/kernels.h"

namespace roadtune::engine::cuda {

// Cross entropy float32 [rows] of logits [rows, V] (contiguous); with `gradients` the logits become
// d(sum of weight * loss)/d(logits) in place.
at::Tensor rowsCrossEntropy(const KernelTable& kernels, at::Tensor& logits, const at::Tensor& targets,
                            const at::Tensor& weights, double cap, double smoothing, bool gradients);

}  // namespace roadtune::engine::cuda
