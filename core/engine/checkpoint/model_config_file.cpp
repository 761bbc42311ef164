// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/checkpoint/model_config_file.h"

#include "core/base/text.h"
#include "core/engine/nn/tensor_bytes.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace roadtune::engine {
namespace {

using Json = nlohmann::ordered_json;

bool storesFourBit(const ModelState& state) {
  return std::any_of(state.quantised.begin(), state.quantised.end(),
                     [&](const auto& entry) { return !state.parameters.find(entry.first); });
}

bool isFourBit(const ModelState& state, const model::Module& module) {
  const auto weight = module.path + ".weight";
  return state.quantised.contains(weight) && !state.parameters.find(weight);
}

// Linear layers that stay as they are, as transformers lists them: a whole part by its path, else layer by layer.
Json skippedModules(const ModelState& state) {
  auto skipped = Json::array();
  for (const auto part : {model::Part::Vision, model::Part::Projector, model::Part::Text}) {
    std::vector<std::string> dense;
    bool any = false;
    for (const auto& module : state.tree.modules) {
      if (module.part != part || module.kind != model::ModuleKind::Linear || module.path == "lm_head") continue;
      if (isFourBit(state, module))
        any = true;
      else
        dense.push_back(module.path);
    }
    if (!any && !dense.empty()) dense = {"model." + std::string(model::nameOf(part))};
    for (const auto& path : dense) skipped.push_back(path);
  }
  skipped.push_back("lm_head");
  return skipped;
}

Json quantizationConfig(const ModelState& state) {
  const auto& first = *state.quantised.begin()->second;
  const bool narrow = first.storedType == at::kBFloat16;
  return {{"_load_in_4bit", true},
          {"_load_in_8bit", false},
          {"bnb_4bit_compute_dtype", narrow ? "bfloat16" : "float32"},
          {"bnb_4bit_quant_storage", "uint8"},
          {"bnb_4bit_quant_type", "nf4"},
          {"bnb_4bit_use_double_quant", first.doubleQuant},
          {"llm_int8_enable_fp32_cpu_offload", false},
          {"llm_int8_has_fp16_weight", false},
          {"llm_int8_skip_modules", skippedModules(state)},
          {"llm_int8_threshold", 6.0},
          {"load_in_4bit", true},
          {"load_in_8bit", false},
          {"quant_method", "bitsandbytes"}};
}

}  // namespace

bool isUntied(const ModelState& state) {
  return state.tree.config.tieWordEmbeddings && state.parameters.find(model::kLmHead);
}

Status writeModelConfig(const ModelState& state, const fs::path& base, const fs::path& folder) {
  const auto from = base / "config.json";
  ROADTUNE_TRY(const auto text, readFile(from));
  const bool fourBit = storesFourBit(state), wasFourBit = state.tree.config.quantization.has_value();
  const bool sameType = dtypeOf(state.storedType()) == state.tree.config.dtype;
  if (!isUntied(state) && fourBit == wasFourBit && (sameType || !fourBit))
    return writeFileAtomically(folder / "config.json", text);
  auto config = Json::parse(text, nullptr, false);
  if (!config.is_object()) return badInput("not a JSON object", from.string());
  if (isUntied(state)) {
    config["tie_word_embeddings"] = false;
    if (config.contains("text_config")) config["text_config"]["tie_word_embeddings"] = false;
  }
  if (fourBit && !sameType)
    config[config.contains("torch_dtype") ? "torch_dtype" : "dtype"] = model::torchName(dtypeOf(state.storedType()));
  if (fourBit && !wasFourBit) config["quantization_config"] = quantizationConfig(state);
  if (!fourBit) config.erase("quantization_config");
  return writeFileAtomically(folder / "config.json", config.dump(2) + "\n");
}

}  // namespace roadtune::engine
