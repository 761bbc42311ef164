// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/module_tree.h"

#include <cstdint>

namespace roadtune::model {

// What one checkpoint of a run takes on disk: adapters and what else is trained, or the whole model when any of its own
// weights are; with what an exact resume needs, unless save_only_model.
std::uint64_t checkpointBytes(const ModuleTree& tree, bool withState);

}  // namespace roadtune::model
