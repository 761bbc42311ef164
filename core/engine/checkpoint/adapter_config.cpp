// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/checkpoint/adapter_config.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/model/tensor_names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace roadtune::engine {
namespace {

using nlohmann::json;

bool isOn(const json& config, const char* key) {
  const auto found = config.find(key);
  if (found == config.end() || found->is_null()) return false;
  if (found->is_boolean()) return found->get<bool>();
  if (found->is_object() || found->is_array()) return !found->empty();
  return true;
}

Result<model::TargetNames> targetsFrom(const json& config, const char* key, const std::string& where) {
  model::TargetNames targets;
  const auto found = config.find(key);
  if (found == config.end() || found->is_null()) return targets;
  if (found->is_string()) {
    if (*found == "all-linear")
      targets.allLinear = true;
    else
      targets.pattern = found->get<std::string>();
    return targets;
  }
  if (!found->is_array()) return badInput(std::string(key) + " is neither a list nor a text", where);
  for (const auto& name : *found) {
    if (!name.is_string()) return badInput(std::string(key) + " holds something that is no name", where);
    targets.names.push_back(name.get<std::string>());
  }
  return targets;
}

void readPatterns(const json& config, model::Method& method) {
  const auto ranks = config.value("rank_pattern", json::object()),
             alphas = config.value("alpha_pattern", json::object());
  for (const auto& [name, value] : ranks.items()) method.rankPattern.emplace_back(name, value.get<int>());
  for (const auto& [name, value] : alphas.items()) method.alphaPattern.emplace_back(name, value.get<double>());
  const auto layers = config.find("layers_to_transform");
  if (layers != config.end() && layers->is_number_integer()) method.layersToTransform = {layers->get<int>()};
  if (layers != config.end() && layers->is_array()) method.layersToTransform = layers->get<std::vector<int>>();
  const auto pattern = config.find("layers_pattern");
  if (pattern != config.end() && pattern->is_string()) method.layersPattern = {pattern->get<std::string>()};
  if (pattern != config.end() && pattern->is_array()) method.layersPattern = pattern->get<std::vector<std::string>>();
}

// Some first values take a part out of the base model, in memory alone: such an adapter is right only on what was left.
Status refuseChangedBase(const json& config, const std::string& where) {
  const auto word = config.value("init_lora_weights", json());
  if (!word.is_string()) return {};
  const auto name = word.get<std::string>();
  for (const char* kind : {"pissa", "olora", "loftq", "corda", "lora_ga"})
    if (startsWith(name, kind))
      return badInput("init_lora_weights: " + name + " changed the base model, which is not stored with the adapter",
                      where, "save it with peft's path_initial_model_for_weight_conversion, or merge it with peft");
  return {};
}

Result<model::Method> methodFromJson(const json& config, const std::string& where) {
  if (config.value("peft_type", "") != "LORA")
    return badInput("peft_type is not LORA", where, "only LoRA, rsLoRA and DoRA adapters can be read");
  for (const char* key :
       {"layer_replication", "target_parameters", "trainable_token_indices", "alora_invocation_tokens", "use_qalora",
        "use_bdlora", "ensure_weight_tying", "arrow_config", "velora_config", "monteclora_config", "kasa_config"})
    if (isOn(config, key)) return badInput(std::string("adapters with ") + key + " are not supported", where);
  ROADTUNE_CHECK(refuseChangedBase(config, where));
  model::Method method;
  method.type = model::FinetuningType::Lora;
  ROADTUNE_TRY(method.targets, targetsFrom(config, "target_modules", where));
  ROADTUNE_TRY(method.exclude, targetsFrom(config, "exclude_modules", where));
  method.r = config.value("r", 8);
  method.loraAlpha = config.value("lora_alpha", 8.0);
  method.loraDropout = config.value("lora_dropout", 0.0);
  method.rslora = isOn(config, "use_rslora");
  method.dora = isOn(config, "use_dora");
  method.loraBias = isOn(config, "lora_bias");
  const auto bias = config.value("bias", "none");
  if (bias != "all" && bias != "lora_only" && bias != "none")
    return badInput("bias: " + bias + " is not known", where, "none, all or lora_only");
  method.bias = bias == "all"         ? model::BiasMode::All
                : bias == "lora_only" ? model::BiasMode::LoraOnly
                                      : model::BiasMode::None;
  if (isOn(config, "modules_to_save"))
    method.modulesToSave = config.at("modules_to_save").get<std::vector<std::string>>();
  readPatterns(config, method);
  return method;
}

// The name of a module that matches it, and nothing else, in every release of the reference.
std::string uniqueTail(const std::string& path) {
  for (const std::string_view head : {"model.vision_tower.", "model."})
    if (startsWith(path, head)) return path.substr(head.size());
  return path;
}

bool sameAdapters(const model::ModuleTree& a, const model::ModuleTree& b) {
  if (a.modules.size() != b.modules.size()) return false;
  for (std::size_t i = 0; i < a.modules.size(); ++i) {
    const auto& left = a.modules[i].lora;
    const auto& right = b.modules[i].lora;
    if (left.has_value() != right.has_value()) return false;
    if (left && (left->r != right->r || left->alpha != right->alpha)) return false;
  }
  return true;
}

// Would peft, which knows no overrides, arrive at the same adapters?
bool targetsSayItAll(const model::ModuleTree& tree) {
  auto method = tree.method;
  method.rules.clear();
  const auto plain = model::buildModuleTree(tree.config, method);
  return plain.ok() && sameAdapters(tree, plain.value());
}

json targetsJson(const model::TargetNames& targets) {
  if (targets.allLinear) return "all-linear";
  if (!targets.pattern.empty()) return targets.pattern;
  return targets.names.empty() ? json(nullptr) : json(targets.names);
}

void writeTargets(json& config, const model::ModuleTree& tree) {
  const auto& method = tree.method;
  if (targetsSayItAll(tree)) {
    config["target_modules"] = targetsJson(method.targets);
    config["exclude_modules"] = targetsJson(method.exclude);
    config["rank_pattern"] = json::object();
    config["alpha_pattern"] = json::object();
    for (const auto& [name, rank] : method.rankPattern) config["rank_pattern"][name] = rank;
    for (const auto& [name, alpha] : method.alphaPattern) config["alpha_pattern"][name] = alpha;
    if (!method.layersToTransform.empty()) config["layers_to_transform"] = method.layersToTransform;
    if (!method.layersPattern.empty()) config["layers_pattern"] = method.layersPattern;
    return;
  }
  auto names = json::array();
  auto ranks = json::object(), alphas = json::object();
  for (const auto& module : tree.modules) {
    if (!module.lora) continue;
    const auto name = uniqueTail(module.path);
    names.push_back(name);
    if (module.lora->r != method.r) ranks[name] = module.lora->r;
    if (module.lora->alpha != method.loraAlpha) alphas[name] = module.lora->alpha;
  }
  config["target_modules"] = names;
  config["rank_pattern"] = ranks;
  config["alpha_pattern"] = alphas;
}

// The trained copies: as they were asked for, unless overrides made them others.
std::vector<std::string> savedNames(const model::ModuleTree& tree) {
  auto method = tree.method;
  method.rules.clear();
  const auto plain = model::buildModuleTree(tree.config, method);
  bool same = plain.ok() && plain.value().modules.size() == tree.modules.size();
  for (std::size_t i = 0; same && i < tree.modules.size(); ++i)
    same = plain.value().modules[i].saved == tree.modules[i].saved;
  if (same) return method.modulesToSave;
  std::vector<std::string> names;
  for (const auto& module : tree.modules)
    if (module.saved) names.push_back(uniqueTail(module.path));
  return names;
}

// Modules trained in full beside the adapters.
json modulesToSave(const model::ModuleTree& tree) {
  auto names = savedNames(tree);
  std::set<std::string> added;
  for (const auto& tensor : tree.tensors) {
    const auto& module = tree.moduleOf(tensor);
    const bool onlyBias = tree.method.bias != model::BiasMode::None && endsWith(tensor.name, ".bias");
    if (tensor.role != model::TensorRole::Base || !tensor.trainable || module.saved || onlyBias) continue;
    if (added.insert(module.path).second) names.push_back(uniqueTail(module.path));
  }
  if (trainsTiedHead(tree)) names.emplace_back("lm_head");
  return names.empty() ? json(nullptr) : json(names);
}

}  // namespace

