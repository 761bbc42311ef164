// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/model/method.h"
#include "core/model/module_tree.h"

#include <filesystem>
#include <string>

namespace roadtune::model {

// adapter_config.json of a folder as a training method. What changes the mathematics and is not implemented here
// (another peft_type, layer replication, ...) is refused by name.
Result<Method> readAdapterConfig(const std::filesystem::path& folder);

// The adapter_config.json that makes peft build exactly the adapters of the tree. Targets are written as they were
// given when that says it all; when module overrides changed them, each module is listed.
std::string adapterConfigText(const ModuleTree& tree, const std::string& baseModel);

// Is the embedding itself trained, by an override, although peft can only train a copy of it? Its head then has to be
// named, and stored, as a second copy.
bool trainsTiedHead(const ModuleTree& tree);

}  // namespace roadtune::model
