// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/run_tree.h"
#include "core/base/json_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace roadtune::cli {
namespace {

nlohmann::ordered_json paramsJson(const model::ModuleTree& tree) {
  nlohmann::ordered_json json;
  json["model"] = tree.config.name;
  json["trainable"] = tree.trainableParameters();
  json["all"] = tree.allParameters();
  json["percent"] = 100.0 * static_cast<double>(tree.trainableParameters()) / static_cast<double>(tree.allParameters());
  json["line"] = model::trainableLine(tree);
  json["notes"] = tree.notes;
  return json;
}

Result<int> runParams(const RunTreeOptions& options) {
  ROADTUNE_TRY(const RunTree loaded, loadRunTree(options));
  if (options.json) {
    fmt::print("{}\n", jsonText(paramsJson(loaded.tree)));
    return static_cast<int>(kExitDone);
  }
  fmt::print("{}\n", model::trainableLine(loaded.tree));
  printNotes(loaded.tree);
  return static_cast<int>(kExitDone);
}

const Registration kParams{"params", "Count what a run would train, in peft's words; needs no weights",
                           [](CLI::App& app) -> Action {
                             auto options = addRunTreeOptions(app);
                             return [options] { return runParams(*options); };
                           }};

}  // namespace
}  // namespace roadtune::cli
