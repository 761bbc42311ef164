// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/checkpoint_size.h"

#include "core/model/moments.h"
#include "core/model/narrow.h"

namespace roadtune::model {

CheckpointContent checkpointContent(const config::RunConfig& run) {
  return {!run.flag("save_only_model"), run.text("optim") == "adamw_8bit", run.flag("pure_bf16")};
}

std::uint64_t checkpointBytes(const ModuleTree& tree, const CheckpointContent& content) {
  std::uint64_t weights = 0, state = 0;
  for (const Tensor& tensor : tree.tensors) {
    const auto elements = static_cast<std::uint64_t>(tensor.elements());
    const Module& module = tree.moduleOf(tensor);
    if (tensor.trainable || !tree.writesAdapter()) weights += elements * (tensor.dtype == Dtype::F32 ? 4 : 2);
    if (!tensor.trainable || !content.state) continue;
    const bool narrow = content.pureBf16 && tensor.dtype == Dtype::BF16 && mayBeNarrow(module, tensor);
    state += (narrow ? 0 : 4) * elements;
    state += momentBytes(tensor.elements(), content.eightBitMoments && momentsInBytes(module, tensor));
  }
  return weights + state;
}

}  // namespace roadtune::model
