// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/step_flops.h"

#include <algorithm>
#include <limits>

namespace roadtune::model {
namespace {

// Where a module lies on the way from pictures to logits.
int depthOf(const Module& module) {
  constexpr int kFar = 1'000'000;
  return static_cast<int>(module.part) * kFar + (module.layer < 0 ? 0 : module.layer + 1);
}

bool multiplies(const Module& module, const Tensor& tensor) {
  const bool matrix = module.kind == ModuleKind::Linear || module.kind == ModuleKind::Conv2d;
  return matrix && tensor.shape.size() >= 2;
}

double positionsOf(const Module& module, const ModuleTree& tree, const StepLoad& load) {
  if (module.part == Part::Text) {
    const bool last = module.layer + 1 == tree.config.text.layers;
    const bool seenByAll = module.path.ends_with(".k_proj") || module.path.ends_with(".v_proj");
    return static_cast<double>(last && !seenByAll && load.asked > 0 ? load.asked : load.tokens);
  }
  if (module.part == Part::Vision && load.visionKept) return 0;
  return static_cast<double>(load.samples) * tree.config.imageTokens();
}

}  // namespace

double stepFlops(const ModuleTree& tree, const StepLoad& load) {
  int lowest = std::numeric_limits<int>::max();
  for (const auto& tensor : tree.tensors)
    if (tensor.trainable) lowest = std::min(lowest, depthOf(tree.moduleOf(tensor)));
  double flops = 0;
  for (const auto& tensor : tree.tensors) {
    const auto& module = tree.moduleOf(tensor);
    const bool head = module.kind == ModuleKind::Embedding && tensor.role == TensorRole::Base;
    if (!head && !multiplies(module, tensor)) continue;
    const double once = 2.0 * static_cast<double>(tensor.elements()) *
                        (head ? static_cast<double>(load.targets) : positionsOf(module, tree, load));
    const bool passesBack = head ? lowest < std::numeric_limits<int>::max() : depthOf(module) >= lowest;
    flops += once * (1 + (passesBack ? 1 : 0) + (tensor.trainable ? 1 : 0));
  }
  return flops;
}

}  // namespace roadtune::model
