// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/module_tree.h"

namespace roadtune::model {

// Fills ModuleTree::notes with what surprises people about a method.
void addNotes(ModuleTree& tree);

}  // namespace roadtune::model
