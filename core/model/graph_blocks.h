// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/module_tree.h"

#include <limits>

namespace roadtune::model {

constexpr int kEveryBlock = std::numeric_limits<int>::max();

// How many blocks gradients reach: the last ones of either part, from the lowest on that trains, or all of a part when
// something below it trains. Where one of the vision tower is among them, so are all of the language model.
struct GraphBlocks {
  int vision = 0, text = 0;
  bool features = false;  // something in the tower or the projector trains: what the tower makes is kept
  int all() const { return vision + text; }
};

GraphBlocks blocksInGraph(const ModuleTree& tree);

}  // namespace roadtune::model
