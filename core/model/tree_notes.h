// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/module_tree.h"

#include <string>
#include <vector>

namespace roadtune::model {

// Names among target_modules that no module has.
std::vector<std::string> unusedTargets(const ModuleTree& tree);

// Fills ModuleTree::notes with what surprises people about a method.
void addNotes(ModuleTree& tree);

}  // namespace roadtune::model
