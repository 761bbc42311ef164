// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_tree.h"

#include "core/base/text.h"
#include "core/config/resolve.h"
#include "core/model/tree_notes.h"
#include "core/model/weight_files.h"

#include <fmt/format.h>

namespace roadtune::cli {

std::shared_ptr<RunTreeOptions> addRunTreeOptions(CLI::App& app) {
  auto options = std::make_shared<RunTreeOptions>();
  app.add_option("--config", options->configPath, "RUN.yaml")->required();
  app.add_option("--set", options->overrides, "key=value, over what the file says");
  app.add_flag("--json", options->json, "For machines");
  return options;
}

Result<RunTree> loadRunTree(const RunTreeOptions& options) {
  config::ResolveOptions resolve;
  resolve.purpose = config::Purpose::Model;
  resolve.overrides = options.overrides;
  ROADTUNE_TRY(config::RunConfig run, config::loadRunConfig(options.configPath, resolve));
  ROADTUNE_TRY(const model::PaliGemmaConfig config, model::PaliGemmaConfig::fromFolder(run.text("model_name_or_path")));
  ROADTUNE_CHECK(model::checkImageSize(run, config));
  ROADTUNE_TRY(const model::Method method, model::methodFrom(run));
  ROADTUNE_TRY(model::ModuleTree tree, model::buildModuleTree(config, method));
  return RunTree{std::move(run), std::move(tree)};
}

namespace {

bool holdsWeights(const std::filesystem::path& folder) {
  std::error_code code;
  return std::filesystem::exists(folder / "model.safetensors", code) ||
         std::filesystem::exists(folder / "model.safetensors.index.json", code);
}

}  // namespace

Status checkModelFolder(const config::RunConfig& run) {
  const std::filesystem::path folder = run.text("model_name_or_path");
  std::error_code code;
  if (!holdsWeights(folder) || !std::filesystem::exists(folder / "config.json", code))
    return {};  // told with the other paths
  const auto about = [](const Error& error) {
    return badInput(error.where.empty() ? error.what : error.where + ": " + error.what, "model_name_or_path",
                    error.hint);
  };
  if (const auto model = model::PaliGemmaConfig::fromFolder(folder); !model.ok()) return about(model.error());
  if (const auto weights = model::WeightFiles::open(folder); !weights.ok()) return about(weights.error());
  const bool known = std::filesystem::exists(folder / "tokenizer.json", code) ||
                     std::filesystem::exists(folder / "tokenizer.model", code);
  if (known || !run.text("tokenizer_name_or_path").empty()) return {};
  return badInput("neither tokenizer.json nor tokenizer.model in " + folder.string(), "model_name_or_path",
                  "tokenizer_name_or_path: a folder that holds one");
}

Status checkAgainstModel(const config::RunConfig& run) {
  const auto model = model::PaliGemmaConfig::fromFolder(run.text("model_name_or_path"));
  if (!model.ok()) return {};
  ROADTUNE_CHECK(model::checkImageSize(run, model.value()));
  const std::filesystem::path adapter = model::adapterOf(run);
  if (std::error_code code; !adapter.empty() && !std::filesystem::exists(adapter, code)) return {};
  ROADTUNE_TRY(const model::Method method, model::methodFrom(run));
  const auto tree = model::buildModuleTree(model.value(), method);
  return tree.ok() ? model::requireTrainable(tree.value()) : Status(tree.error());
}

std::vector<Error> doubtsAboutModel(const config::RunConfig& run) {
  std::vector<Error> doubts;
  const std::filesystem::path folder = run.text("model_name_or_path");
  const auto model = model::PaliGemmaConfig::fromFolder(folder);
  if (!model.ok()) return doubts;
  if (!holdsWeights(folder))
    doubts.push_back(badInput("holds no weights: enough to plan a run, not to train one", "model_name_or_path",
                              "download model.safetensors, or its parts and their index, too"));
  const auto method = model::methodFrom(run);
  if (!method.ok()) return doubts;
  if (const auto tree = model::buildModuleTree(model.value(), method.value()); tree.ok())
    if (const auto unused = model::unusedTargets(tree.value()); !unused.empty())
      doubts.push_back(badInput(join(unused, ", ") + " hit nothing in this model", "target_modules",
                                "`roadtune model tree` lists the names"));
  return doubts;
}

void printNotes(const model::ModuleTree& tree) {
  for (const std::string& note : tree.notes) fmt::print(stderr, "note: {}\n", note);
}

}  // namespace roadtune::cli
