// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::config {

// A ready configuration with comments; part of the program, so that it works wherever the program lies.
struct Preset {
  std::string name;     // "lora-r8"
  std::string summary;  // its first comment line
  std::string yaml;
};

const std::vector<Preset>& presets();             // by name
const Preset* findPreset(std::string_view name);  // null when there is none

// A documented file to start from: the keys that are changed often, each with its help. `everyKey` adds the others as
// comments; so are those of `open`, whose values are only the user's to know.
std::string starterYaml(bool everyKey, const std::set<std::string>& open = {});

}  // namespace roadtune::config
