// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/config/problem.h"

#include <filesystem>
#include <string>
#include <vector>

namespace roadtune::config {

// Another trainer's file in our words.
struct ImportedConfig {
  std::string format;          // "PEFT adapter", "LLaMA-Factory", "Hugging Face", ...
  std::string yaml;            // grouped and checked key by key; ends with what was left behind, as comments
  std::vector<Problem> notes;  // what was left behind, and why
};

// Reads adapter_config.json of PEFT, training arguments of Hugging Face (JSON or YAML), and the YAML files of
// LLaMA-Factory, axolotl, Unsloth, ms-swift and AutoTrain; of a training that is a program, a Python file, a notebook
// or a shell script, what it says of its settings (program_settings.h). Defaults of the other trainer that differ from
// ours are written out.
Result<ImportedConfig> importConfig(const std::filesystem::path& path);

}  // namespace roadtune::config
