// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/run_config.h"
#include "core/model/module_tree.h"

#include <QStringList>

#include <string>
#include <vector>

namespace roadtune::studio {

// What a run needs besides `finetuning_type: qlora` (and, where it has no target modules, all linear ones) so that
// modules that are not painted stay what they are.
struct FourBitRun {
  std::vector<config::ModuleOverride> rules;  // before all others
  std::vector<std::string> unquantized;       // llm_int8_skip_modules; empty: as it is
};

// `tree` is of the run before; without one nothing is known of other modules. `painted` are paths of the tree.
FourBitRun fourBitRun(const config::RunConfig& config, const model::ModuleTree* tree, const QStringList& painted);

}  // namespace roadtune::studio
