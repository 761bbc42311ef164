// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/checkpoint_size.h"

namespace roadtune::model {

std::uint64_t checkpointBytes(const ModuleTree& tree, bool withState) {
  std::uint64_t weights = 0, trained = 0;
  bool whole = false;
  for (const Tensor& tensor : tree.tensors) {
    if (tensor.trainable) trained += static_cast<std::uint64_t>(tensor.elements());
    whole |= tensor.trainable && tensor.role == TensorRole::Base;
  }
  for (const Tensor& tensor : tree.tensors) {
    const bool written = whole ? tensor.role == TensorRole::Base || tensor.trainable : tensor.trainable;
    if (written) weights += static_cast<std::uint64_t>(tensor.elements()) * (tensor.dtype == Dtype::F32 ? 4 : 2);
  }
  return weights + (withState ? trained * 12 : 0);  // masters and two moments in float32
}

}  // namespace roadtune::model
