// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/command.h"
#include "core/base/result.h"
#include "core/config/run_config.h"
#include "core/model/module_tree.h"

#include <memory>
#include <string>
#include <vector>

namespace roadtune::cli {

// The options of every command that looks at what a run would train: --config RUN.yaml, --set key=value, --json.
struct RunTreeOptions {
  std::string configPath;
  std::vector<std::string> overrides;
  bool json = false;
};
std::shared_ptr<RunTreeOptions> addRunTreeOptions(CLI::App& app);

struct RunTree {
  config::RunConfig run;
  model::ModuleTree tree;
};

// Reads the configuration and the model's config.json; no weights are touched.
Result<RunTree> loadRunTree(const RunTreeOptions& options);

// What the model itself, when its folder is here, has against the configuration: layers it does not have, another size
// of picture. Without it there is nothing to say.
Status checkAgainstModel(const config::RunConfig& run);

// Can the model be used at all: what its config.json says, the weights that its files hold, a tokenizer? Nothing of
// them is read but their beginnings.
Status checkModelFolder(const config::RunConfig& run);

// What is odd about them, though a run may begin: names that hit nothing, a folder without weights.
std::vector<Error> doubtsAboutModel(const config::RunConfig& run);

void printNotes(const model::ModuleTree& tree);  // to stderr

}  // namespace roadtune::cli
