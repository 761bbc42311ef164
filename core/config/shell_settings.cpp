// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/config/code_words.h"
#include "core/config/foreign_keys.h"
#include "core/config/program_settings.h"
#include "core/config/shell_words.h"

#include <algorithm>

namespace roadtune::config {
namespace {

// --name or --name=value, in quotes or not
bool isOption(const ShellWord& word) {
  const std::string& text = word.text;
  return startsWith(text, "--") && text.size() > 2 && isWord(text[2]) &&
         text.substr(0, text.find('=')).find(' ') == std::string::npos;
}

YamlNode scalarOf(const ShellWord& word, std::string text) {
  YamlNode node;
  node.kind = YamlNode::Kind::Scalar;
  node.text = std::move(text);
  node.line = word.line;
  node.column = word.column;
  return node;
}

YamlNode nodeOf(const ShellWord& word, std::string text) {
  if (!text.empty() && (text.front() == '{' || text.front() == '['))
    if (YamlTree tree = parseYaml(text); !tree.error) return std::move(tree.root);
  YamlNode node = scalarOf(word, std::move(text));
  node.quoted = node.text.empty();  // other quotes are the shell's
  return node;
}

YamlNode keyOf(const ShellWord& word, std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return scalarOf(word, std::move(name));
}

}  // namespace

ProgramSettings settingsOfShell(std::string_view script, const std::string& where) {
  ProgramSettings settings;
  settings.map.kind = YamlNode::Kind::Map;
  ShellCommand most;
  const auto options = [](const ShellCommand& command) {
    return std::count_if(command.begin(), command.end(), isOption);
  };
  const auto ends = [](const char* ending) {
    return [ending](const ShellWord& word) { return endsWith(word.text, ending); };
  };
  for (ShellCommand& command : ShellWords(script).commands()) {
    for (const char* ending : {".yaml", ".yml", ".json"})
      if (const auto file = std::find_if(command.begin(), command.end(), ends(ending)); file != command.end())
        settings.file = file->text;
    const bool starts = most.empty() && std::any_of(command.begin(), command.end(), ends(".py"));
    if (starts || options(command) > options(most)) most = std::move(command);
  }
  for (const ShellWord& word : most)
    if (settings.program.empty() && endsWith(word.text, ".py")) settings.program = word.text;
  auto& entries = settings.map.entries;
  // "NPROC_PER_NODE=2 swift sft ...": what the launcher is told before its name.
  for (const ShellWord& word : most) {
    const auto sign = word.text.find('=');
    if (sign == std::string::npos || sign == 0 || !std::all_of(word.text.begin(), word.text.begin() + sign, isWord))
      break;
    const std::string name = word.text.substr(0, sign), value = word.text.substr(sign + 1);
    if (word.open || value.empty()) continue;
    if (name == "NPROC_PER_NODE") entries.emplace_back(keyOf(word, "nproc_per_node"), nodeOf(word, value));
    if (name == "CUDA_VISIBLE_DEVICES")
      settings.notes.push_back({word.line, word.column, name, "is not taken over: it belongs to one machine",
                                "gpus: [" + value + "]", where, Severity::Warning});
  }
  for (std::size_t i = 0; i < most.size(); ++i) {
    if (!isOption(most[i])) continue;
    const ShellWord& option = most[i];
    const auto sign = option.text.find('=');
    YamlNode key = keyOf(option, option.text.substr(2, sign == std::string::npos ? sign : sign - 2));
    YamlNode value = nodeOf(option, sign == std::string::npos ? "true" : option.text.substr(sign + 1));
    std::vector<YamlNode> values;
    std::string unknown = option.open ? option.text.substr(sign == std::string::npos ? 0 : sign + 1) : "";
    // "--nproc_per_node 8 train.py": the program itself is no value.
    while (sign == std::string::npos && i + 1 < most.size() && !isOption(most[i + 1]) &&
           !endsWith(most[i + 1].text, ".py")) {
      ++i;
      values.push_back(nodeOf(most[i], most[i].text));
      if (most[i].open) unknown = most[i].text;
    }
    if (values.size() == 1) value = std::move(values.front());
    if (values.size() > 1) {
      value.kind = YamlNode::Kind::List;
      value.items = std::move(values);
    }
    std::erase_if(entries, [&](const auto& entry) { return entry.first.text == key.text; });
    if (unknown.empty()) {
      entries.emplace_back(std::move(key), std::move(value));
      continue;
    }
    settings.open.push_back(key.text);
    if (!findForeignKey(key.text))
      settings.notes.push_back({key.line, key.column, key.text, "is worked out by the script: " + inOneLine(unknown),
                                "write its value", where, Severity::Warning});
  }
  return settings;
}

}  // namespace roadtune::config