bool trainsTiedHead(const model::ModuleTree& tree) {
  const auto* embedding = tree.find(model::kEmbedTokens);
  return tree.config.tieWordEmbeddings && embedding && embedding->trainable && !tree.moduleOf(*embedding).saved;
}

Result<model::Method> readAdapterConfig(const std::filesystem::path& folder) {
  const auto path = folder / "adapter_config.json";
  ROADTUNE_TRY(const auto text, readFile(path));
  const auto config = json::parse(text, nullptr, false);
  if (!config.is_object()) return badInput("this is not a JSON object", path.string());
  try {
    return methodFromJson(config, path.string());
  } catch (const json::exception& error) {
    return badInput(std::string("a value has the wrong kind: ") + error.what(), path.string());
  }
}

std::string adapterConfigText(const model::ModuleTree& tree, const std::string& baseModel) {
  const auto& method = tree.method;
  json config = {{"peft_type", "LORA"},
                 {"task_type", "CAUSAL_LM"},
                 {"base_model_name_or_path", baseModel},
                 {"revision", nullptr},
                 {"inference_mode", true},
                 {"auto_mapping", nullptr},
                 {"r", method.r},
                 {"lora_alpha", method.loraAlpha},
                 {"lora_dropout", method.loraDropout},
                 {"fan_in_fan_out", false},
                 {"init_lora_weights", true},
                 {"layers_to_transform", nullptr},
                 {"layers_pattern", nullptr},
                 {"exclude_modules", nullptr},
                 {"use_rslora", method.rslora},
                 {"use_dora", method.dora},
                 {"lora_bias", method.loraBias},
                 {"peft_version", "0.18.0"}};
  config["bias"] = method.bias == model::BiasMode::All        ? "all"
                   : method.bias == model::BiasMode::LoraOnly ? "lora_only"
                                                              : "none";
  if (method.loraAlpha == static_cast<double>(static_cast<long long>(method.loraAlpha)))
    config["lora_alpha"] = static_cast<long long>(method.loraAlpha);
  writeTargets(config, tree);
  config["modules_to_save"] = modulesToSave(tree);
  return config.dump(2) + "\n";
}

}  // namespace roadtune::engine
