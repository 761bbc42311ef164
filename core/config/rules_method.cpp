// SPDX-License-Identifier: GPL-3.0-or-later
// What is trained, and how.
#include "core/base/text.h"
#include "core/config/rules.h"

#include <fmt/format.h>

namespace roadtune::config {
namespace {

constexpr const char* kSevenProjections =
    "target_modules: [q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj]";

// An adapter to start from is trained as one.
void settleAdapter(Draft& draft) {
  if (!draft.view().has("adapter_name_or_path") || draft.view().text("finetuning_type") != "full") return;
  if (!draft.given("finetuning_type")) return draft.imply("finetuning_type", "lora");
  draft.report("adapter_name_or_path", "no adapter is trained with finetuning_type full",
               "finetuning_type: lora, or roadtune merge and the merged model");
  draft.markBroken("adapter_name_or_path");
}

// qlora means 4 bits, and adapters on 4 bits mean qlora: afterwards both keys say the same.
void settleFourBit(Draft& draft) {
  const std::string type = draft.view().text("finetuning_type");
  const bool fourBit = draft.view().flag("load_in_4bit");
  if (type == "qlora" && draft.given("load_in_4bit") && !fourBit)
    return draft.report("load_in_4bit", "finetuning_type qlora keeps the base weights in 4 bits",
                        "load_in_4bit: true, or finetuning_type: lora");
  if (type == "qlora" && !fourBit) draft.imply("load_in_4bit", true);
  if (!fourBit || type == "qlora") return;
  if (type == "full" && draft.given("finetuning_type"))
    return draft.report("load_in_4bit", "4-bit weights cannot be trained in full", "finetuning_type: qlora");
  RunConfig::Setting setting{Value("qlora"), draft.given("finetuning_type"), draft.view().origin("finetuning_type")};
  draft.set("finetuning_type", std::move(setting));
}

void checkTargets(Draft& draft) {
  const RunConfig& run = draft.view();
  if (run.text("finetuning_type") == "full" || draft.isBroken("target_modules")) return;
  if (run.has("adapter_name_or_path")) return;  // its own file says where it is
  const bool none = run.list("target_modules").empty() || run.list("target_modules").front().empty();
  if (none)
    draft.report("target_modules", fmt::format("finetuning_type {} needs layers to adapt", run.text("finetuning_type")),
                 kSevenProjections);
  if (run.value("target_modules").isText() && run.text("target_modules") != "all-linear" &&
      run.has("layers_to_transform"))
    draft.report("layers_to_transform", "works with a list of target_modules only",
                 "write the layer numbers into the regular expression");
  if (run.has("layers_pattern") && !run.has("layers_to_transform") && !run.list("layers_pattern").empty())
    draft.report("layers_pattern", "needs layers_to_transform", "layers_to_transform: [0, 1]");
  if (run.flag("use_dora") && run.flag("lora_bias"))
    draft.report("lora_bias", "does not go together with use_dora", "lora_bias: false");
}

// peft 0.21 finds nothing but adapters in files of the older layouts.
void checkAdapterLayout(Draft& draft) {
  const RunConfig& run = draft.view();
  const std::string layout = run.text("adapter_layout");
  const bool besides =
      run.text("bias") != "none" || !run.list("modules_to_save").empty() || !run.moduleOverrides().empty();
  if (run.text("finetuning_type") == "full" || (layout != "A" && layout != "B") || !besides) return;
  draft.report("adapter_layout",
               fmt::format("current releases of peft do not read biases and trained modules from layout {}", layout),
               "adapter_layout: auto, unless the reader is an old release", Severity::Warning);
}

// Of what bitsandbytes leaves whole in any case copies are no trouble.
void checkCopiesBesideFourBits(Draft& draft) {
  const RunConfig& run = draft.view();
  if (!run.flag("load_in_4bit")) return;
  for (const std::string& name : run.list("modules_to_save")) {
    if (name.find("embed_tokens") != std::string::npos || name.find("lm_head") != std::string::npos) continue;
    draft.report("modules_to_save",
                 fmt::format("peft opens an adapter with a trained copy of {} on the model in 16 bits, and on one in 4 "
                             "bits only where this module is not",
                             name),
                 fmt::format("llm_int8_skip_modules=['model.{}', 'lm_head'] when it is opened there", name),
                 Severity::Warning);
    return;
  }
}

void checkSomethingLearns(Draft& draft) {
  const RunConfig& run = draft.view();
  const bool allFrozen =
      run.flag("freeze_vision_tower") && run.flag("freeze_multi_modal_projector") && run.flag("freeze_language_model");
  bool exception = !run.list("modules_to_save").empty() && run.text("finetuning_type") != "full";
  for (const auto& one : run.moduleOverrides()) exception |= !one.method.empty() && one.method != "frozen";
  if (allFrozen && !exception)
    draft.report("freeze_language_model", "everything is frozen: nothing would be trained",
                 "freeze_language_model: false");
}

void checkExceptions(Draft& draft) {
  for (const auto& one : draft.view().moduleOverrides())
    if (one.method == "qlora" && !draft.view().flag("load_in_4bit"))
      draft.report("modules", one.pattern + ": qlora, but the base weights are not in 4 bits",
                   "finetuning_type: qlora, or lora here");
}

// A part whose rate is nothing stands still, which a run would stop at, as at every weight that does not follow its
// gradient.
void checkRates(Draft& draft) {
  const RunConfig& run = draft.view();
  if (run.number("learning_rate") == 0) return;
  for (const auto& [rate, freeze] : {std::pair("vision_tower_learning_rate", "freeze_vision_tower"),
                                     {"multi_modal_projector_learning_rate", "freeze_multi_modal_projector"},
                                     {"language_model_learning_rate", "freeze_language_model"}})
    if (run.has(rate) && run.number(rate) == 0 && !run.flag(freeze))
      draft.report(rate, "a rate of 0 trains nothing", std::string(freeze) + ": true");
  for (const auto& one : run.moduleOverrides())
    if (one.learningRate == 0.0)
      draft.report("modules", one.pattern + ": a learning_rate of 0 trains nothing", one.pattern + ": frozen");
}

void checkPrecision(Draft& draft) {
  const RunConfig& run = draft.view();
  if (run.flag("fp16"))
    draft.report("fp16",
                 run.flag("bf16") ? "contradicts bf16: true" : "float16 needs loss scaling, which is not offered",
                 "bf16: true without fp16");
  if (run.flag("pure_bf16") && run.has("ema_decay"))
    draft.report("ema_decay", "averages are made of float32 weights, which pure_bf16 does without",
                 "bf16: true in place of pure_bf16, or no ema_decay");
  if (!run.flag("save_safetensors"))
    draft.report("save_safetensors", "checkpoints in pickle files are not offered", "save_safetensors: true");
}

}  // namespace

void settleMethod(Draft& draft) {
  settleAdapter(draft);
  settleFourBit(draft);
  checkTargets(draft);
  checkAdapterLayout(draft);
  checkSomethingLearns(draft);
  checkCopiesBesideFourBits(draft);
  checkExceptions(draft);
  checkRates(draft);
  checkPrecision(draft);
}

}  // namespace roadtune::config
