// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/method.h"

#include "core/base/text.h"
#include "core/config/run_config.h"
#include "core/model/adapter_config.h"
#include "core/model/pali_config.h"

#include <fmt/format.h>

namespace roadtune::model {
namespace {

// peft's double meaning of target_modules: a text is a pattern (or "all-linear"), a list holds names.
TargetNames targetsFrom(const config::RunConfig& run, const char* key) {
  TargetNames targets;
  const config::Value& value = run.value(key);
  if (value.isText()) {
    if (lower(value.text()) == "all-linear")
      targets.allLinear = true;
    else
      targets.pattern = value.text();
  } else if (value.isList()) {
    targets.names = run.list(key);
    if (targets.names.size() == 1 && lower(targets.names.front()) == "all-linear") return {{}, {}, true};
  }
  return targets;
}

Result<ModuleRule> ruleFrom(const config::ModuleOverride& line) {
  ModuleRule rule;
  rule.path = line.pattern;
  if (line.method.empty()) {
    rule.mode.reset();
  } else if (line.method == "frozen") {
    rule.mode = ModuleMode::Frozen;
  } else if (line.method == "full") {
    rule.mode = ModuleMode::Full;
  } else if (line.method == "lora") {
    rule.mode = ModuleMode::Lora;
  } else if (line.method == "qlora") {
    rule.mode = ModuleMode::Qlora;
  } else {
    return badInput(fmt::format("'{}' for '{}' is none of frozen, full, lora, qlora", line.method, line.pattern),
                    "modules");
  }
  if (line.r) rule.r = static_cast<int>(*line.r);
  rule.alpha = line.loraAlpha;
  rule.dropout = line.loraDropout;
  rule.learningRate = line.learningRate;
  if (!line.dtype.empty()) rule.dtype = dtypeFromTorch(line.dtype);  // "auto" is no type
  return rule;
}

void readLora(const config::RunConfig& run, Method& method) {
  method.r = static_cast<int>(run.integer("r"));
  method.loraAlpha = run.number("lora_alpha");
  method.loraDropout = run.number("lora_dropout");
  method.targets = targetsFrom(run, "target_modules");
  method.exclude = targetsFrom(run, "exclude_modules");
  for (const std::int64_t layer : run.integers("layers_to_transform"))
    method.layersToTransform.push_back(static_cast<int>(layer));
  method.layersPattern = run.list("layers_pattern");
  for (const auto& [pattern, r] : run.numberMap("rank_pattern"))
    method.rankPattern.emplace_back(pattern, static_cast<int>(r));
  method.alphaPattern = run.numberMap("alpha_pattern");
  method.modulesToSave = run.list("modules_to_save");
  const std::string bias = run.text("bias");
  method.bias = bias == "all" ? BiasMode::All : (bias == "lora_only" ? BiasMode::LoraOnly : BiasMode::None);
  method.rslora = run.flag("use_rslora");
  method.dora = run.flag("use_dora");
  method.loraBias = run.flag("lora_bias");
  const std::string init = run.text("init_lora_weights");
  method.init = init == "gaussian"     ? AdapterInit::Gaussian
                : init == "false"      ? AdapterInit::Random
                : init == "orthogonal" ? AdapterInit::Orthogonal
                                       : AdapterInit::Default;
}

}  // namespace

std::filesystem::path adapterOf(const config::RunConfig& run) {
  if (!run.has("adapter_name_or_path")) return {};
  const std::string start = run.startAdapter();
  return start.empty() ? run.text("resume_from_checkpoint") : start;
}

Result<Method> methodFrom(const config::RunConfig& run, const std::filesystem::path& checkpoint) {
  Method method;
  if (run.has("adapter_name_or_path")) {
    ROADTUNE_TRY(method, readAdapterConfig(checkpoint.empty() ? adapterOf(run) : checkpoint));
    method.startsFromAdapter = true;
  } else {
    readLora(run, method);
  }
  method.adapterDtype32 = run.flag("autocast_adapter_dtype");
  const std::string type = run.text("finetuning_type");
  method.type = type == "qlora" ? FinetuningType::Qlora : type == "lora" ? FinetuningType::Lora : FinetuningType::Full;
  method.freezeVisionTower = run.flag("freeze_vision_tower");
  method.freezeProjector = run.flag("freeze_multi_modal_projector");
  method.freezeLanguageModel = run.flag("freeze_language_model");
  for (const config::ModuleOverride& line : run.moduleOverrides()) {
    ROADTUNE_TRY(ModuleRule rule, ruleFrom(line));
    method.rules.push_back(std::move(rule));
  }
  method.load4bit = run.flag("load_in_4bit") || method.type == FinetuningType::Qlora;
  method.doubleQuant = run.flag("bnb_4bit_use_double_quant");
  method.quantizedSet =
      run.text("quantize_scope") == "language_model" ? QuantizedSet::TextOnly : QuantizedSet::HuggingFace;
  method.quantizeSkip = run.list("llm_int8_skip_modules");
  method.weightDtype = dtypeFromTorch(run.text("torch_dtype"));  // "auto" is no type: as on disk
  return method;
}

Status checkImageSize(const config::RunConfig& run, const PaliGemmaConfig& model) {
  if (!run.has("image_size") || run.integer("image_size") == model.vision.imageSize) return {};
  return badInput(fmt::format("the model takes images of {} pixels", model.vision.imageSize), "image_size",
                  "leave image_size out, or choose a checkpoint of that size");
}

}  // namespace roadtune::model
