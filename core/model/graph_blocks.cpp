// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/graph_blocks.h"

#include <algorithm>

namespace roadtune::model {
namespace {

template <class Condition>
bool anyTrains(const ModuleTree& tree, Condition condition) {
  return std::any_of(tree.tensors.begin(), tree.tensors.end(),
                     [&](const Tensor& tensor) { return tensor.trainable && condition(tree.moduleOf(tensor)); });
}

bool isAbove(const Module& module) { return module.path == "lm_head" || module.path.ends_with("norm"); }

// Of so many blocks of a part, those from the lowest that trains to the last.
int fromLowest(const ModuleTree& tree, Part part, int count) {
  const auto below = [part](const Module& module) {
    return module.part == part && module.layer < 0 && !isAbove(module);
  };
  if (anyTrains(tree, below)) return count;
  for (int layer = 0; layer < count; ++layer)
    if (anyTrains(tree, [&](const Module& module) { return module.part == part && module.layer == layer; }))
      return count - layer;
  return 0;
}

}  // namespace

GraphBlocks blocksInGraph(const ModuleTree& tree) {
  GraphBlocks blocks;
  blocks.vision = fromLowest(tree, Part::Vision, tree.config.vision.layers);
  blocks.features = anyTrains(tree, [](const Module& module) { return module.part != Part::Text; });
  blocks.text = blocks.features ? tree.config.text.layers : fromLowest(tree, Part::Text, tree.config.text.layers);
  return blocks;
}

}  // namespace roadtune::model
