// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/module_tree.h"

#include <string>
#include <vector>

namespace roadtune::model {

// A model before any training method: its leaf modules with their own tensors' shapes, and the paths of everything
// else that a pattern could hit (blocks, activations).
struct BareModule {
  Module module;
  std::vector<std::int64_t> weight = {};
  std::vector<std::int64_t> bias = {};  // empty: none
};

struct BareModel {
  std::vector<BareModule> modules;           // in the order of named_modules()
  std::vector<std::string> otherPaths = {};  // containers and activations
};

BareModel listModules(const PaliGemmaConfig& config);

}  // namespace roadtune::model
