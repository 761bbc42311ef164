// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/cuda/kernels.h"

#include <torch/csrc/autograd/custom_function.h>

namespace roadtune::engine::cuda {

// The table that a function's forward pass used, for its backward pass.
inline void keepKernels(torch::autograd::AutogradContext* context, const KernelTable* kernels) {
  context->saved_data["kernels"] = reinterpret_cast<std::int64_t>(kernels);
}

inline const KernelTable& kernelsIn(torch::autograd::AutogradContext* context) {
  return *reinterpret_cast<const KernelTable*>(context->saved_data["kernels"].toInt());
}

}  // namespace roadtune::engine::cuda
