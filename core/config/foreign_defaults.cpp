// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/foreign_defaults.h"

#include "core/base/text.h"

#include <algorithm>
#include <initializer_list>

namespace roadtune::config {
namespace {

bool hasAny(const YamlNode& map, std::initializer_list<const char*> keys) {
  return std::any_of(map.entries.begin(), map.entries.end(), [&](const auto& entry) {
    return std::find(keys.begin(), keys.end(), entry.first.text) != keys.end();
  });
}

class Defaults {
 public:
  explicit Defaults(const GivenValue& given) : m_given(given) {}

  void add(const char* name, Value value) {
    if (!m_given(name)) list.emplace_back(name, std::move(value));
  }
  Value valueOf(const std::string& name, Value otherwise) const {
    if (auto given = m_given(name)) return *given;
    for (const auto& [one, value] : list)
      if (one == name) return value;
    return otherwise;
  }

  std::vector<std::pair<std::string, Value>> list;

 private:
  const GivenValue& m_given;
};

// Adapters keep out of what is frozen, and of the projector in any case where that is their rule.
void keepAdaptersOut(Defaults& defaults, bool ofProjector = false) {
  std::vector<std::string> frozen;
  for (const auto& [flag, part] : {std::pair("freeze_vision_tower", "vision_tower"),
                                   std::pair("freeze_multi_modal_projector", "multi_modal_projector"),
                                   std::pair("freeze_language_model", "language_model")})
    if (defaults.valueOf(flag, false) == Value(true) ||
        (ofProjector && part == std::string_view("multi_modal_projector")))
      frozen.emplace_back(part);
  if (!frozen.empty()) defaults.add("exclude_modules", ".*(" + join(frozen, "|") + ").*");
}

bool inFull(const Defaults& defaults) { return defaults.valueOf("finetuning_type", "full") == Value("full"); }

// These hand bitsandbytes a model with the scales of its blocks in 8 bits, unless that is denied.
void addDoubleQuant(Defaults& defaults) {
  const bool fourBit = defaults.valueOf("load_in_4bit", false) == Value(true) ||
                       defaults.valueOf("finetuning_type", {}) == Value("qlora");
  if (fourBit) defaults.add("bnb_4bit_use_double_quant", true);
}

bool adaptsAnew(const Defaults& defaults) {
  return !inFull(defaults) && defaults.valueOf("adapter_name_or_path", {}).isNull();
}

void addLlamaFactory(Defaults& defaults) {
  constexpr double kRank = 8;
  defaults.add("finetuning_type", "lora");
  defaults.add("freeze_vision_tower", true);
  defaults.add("freeze_multi_modal_projector", true);
  addDoubleQuant(defaults);
  if (!adaptsAnew(defaults)) return;
  defaults.add("target_modules", "all-linear");
  defaults.add("lora_alpha", 2.0 * defaults.valueOf("r", kRank).number());
  keepAdaptersOut(defaults, defaults.valueOf("target_modules", {}) == Value("all-linear"));
}

void addUnsloth(Defaults& defaults) {
  defaults.add("finetuning_type", "lora");
  if (inFull(defaults)) return;
  defaults.add("load_in_4bit", true);
  addDoubleQuant(defaults);
  defaults.add("freeze_multi_modal_projector", true);
  if (!adaptsAnew(defaults)) return;
  defaults.add("r", 64);
  defaults.add("lora_alpha", 16.0);
  defaults.add("target_modules", "all-linear");
  keepAdaptersOut(defaults);
}

void addSwift(Defaults& defaults) {
  defaults.add("finetuning_type", "lora");
  defaults.add("freeze_vision_tower", true);
  defaults.add("freeze_multi_modal_projector", true);
  addDoubleQuant(defaults);
  if (!adaptsAnew(defaults)) return;
  defaults.add("lora_alpha", 32.0);
  defaults.add("lora_dropout", 0.05);
  defaults.add("target_modules", "all-linear");
  keepAdaptersOut(defaults);
}

void addAutoTrain(Defaults& defaults) {
  if (!adaptsAnew(defaults)) return;
  defaults.add("r", 16);
  defaults.add("lora_alpha", 32.0);
  defaults.add("lora_dropout", 0.05);
  defaults.add("target_modules", "all-linear");
}

void addAxolotlNumbers(Defaults& numbers) {
  numbers.add("per_device_train_batch_size", 1);
  numbers.add("num_train_epochs", 1.0);
  numbers.add("lr_scheduler_type", "cosine");
  if (numbers.valueOf("warmup_steps", 0) == Value(0)) numbers.add("warmup_ratio", 0.03);  // 100 steps at most there
}

void addUnslothNumbers(Defaults& numbers) {
  numbers.add("per_device_train_batch_size", 2);
  numbers.add("gradient_accumulation_steps", 4);
  numbers.add("learning_rate", 2e-4);
  if (numbers.valueOf("warmup_ratio", 0) == Value(0)) numbers.add("warmup_steps", 5.0);
  numbers.add("optim", "adamw_8bit");
  numbers.add("weight_decay", 0.01);
  numbers.add("seed", 3407);
  numbers.add("bf16", true);
  numbers.add("gradient_checkpointing", true);
}

void addSwiftNumbers(Defaults& numbers) {
  constexpr std::int64_t kTogether = 16;  // samples of a step of all processes where nothing is said
  const auto batch = numbers.valueOf("per_device_train_batch_size", 1).integer() *
                     std::max<std::int64_t>(1, numbers.valueOf("nproc_per_node", 1).integer());
  numbers.add("per_device_train_batch_size", 1);
  numbers.add("gradient_accumulation_steps", std::max<std::int64_t>(1, (kTogether + batch - 1) / batch));
  numbers.add("learning_rate", numbers.valueOf("finetuning_type", "lora") == Value("full") ? 1e-5 : 1e-4);
  numbers.add("lr_scheduler_type", "cosine");
  numbers.add("weight_decay", 0.1);
  numbers.add("adam_beta2", 0.95);
  numbers.add("gradient_checkpointing", true);
  numbers.add("logging_steps", 5.0);
  const bool evaluates = !numbers.valueOf("eval_data", {}).isNull() || numbers.valueOf("eval_fraction", 0) != Value(0);
  if (evaluates) numbers.add("eval_strategy", numbers.valueOf("save_strategy", "steps"));
  const Value type = numbers.valueOf("torch_dtype", "bfloat16");
  if (type == Value("bfloat16") || type == Value("auto")) numbers.add("bf16", true);
}

void addAutoTrainNumbers(Defaults& numbers) {
  numbers.add("per_device_train_batch_size", 2);
  numbers.add("gradient_accumulation_steps", 4);
  numbers.add("num_train_epochs", 1.0);
  numbers.add("learning_rate", 3e-5);
  if (numbers.valueOf("warmup_steps", 0) == Value(0)) numbers.add("warmup_ratio", 0.1);
  numbers.add("gradient_checkpointing", true);
  numbers.add("save_total_limit", 1);
}

bool hasAnyBelow(const YamlNode& root, std::initializer_list<const char*> keys) {
  return hasAny(root, keys) || std::any_of(root.entries.begin(), root.entries.end(), [&](const auto& entry) {
           return entry.second.isMap() && hasAny(entry.second, keys);
         });
}

}  // namespace

FileKind fileKindOf(const YamlNode& root) {
  if (hasAny(root, {"peft_type"})) return FileKind::Peft;
  if (hasAny(root, {"project_name"}) && hasAny(root, {"params", "backend"})) return FileKind::AutoTrain;
  if (hasAnyBelow(root, {"training_type", "train_on_completions", "vision_all_linear", "finetune_attention_modules",
                         "finetune_mlp_modules"}))
    return FileKind::Unsloth;
  if (hasAny(root, {"base_model", "micro_batch_size", "sequence_len"})) return FileKind::Axolotl;
  if (hasAny(root, {"tuner_type", "train_type", "freeze_vit", "freeze_aligner", "freeze_llm", "split_dataset_ratio",
                    "model_author"}))
    return FileKind::Swift;
  if (hasAny(root, {"stage", "template", "dataset_dir", "lora_target", "cutoff_len"})) return FileKind::LlamaFactory;
  return FileKind::HuggingFace;
}

std::string nameOf(FileKind kind) {
  switch (kind) {
    case FileKind::Peft: return "PEFT adapter";
    case FileKind::LlamaFactory: return "LLaMA-Factory";
    case FileKind::Axolotl: return "axolotl";
    case FileKind::Unsloth: return "Unsloth";
    case FileKind::Swift: return "ms-swift";
    case FileKind::AutoTrain: return "AutoTrain";
    case FileKind::HuggingFace: return "Hugging Face";
  }
  return {};
}

ForeignValues foreignDefaults(FileKind kind, const GivenValue& given) {
  Defaults defaults(given);
  switch (kind) {
    case FileKind::Peft: defaults.add("finetuning_type", "lora"); break;
    case FileKind::Axolotl:
      defaults.add("finetuning_type", "full");
      addDoubleQuant(defaults);
      break;
    case FileKind::LlamaFactory: addLlamaFactory(defaults); break;
    case FileKind::Unsloth: addUnsloth(defaults); break;
    case FileKind::Swift: addSwift(defaults); break;
    case FileKind::AutoTrain: addAutoTrain(defaults); break;
    case FileKind::HuggingFace:
      // Who says how adapters are to be wants some.
      for (const char* adapters : {"r", "lora_alpha", "target_modules"})
        if (given(adapters)) defaults.add("finetuning_type", "lora");
      break;
  }
  return std::move(defaults.list);
}

ForeignValues foreignNumbers(FileKind kind, const GivenValue& given) {
  Defaults numbers(given);
  switch (kind) {
    case FileKind::Axolotl: addAxolotlNumbers(numbers); break;
    case FileKind::Unsloth: addUnslothNumbers(numbers); break;
    case FileKind::Swift: addSwiftNumbers(numbers); break;
    case FileKind::AutoTrain: addAutoTrainNumbers(numbers); break;
    default: break;  // those of transformers, which are ours
  }
  return std::move(numbers.list);
}

}  // namespace roadtune::config
