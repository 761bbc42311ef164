// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/presets.h"

#include "core/base/text.h"
#include "core/config/dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace roadtune::config {

// Written by embed_presets.cmake from resources/presets: name, text, name, text, ..., null.
extern const char* const kEmbeddedPresets[];

namespace {

std::string summaryOf(const std::string& yaml) {
  const auto hash = yaml.find("# ");
  return hash == std::string::npos ? std::string() : yaml.substr(hash + 2, yaml.find('\n', hash) - hash - 2);
}

// Where the built-in defaults are no good start: placeholders, and the most common method.
const std::map<std::string, std::string>& starters() {
  static const std::map<std::string, std::string> values = {
      {"model_name_or_path", "/models/paligemma2-3b-pt-224"},
      {"train_data", "/data/train.jsonl"},
      {"output_dir", "/runs/first"},
      {"finetuning_type", "lora"},
      {"freeze_vision_tower", "true"},
      {"freeze_multi_modal_projector", "true"},
      {"target_modules", "[q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj]"},
      {"learning_rate", "2.0e-05"},
      {"bf16", "true"},
      {"logging_steps", "10"},
  };
  return values;
}

// Words in comment lines of at most 110 characters.
std::string asComment(const std::string& words) {
  std::string text, line = "  #";
  for (const auto& word : split(words, ' ')) {
    if (line.size() + 1 + word.size() > 110) {
      text += line + "\n";
      line = "  #";
    }
    line += " " + word;
  }
  return text + line + "\n";
}

std::string describe(const Field& field) {
  std::string text = field.help;
  if (!field.unit.empty()) text += fmt::format(" [{}]", field.unit);
  if (!field.choices.empty()) text += " One of: " + join(field.choices, ", ") + ".";
  return text;
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = [] {
    std::vector<Preset> list;
    for (const char* const* entry = kEmbeddedPresets; entry[0]; entry += 2)
      list.push_back({entry[0], summaryOf(entry[1]), entry[1]});
    std::sort(list.begin(), list.end(), [](const Preset& a, const Preset& b) { return a.name < b.name; });
    return list;
  }();
  return all;
}

const Preset* findPreset(std::string_view name) {
  for (const auto& preset : presets())
    if (preset.name == name) return &preset;
  return nullptr;
}

std::string starterYaml(bool everyKey, const std::set<std::string>& open) {
  std::string text =
      "# A training run. `roadtune config check FILE` checks it, `roadtune train FILE` starts it.\n"
      "# `roadtune config reference` explains every key, `roadtune config init --list` shows ready examples.\n";
  for (const Section section : allSections()) {
    std::string keys;
    bool empty = true;  // without a key, its heading would be one
    for (const auto& field : schema()) {
      if (field.section != section || (!field.basic && !everyKey)) continue;
      const auto starter = starters().find(field.name);
      const std::string yaml = starter != starters().end() ? starter->second : yamlOf(field, field.defaultValue);
      const bool active =
          field.basic && !open.contains(field.name) && (starter != starters().end() || !field.defaultValue.isNull());
      keys += asComment(describe(field)) + fmt::format("  {}{}: {}\n", active ? "" : "# ", field.name, yaml);
      empty = empty && !active;
    }
    text += fmt::format("\n{}{}:\n", empty ? "# " : "", sectionName(section)) + keys;
  }
  return text;
}

}  // namespace roadtune::config
