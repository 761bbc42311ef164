// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/sharding_plan.h"

#include "core/model/narrow.h"

#include <algorithm>
#include <map>
#include <utility>

namespace roadtune::model {
namespace {

struct UnitBytes {
  std::uint64_t weights = 0, gradients = 0;
};

}  // namespace

ShardingPlan planSharding(const ModuleTree& tree, const StepShape& step) {
  ShardingPlan plan;
  if (!step.shares()) return plan;
  const std::uint64_t size = sizeOf(step.computeDtype);
  std::map<std::pair<Part, int>, UnitBytes> blocks;
  UnitBytes ends;
  for (const Tensor& tensor : tree.tensors) {
    const Module& module = tree.moduleOf(tensor);
    UnitBytes& unit = module.layer < 0 ? ends : blocks[{module.part, module.layer}];
    const auto elements = static_cast<std::uint64_t>(tensor.elements());
    if (tensor.trainable) {
      const bool narrow = (module.layer >= 0 || step.pureBf16) && mayBeNarrow(module, tensor);
      unit.weights += elements * (narrow ? size : 4);
      unit.gradients += elements * (narrow ? size : 4);
    } else if (step.shardFrozen) {
      const Nf4Bytes packed = nf4Bytes(tensor.elements(), tensor.doubleQuant);
      unit.weights +=
          tensor.nf4 ? packed.codes + packed.constants : elements * sizeOf(module.dtype.value_or(step.computeDtype));
    }
  }
  plan.ends = ends.weights;
  plan.endsGradients = ends.gradients;
  for (const auto& [key, unit] : blocks) {
    plan.block = std::max(plan.block, unit.weights);
    plan.blockGradients = std::max(plan.blockGradients, unit.gradients);
    if (!step.reshardAfterForward) plan.waiting += unit.weights;
  }
  return plan;
}

}  // namespace roadtune::model
