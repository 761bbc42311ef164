// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/value.h"
#include "core/config/yaml_node.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace roadtune::config {

// Which program a file was written for, by the keys at its top.
enum class FileKind { Peft, LlamaFactory, Axolotl, Unsloth, Swift, AutoTrain, HuggingFace };
FileKind fileKindOf(const YamlNode& root);
std::string nameOf(FileKind kind);  // "LLaMA-Factory"

// What a key that such a file leaves out means to its program, where that is not what it means to us. `given` answers
// with the value of a key of ours, if there is one.
using GivenValue = std::function<std::optional<Value>(const std::string& name)>;
using ForeignValues = std::vector<std::pair<std::string, Value>>;
ForeignValues foreignDefaults(FileKind kind, const GivenValue& given);  // what is trained
ForeignValues foreignNumbers(FileKind kind, const GivenValue& given);   // how: batches, steps, rates, precision

}  // namespace roadtune::config
