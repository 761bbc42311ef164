// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/config/problem.h"
#include "core/config/yaml_node.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::config {

// What a training that is a program says of itself: one map with the names of Hugging Face, as if it were a file of
// them. Nothing is run. Keys have the places that they have in the program.
struct ProgramSettings {
  YamlNode map;
  std::vector<Problem> notes;             // what is worked out there, and what has no effect there either
  std::vector<std::string> options = {};  // of the program's own command line that settings come from, or nothing knows
  std::vector<std::string> open = {};     // what a script gives its program and only running it tells
  std::string program = {};               // that a script starts: "train.py"
  std::string file = {};                  // of settings that it names: "train.yaml"
};

// The arguments of TrainingArguments, LoraConfig, BitsAndBytesConfig and from_pretrained, and which towers the program
// freezes. Variables with a plain value are followed, also where an `if` asks for one, through data classes,
// dictionaries and the program's own command line: `given` there, or its defaults.
ProgramSettings settingsOfPython(std::string_view code, const std::string& where,
                                 std::map<std::string, YamlNode> given = {});

// The options of the command with most of them, here or continued on further lines; variables and arrays of the script
// are put in.
ProgramSettings settingsOfShell(std::string_view script, const std::string& where);

// The code of a Jupyter notebook, cell after cell.
Result<std::string> codeOfNotebook(std::string_view json, const std::string& where);

}  // namespace roadtune::config
