// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/checkpoint_size.h"

#include "core/model/moments.h"

namespace roadtune::model {

CheckpointContent checkpointContent(const config::RunConfig& run) {
  return {!run.flag("save_only_model"), run.text("optim") == "adamw_8bit"};
}

std::uint64_t checkpointBytes(const ModuleTree& tree, const CheckpointContent& content) {
  std::uint64_t weights = 0, state = 0;
  for (const Tensor& tensor : tree.tensors) {
    if (tensor.trainable || !tree.writesAdapter())
      weights += static_cast<std::uint64_t>(tensor.elements()) * (tensor.dtype == Dtype::F32 ? 4 : 2);
    if (tensor.trainable && content.state)
      state += 4 * static_cast<std::uint64_t>(tensor.elements()) +
               momentBytes(tensor.elements(), content.eightBitMoments && momentsInBytes(tree.moduleOf(tensor), tensor));
  }
  return weights + state;
}

}  // namespace roadtune::model
