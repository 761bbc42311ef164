// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/readable.h"

#include "core/config/entries.h"
#include "core/config/rules.h"
#include "core/config/settings_reader.h"
#include "core/config/yaml_node.h"

#include <map>
#include <string>
#include <vector>

namespace roadtune::config {

RunConfig readableConfig(const Document& document) {
  const std::string where = document.path().empty() ? "configuration" : document.path().string();
  const YamlTree tree = parseYaml(document.text());
  const EntryList list = listEntries(tree.root, where);
  std::vector<Problem> ignored;
  Draft draft(where, ignored);
  readFile(list, document.text(), where, document.folder(), draft, ignored);
  settleMethod(draft);  // one wrong number elsewhere does not change what is trained
  return draft.view();
}

std::map<std::string, std::string> unreadWords(const Document& document, const RunConfig& config) {
  const YamlTree tree = parseYaml(document.text());
  std::map<std::string, std::string> words;
  if (tree.error) return words;
  const EntryList list = listEntries(tree.root, "");
  for (const Field& field : schema()) {
    const Entry* entry = list.find(field.name);
    if (entry && entry->value->isScalar() && !entry->value->isNull() && !config.isSet(field.name))
      words[field.name] = entry->value->text;
  }
  return words;
}

bool isReadable(const Document& document) { return !parseYaml(document.text()).error; }

}  // namespace roadtune::config
