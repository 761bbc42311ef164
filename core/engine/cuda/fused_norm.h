// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/cuda/kernels.h"

#include <utility>

namespace roadtune::engine::cuda {

// Gemma's norm of x (last dimension) with the gain's own type kept for its gradient.
at::Tensor rmsNorm(const KernelTable& kernels, const at::Tensor& x, const at::Tensor& gain, double eps);

// {x, its norm}; the gradients of both come back in one pass.
std::pair<at::Tensor, at::Tensor> besideRmsNorm(const KernelTable& kernels, const at::Tensor& x, const at::Tensor& gain,
                                                double eps);

// {x + delta, its norm} in one pass forward and one backward.
std::pair<at::Tensor, at::Tensor> addThenRmsNorm(const KernelTable& kernels, const at::Tensor& x,
                                                 const at::Tensor& delta, const at::Tensor& gain, double eps);

// The same three of a layer norm; weight and bias in the type of x.
at::Tensor layerNorm(const KernelTable& kernels, const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                     double eps);
std::pair<at::Tensor, at::Tensor> besideLayerNorm(const KernelTable& kernels, const at::Tensor& x,
                                                  const at::Tensor& weight, const at::Tensor& bias, double eps);
std::pair<at::Tensor, at::Tensor> addThenLayerNorm(const KernelTable& kernels, const at::Tensor& x,
                                                   const at::Tensor& delta, const at::Tensor& weight,
                                                   const at::Tensor& bias, double eps);

}  // namespace roadtune::engine::cuda
