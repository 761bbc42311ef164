// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/field_builder.h"

namespace roadtune::config {
namespace {

const std::vector<std::string> kAdapters = {"lora", "qlora"};

}  // namespace

FieldTable methodFields() {
  return {
      Make("finetuning_type", FieldType::Choice, "full",
           "Train the weights themselves, low-rank adapters, or adapters on weights kept in 4 bits.")
          .oneOf({"full", "lora", "qlora"})
          .also({"training_method", "training_type", "tuner_type", "train_type", "optimization_strategy"})
          .also({"adapter"}, AliasRule::Adapter)
          .basic(),
      Make("freeze_vision_tower", FieldType::Flag, false,
           "Leave the image encoder's own weights as they are; adapters go where target_modules says.")
          .also({"freeze_vit", "freeze_vision"})
          .also({"finetune_vision_layers"}, AliasRule::Inverted)
          .basic(),
      Make("freeze_multi_modal_projector", FieldType::Flag, false,
           "Leave the projector between image and text as it is.")
          .also({"freeze_aligner", "freeze_projector"})
          .basic(),
      Make("freeze_language_model", FieldType::Flag, false, "Leave the text model as it is.")
          .also({"freeze_llm"})
          .also({"finetune_language_layers"}, AliasRule::Inverted)
          .basic(),
      Make("modules", FieldType::Overrides, Value::Map{},
           "Exceptions by module, for example {language_model.layers.17: full}: frozen, full, lora, qlora, or {method, "
           "r, lora_alpha, lora_dropout, learning_rate, dtype}; later ones win. A line with learning_rate or dtype "
           "alone "
           "leaves the method as it is.")
          .also({"module_overrides"}),
  };
}

FieldTable loraFields() {
  return {
      Make("adapter_name_or_path", FieldType::Path, {},
           "Folder of an adapter to start from, as peft or a run wrote it: its weights are the first values, and which "
           "layers it is on, and with what rank, is as its adapter_config.json says.")
          .unset("new adapters")
          .also({"lora_model_dir"})
          .also({"adapters"}, AliasRule::OnlyOne)
          .when("finetuning_type", kAdapters),
      Make("r", FieldType::Integer, 8, "Rank of the adapters.")
          .range(1, 4096)
          .also({"lora_r", "lora_rank", "rank"})
          .ofNewAdapters()
          .basic(),
      Make("lora_alpha", FieldType::Number, 8.0, "Scale of the adapters: their output is multiplied by lora_alpha / r.")
          .above(0)
          .ofNewAdapters()
          .basic(),
      Make("lora_dropout", FieldType::Number, 0.0, "Dropout on the input of the adapters.")
          .atLeast(0)
          .below(1)
          .ofNewAdapters()
          .basic(),
      Make("target_modules", FieldType::TextOrList, {},
           "Linear layers that get an adapter: a list of name endings, `all-linear`, or one regular expression for the "
           "whole "
           "name. Endings such as q_proj also match the vision tower; exclude_modules keeps them off.")
          .unset("none yet")
          .also({"lora_target_modules", "target_regex"})
          .also({"lora_target"}, AliasRule::AllLinear)
          .also({"lora_target_linear", "vision_all_linear"}, AliasRule::AllTargets)
          .ofNewAdapters()
          .basic(),
      Make("exclude_modules", FieldType::TextOrList, {}, "Layers that get none although target_modules names them.")
          .unset("none")
          .ofNewAdapters(),
      Make("layers_to_transform", FieldType::Integers, {}, "Only the layers with these numbers, from 0.")
          .unset("all")
          .also({"peft_layers_to_transform", "lora_layers"})
          .ofNewAdapters(),
      Make("layers_pattern", FieldType::List, {}, "Name of the list of layers that layers_to_transform counts in.")
          .unset("any list")
          .also({"peft_layers_pattern"})
          .ofNewAdapters(),
      Make("rank_pattern", FieldType::Map, Value::Map{}, "Rank by layer name or regular expression, instead of r.")
          .atLeast(1)
          .ofNewAdapters(),
      Make("alpha_pattern", FieldType::Map, Value::Map{},
           "Scale by layer name or regular expression, instead of lora_alpha.")
          .above(0)
          .ofNewAdapters(),
      Make("modules_to_save", FieldType::List, {},
           "Modules that are trained in full beside the adapters, and saved with them.")
          .unset("none")
          .also({"lora_modules_to_save", "additional_target"})
          .ofNewAdapters(),
      Make("bias", FieldType::Choice, "none", "Which biases of the base model are trained.")
          .oneOf({"none", "all", "lora_only"})
          .also({"lora_bias_type"})
          .ofNewAdapters(),
      Make("lora_bias", FieldType::Flag, false, "Give the second matrix of each adapter a bias of its own.")
          .ofNewAdapters(),
      Make("use_rslora", FieldType::Flag, false, "Scale by lora_alpha / sqrt(r) instead of lora_alpha / r.")
          .also({"peft_use_rslora", "lora_use_rslora"})
          .ofNewAdapters(),
      Make("use_dora", FieldType::Flag, false, "Learn the length of each weight row apart from its direction (DoRA).")
          .also({"peft_use_dora", "lora_use_dora"})
          .ofNewAdapters(),
      Make("init_lora_weights", FieldType::Choice, "true",
           "First values: `true` (uniform), `gaussian` and `orthogonal` leave the model as it is at first, `false` "
           "draws "
           "both matrices at random.")
          .oneOf({"true", "gaussian", "orthogonal", "false"})
          .also({"peft_init_lora_weights"})
          .ofNewAdapters(),
      Make("loraplus_lr_ratio", FieldType::Number, 1.0,
           "Learning rate of the second matrix of each adapter, in multiples of the first one's (LoRA+); trained "
           "vectors have it too, as in peft.")
          .above(0)
          .atMost(1e6)
          .also({"lorap_lr_ratio"})
          .when("finetuning_type", kAdapters),
      Make("autocast_adapter_dtype", FieldType::Flag, true, "Keep adapters in float32 on a bfloat16 or 4-bit base.")
          .when("finetuning_type", kAdapters),
  };
}

FieldTable quantizationFields() {
  return {
      Make("load_in_4bit", FieldType::Flag, false,
           "Keep the frozen linear layers in 4 bits; goes together with finetuning_type qlora.")
          .also({"use_4bit"})
          .also({"quantization_bit", "quant_bits"}, AliasRule::Bits),
      Make("bnb_4bit_quant_type", FieldType::Choice, "nf4", "Code of the 4 bits; fp4 is not offered.")
          .oneOf({"nf4"})
          .also({"quantization_type", "bnb_4bit_type"})
          .when("load_in_4bit", {"true"}),
      Make("bnb_4bit_use_double_quant", FieldType::Flag, false,
           "Keep the scales of the blocks in 8 bits: 0.37 bits less per weight.")
          .also({"double_quantization", "bnb_4bit_double_quant"})
          .when("load_in_4bit", {"true"}),
      Make("bnb_4bit_compute_dtype", FieldType::Choice, "bfloat16",
           "Type of the multiplications with 4-bit weights; bitsandbytes' own default, float32, is slow.")
          .oneOf({"bfloat16", "float32"})
          .words(
              {{"bf16", "bfloat16"}, {"fp32", "float32"}, {"torch.bfloat16", "bfloat16"}, {"torch.float32", "float32"}})
          .also({"bnb_4bit_compute_type"})
          .when("load_in_4bit", {"true"}),
      Make("llm_int8_skip_modules", FieldType::List, {}, "Linear layers that stay as they are.")
          .unset("none")
          .also({"bnb_4bit_skip_modules", "skip_modules"})
          .when("load_in_4bit", {"true"}),
      Make("quantize_scope", FieldType::Choice, "hf",
           "Which linear layers go to 4 bits: `hf` is every one but the head, as transformers does; `language_model` "
           "spares the "
           "vision tower and the projector.")
          .oneOf({"hf", "language_model"})
          .when("load_in_4bit", {"true"}),
  };
}

}  // namespace roadtune::config
