// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/adapter_config.h"

#include "core/base/files.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/model/json_fields.h"
#include "core/model/python_regex.h"
#include "core/model/tensor_names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <string_view>
#include <type_traits>
#include <utility>

namespace roadtune::model {
namespace {

using nlohmann::json;

constexpr int kMostRank = 1 << 20;

bool isOn(const json& config, const char* key) {
  const auto found = config.find(key);
  if (found == config.end() || found->is_null()) return false;
  if (found->is_boolean()) return found->get<bool>();
  if (found->is_object() || found->is_array()) return !found->empty();
  return true;
}

template <class Value>
void readValue(JsonFields& fields, const std::string& key, const json& found, std::vector<Value>& values) {
  constexpr bool kNumber = std::is_same_v<Value, int>;
  if (kNumber ? found.is_number_integer() : found.is_string())
    values.push_back(found.get<Value>());
  else
    fields.mismatch(key, kNumber ? "a whole number" : "text", found);
}

// A list of values, or one alone.
template <class Value>
void readValues(JsonFields& fields, const std::string& key, std::vector<Value>& values) {
  const json* found = fields.find({key.c_str()});
  if (!found) return;
  if (!found->is_array()) return readValue(fields, key, *found, values);
  for (std::size_t i = 0; i < found->size(); ++i)
    readValue(fields, key + "[" + std::to_string(i) + "]", (*found)[i], values);
}

void readTargets(JsonFields& fields, const char* key, TargetNames& targets) {
  const json* found = fields.find({key});
  if (!found) return;
  if (found->is_array()) return readValues(fields, key, targets.names);
  if (!found->is_string()) return fields.mismatch(key, "a pattern or a list of names", *found);
  targets.allLinear = *found == "all-linear";
  if (!targets.allLinear) targets.pattern = found->get<std::string>();
}

template <class Value>
void readPattern(JsonFields& fields, const std::string& key, std::vector<std::pair<std::string, Value>>& pairs) {
  constexpr bool kRank = std::is_same_v<Value, int>;
  const json* found = fields.find({key.c_str()});
  if (!found) return;
  if (!found->is_object()) return fields.mismatch(key, "an object of names and numbers", *found);
  for (const auto& [name, value] : found->items()) {
    const bool fits = kRank ? value.is_number_integer() && value >= 1 && value <= kMostRank : value.is_number();
    if (!fits) return fields.mismatch(key + "." + name, kRank ? "a rank, at least 1" : "a number", value);
    pairs.emplace_back(name, value.template get<Value>());
  }
}

void readSizes(JsonFields& fields, Method& method) {
  constexpr double kMostAlpha = 1e9;
  for (const char* key : {"r", "lora_alpha", "lora_dropout"})
    if (fields.hasNull(key)) fields.mismatch(key, "a number", nullptr);
  fields.read({"r"}, method.r, 1, kMostRank);
  fields.read({"lora_alpha"}, method.loraAlpha, -kMostAlpha, kMostAlpha);
  fields.read({"lora_dropout"}, method.loraDropout, 0, 1);
  readPattern(fields, "rank_pattern", method.rankPattern);
  readPattern(fields, "alpha_pattern", method.alphaPattern);
}

void readBias(JsonFields& fields, Method& method) {
  std::string bias = "none";
  fields.read({"bias"}, bias);
  if (bias != "all" && bias != "lora_only" && bias != "none") fields.mismatch("bias", "none, all or lora_only", bias);
  method.bias = bias == "all" ? BiasMode::All : bias == "lora_only" ? BiasMode::LoraOnly : BiasMode::None;
}

void readModules(JsonFields& fields, Method& method) {
  readTargets(fields, "target_modules", method.targets);
  readTargets(fields, "exclude_modules", method.exclude);
  if (const json* saved = fields.find({"modules_to_save"}); saved && !saved->is_array())
    fields.mismatch("modules_to_save", "a list of names", *saved);
  readValues(fields, "modules_to_save", method.modulesToSave);
  readValues(fields, "layers_to_transform", method.layersToTransform);
  readValues(fields, "layers_pattern", method.layersPattern);
}

// The embedding and the output head share their weights. Asked to, peft makes what it adds to the two one and the same;
// it looks for their bare names.
bool adaptsTied(const Method& method) {
  const auto named = [](const std::vector<std::string>& names, std::string_view tied) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return name.substr(name.rfind('.') + 1) == tied; });
  };
  const auto pattern = PythonRegex::compile(method.targets.pattern);
  for (const std::string_view tied : {"embed_tokens", "lm_head"}) {
    const bool matched = !method.targets.pattern.empty() && pattern.ok() && pattern.value().fullMatch(tied);
    if (matched || named(method.targets.names, tied) || named(method.modulesToSave, tied)) return true;
  }
  return false;
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

