// SPDX-License-Identifier: GPL-3.0-or-later
// Trainings that are programs, in Python or as a shell script: whatever their text says, settings have names and
// places, and what is left out is told.
#include "core/config/code_words.h"
#include "core/config/program_settings.h"
#include "tests/fuzz/fuzz_file.h"

#include <string_view>

using namespace roadtune;

namespace {

void check(const config::ProgramSettings& settings) {
  for (const auto& [key, value] : settings.map.entries)
    fuzz::require(!key.text.empty() && key.line >= 0 && (value.isNull() || !value.quoted || value.isScalar()));
  for (const auto& note : settings.notes) fuzz::require(!note.message.empty() && !note.key.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 4000) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(config::settingsOfPython(text, "train.py"));
  check(config::settingsOfPython(config::asTyped(text), "page.txt"));
  const config::ProgramSettings script = config::settingsOfShell(text, "train.sh");
  check(script);
  std::map<std::string, config::YamlNode> given;
  for (const auto& [key, value] : script.map.entries) given.insert_or_assign(key.text, value);
  check(config::settingsOfPython(text, "train.py", std::move(given)));
  return 0;
}
