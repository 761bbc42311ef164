// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/module_tree.h"

namespace roadtune::model {

// Weights that take part in 16-bit products alone: they may travel, and with `pure_bf16` be kept, in bfloat16. Vectors
// are small, norms compute in float32, and so do adapters where they are asked to.
inline bool mayBeNarrow(const Module& module, const Tensor& tensor) {
  return tensor.role == TensorRole::Base && tensor.shape.size() > 1 && module.dtype != Dtype::F32;
}

}  // namespace roadtune::model
