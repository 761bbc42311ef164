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

// Adapters keep out of what is frozen.
void addLlamaFactory(Defaults& defaults) {
  constexpr double kRank = 8;
  defaults.add("finetuning_type", "lora");
  defaults.add("freeze_vision_tower", true);
  defaults.add("freeze_multi_modal_projector", true);
  if (defaults.valueOf("finetuning_type", "lora") == Value("full")) return;
  defaults.add("target_modules", "all-linear");
  defaults.add("lora_alpha", 2.0 * defaults.valueOf("r", kRank).number());
  std::vector<std::string> frozen;
  for (const auto& [flag, part] : {std::pair("freeze_vision_tower", "vision_tower"),
                                   std::pair("freeze_multi_modal_projector", "multi_modal_projector"),
                                   std::pair("freeze_language_model", "language_model")})
    if (defaults.valueOf(flag, false) == Value(true)) frozen.emplace_back(part);
  if (!frozen.empty()) defaults.add("exclude_modules", ".*(" + join(frozen, "|") + ").*");
}

}  // namespace

FileKind fileKindOf(const YamlNode& root) {
  if (hasAny(root, {"peft_type"})) return FileKind::Peft;
  if (hasAny(root, {"base_model", "micro_batch_size", "sequence_len"})) return FileKind::Axolotl;
  if (hasAny(root, {"stage", "template", "dataset_dir", "lora_target", "cutoff_len"})) return FileKind::LlamaFactory;
  return FileKind::HuggingFace;
}

std::string nameOf(FileKind kind) {
  switch (kind) {
    case FileKind::Peft: return "PEFT adapter";
    case FileKind::LlamaFactory: return "LLaMA-Factory";
    case FileKind::Axolotl: return "axolotl";
    case FileKind::HuggingFace: return "Hugging Face";
  }
  return {};
}

std::vector<std::pair<std::string, Value>> foreignDefaults(FileKind kind, const GivenValue& given) {
  Defaults defaults(given);
  if (kind == FileKind::Peft) defaults.add("finetuning_type", "lora");
  if (kind == FileKind::Axolotl) defaults.add("finetuning_type", "full");
  if (kind == FileKind::LlamaFactory) addLlamaFactory(defaults);
  return std::move(defaults.list);
}

}  // namespace roadtune::config
