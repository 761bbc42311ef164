// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/run_config.h"
#include "widgets/models/module_paint.h"

#include <QStringList>

#include <vector>

namespace roadtune::studio {

// The lines of `modules:` after these modules were painted. Painting a method replaces what it covers but leaves types;
// painting a type replaces the types that it covers but leaves methods; painting neither takes all exceptions away.
std::vector<config::ModuleOverride> paintedRules(std::vector<config::ModuleOverride> rules, const QStringList& modules,
                                                 const widgets::ModulePaint& paint);

// These rules before the others: what the others say wins. A rule about the very same modules that only has a type or a
// rate becomes part of the new one.
std::vector<config::ModuleOverride> withRulesBefore(std::vector<config::ModuleOverride> rules,
                                                    std::vector<config::ModuleOverride> before);

// As the text of a configuration holds them: the short form where a method is all there is.
config::Value rulesValue(const std::vector<config::ModuleOverride>& rules);

}  // namespace roadtune::studio