Result<Method> methodFromJson(const json& config, const std::string& where) {
  JsonFields fields(config, where);
  std::string type;
  fields.read({"peft_type"}, type);
  ROADTUNE_CHECK(fields.status());
  if (type != "LORA")
    return badInput("peft_type is not LORA", where, "only LoRA, rsLoRA and DoRA adapters can be read");
  for (const char* key :
       {"layer_replication", "target_parameters", "trainable_token_indices", "alora_invocation_tokens", "use_qalora",
        "use_bdlora", "arrow_config", "velora_config", "monteclora_config", "kasa_config"})
    if (isOn(config, key)) return badInput(std::string("adapters with ") + key + " are not supported", where);
  ROADTUNE_CHECK(refuseChangedBase(config, where));
  Method method;
  method.type = FinetuningType::Lora;
  bool tied = false;
  readSizes(fields, method);
  readModules(fields, method);
  readBias(fields, method);
  fields.read({"use_rslora"}, method.rslora);
  fields.read({"use_dora"}, method.dora);
  fields.read({"lora_bias"}, method.loraBias);
  fields.read({"ensure_weight_tying"}, tied);
  ROADTUNE_CHECK(fields.status());
  if (tied && adaptsTied(method))
    return badInput("ensure_weight_tying for an adapted embedding or output head is not supported", where,
                    "train it with ensure_weight_tying: false, or merge it with peft");
  return method;
}

// The name of a module that matches it, and nothing else, in every release of the reference.
std::string uniqueTail(const std::string& path) {
  for (const std::string_view head : {"model.vision_tower.", "model."})
    if (startsWith(path, head)) return path.substr(head.size());
  return path;
}

bool sameAdapters(const ModuleTree& a, const ModuleTree& b) {
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
bool targetsSayItAll(const ModuleTree& tree) {
  auto method = tree.method;
  method.rules.clear();
  const auto plain = buildModuleTree(tree.config, method);
  return plain.ok() && sameAdapters(tree, plain.value());
}

json targetsJson(const TargetNames& targets) {
  if (targets.allLinear) return "all-linear";
  if (!targets.pattern.empty()) return targets.pattern;
  return targets.names.empty() ? json(nullptr) : json(targets.names);
}

void writeTargets(json& config, const ModuleTree& tree) {
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
std::vector<std::string> savedNames(const ModuleTree& tree) {
  auto method = tree.method;
  method.rules.clear();
  const auto plain = buildModuleTree(tree.config, method);
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
json modulesToSave(const ModuleTree& tree) {
  auto names = savedNames(tree);
  std::set<std::string> added;
  for (const auto& tensor : tree.tensors) {
    const auto& module = tree.moduleOf(tensor);
    const bool onlyBias = tree.method.bias != BiasMode::None && endsWith(tensor.name, ".bias");
    if (tensor.role != TensorRole::Base || !tensor.trainable || module.saved || onlyBias) continue;
    if (added.insert(module.path).second) names.push_back(uniqueTail(module.path));
  }
  if (trainsTiedHead(tree)) names.emplace_back("lm_head");
  return names.empty() ? json(nullptr) : json(names);
}

}  // namespace

bool trainsTiedHead(const ModuleTree& tree) {
  const auto* embedding = tree.find(kEmbedTokens);
  return tree.config.tieWordEmbeddings && embedding && embedding->trainable && !tree.moduleOf(*embedding).saved;
}

Result<Method> readAdapterConfig(const std::filesystem::path& folder) {
  const auto path = folder / "adapter_config.json";
  ROADTUNE_TRY(const auto text, readFile(path));
  const auto config = json::parse(text, nullptr, false);
  if (!config.is_object()) return badInput("this is not a JSON object", path.string());
  return methodFromJson(config, path.string());
}

std::string adapterConfigText(const ModuleTree& tree, const std::string& baseModel) {
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
  config["bias"] = method.bias == BiasMode::All ? "all" : method.bias == BiasMode::LoraOnly ? "lora_only" : "none";
  if (method.loraAlpha == static_cast<double>(static_cast<long long>(method.loraAlpha)))
    config["lora_alpha"] = static_cast<long long>(method.loraAlpha);
  writeTargets(config, tree);
  config["modules_to_save"] = modulesToSave(tree);
  return jsonText(config) + "\n";
}

}  // namespace roadtune::model
