// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/run_tree.h"
#include "core/base/json_text.h"
#include "core/base/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace roadtune::cli {
namespace {

using Json = nlohmann::ordered_json;

Json tensorJson(const model::ModuleTree& tree, const model::Tensor& tensor) {
  const model::Module& module = tree.moduleOf(tensor);
  const bool adapter = tensor.role != model::TensorRole::Base;
  Json json;
  json["name"] = tensor.name;
  json["shape"] = tensor.shape;
  json["dtype"] = model::torchName(tensor.dtype);
  json["elements"] = tensor.elements();
  json["bytes"] = tensor.bytes();
  json["part"] = model::nameOf(module.part);
  if (module.layer >= 0) json["layer"] = module.layer;
  json["state"] = model::stateWord(tree, tensor);
  json["trainable"] = tensor.trainable;
  if (adapter) {
    json["r"] = module.lora->r;
    json["alpha"] = module.lora->alpha;
    if (module.lora->dropout > 0) json["dropout"] = module.lora->dropout;
    json["scale"] = module.lora->scale;
  }
  if (module.saved) json["saved_copy"] = true;
  if (module.dtype) json["compute_dtype"] = model::torchName(*module.dtype);
  if (module.learningRate && tensor.trainable) json["learning_rate"] = *module.learningRate;
  return json;
}

Json treeJson(const model::ModuleTree& tree) {
  Json json;
  json["model"] = tree.config.name;
  json["trainable"] = tree.trainableParameters();
  json["all"] = tree.allParameters();
  json["notes"] = tree.notes;
  json["tensors"] = Json::array();
  for (const model::Tensor& tensor : tree.tensors) json["tensors"].push_back(tensorJson(tree, tensor));
  return json;
}

void printTree(const model::ModuleTree& tree) {
  std::size_t width = 0;
  for (const model::Tensor& tensor : tree.tensors) width = std::max(width, tensor.name.size());
  for (const model::Tensor& tensor : tree.tensors)
    fmt::print("{:<{}}  {:<20} {:<9} {:>9}  {}\n", tensor.name, width,
               fmt::format("[{}]", fmt::join(tensor.shape, ", ")), model::torchName(tensor.dtype),
               formatBytes(static_cast<double>(tensor.bytes())), model::stateText(tree, tensor));
  fmt::print("{}\n", model::trainableLine(tree));
  printNotes(tree);
}

Result<int> runTree(const RunTreeOptions& options) {
  ROADTUNE_TRY(const RunTree loaded, loadRunTree(options));
  if (options.json)
    fmt::print("{}\n", jsonText(treeJson(loaded.tree), 1));
  else
    printTree(loaded.tree);
  return static_cast<int>(kExitDone);
}

const Registration kTree{"model tree", "Every tensor of a run: shape, bytes, and whether it is trained",
                         [](CLI::App& app) -> Action {
                           auto options = addRunTreeOptions(app);
                           return [options] { return runTree(*options); };
                         }};

}  // namespace
}  // namespace roadtune::cli
