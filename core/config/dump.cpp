// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/dump.h"

#include "core/base/text.h"
#include "core/config/entries.h"
#include "core/config/resolve.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::config {
namespace {

Value escaped(const Value& value) {
  if (value.isText()) {
    std::string text;
    for (std::size_t i = 0; i < value.text().size(); ++i) {
      if (value.text().compare(i, 2, "${") == 0) text += '$';
      text += value.text()[i];
    }
    return text;
  }
  if (value.isList()) {
    Value::List list;
    for (const auto& item : value.list()) list.push_back(escaped(item));
    return list;
  }
  if (!value.isMap()) return value;
  Value::Map map;
  for (const auto& [key, item] : value.map()) map.emplace_back(key, escaped(item));
  return map;
}

// A lone source without options is its path; a choice is a word, whatever YAML sees in it.
Value compact(const Field& field, const Value& value) {
  if (field.type != FieldType::Sources || value.list().size() != 1) return value;
  const Value& only = value.list().front();
  return only.map().size() == 1 && only.find("path") ? *only.find("path") : value;
}

std::string markOf(const RunConfig& config, const Field& field) {
  if (config.isSet(field.name)) return {};
  return std::string(config.value(field.name) == field.defaultValue ? kDefaultMark : kImpliedMark);
}

bool usesVariables(const YamlNode& node) {
  if (node.text.find("${") != std::string::npos) return true;
  return std::any_of(node.items.begin(), node.items.end(), usesVariables) ||
         std::any_of(node.entries.begin(), node.entries.end(),
                     [](const auto& entry) { return usesVariables(entry.second); });
}

bool holdsWord(const YamlNode& node, const std::string& word) {
  if (node.isScalar() && node.text == word) return true;
  return std::any_of(node.items.begin(), node.items.end(),
                     [&](const YamlNode& item) { return holdsWord(item, word); }) ||
         std::any_of(node.entries.begin(), node.entries.end(),
                     [&](const auto& entry) { return holdsWord(entry.second, word); });
}

// Are all paths written as they are meant, so that the file may lie in any folder?
bool pathsAreAbsolute(const Field& field, const Value& value, const YamlNode& node) {
  if (field.type == FieldType::Path) return value.isNull() || holdsWord(node, value.text());
  if (field.type != FieldType::Sources) return true;
  for (const auto& source : value.list())
    for (const char* key : {"path", "images"})
      if (const Value* path = source.find(key); path && !holdsWord(node, path->text())) return false;
  return true;
}

// Must this key be written anew, so that the file means the same anywhere and without --set?
bool needsRewrite(const Field& field, const Resolution& alone, const RunConfig& config, const YamlNode& node) {
  const Value& value = config.value(field.name);
  if (!alone.config || !(alone.config->value(field.name) == value)) return true;
  return usesVariables(node) || !pathsAreAbsolute(field, value, node);
}

std::string defaultsBlock(const Document& document, const RunConfig& config) {
  const YamlTree tree = parseYaml(document.text());
  const EntryList list = listEntries(tree.root, "");
  std::string block;
  for (const Section section : allSections()) {
    std::string lines;
    for (const auto& field : schema())
      if (field.section == section && !list.find(field.name))
        lines += yamlLine(field.name, yamlOf(field, config.value(field.name)), markOf(config, field)) + "\n";
    if (!lines.empty())
      block +=
          fmt::format("\n# {}: values in force that the lines above do not give\n{}", sectionTitle(section), lines);
  }
  return block;
}

}  // namespace

std::string yamlOf(const Field& field, const Value& value) { return toYaml(escaped(compact(field, value))); }

std::string yamlLine(const std::string& key, const std::string& yaml, const std::string& comment) {
  const std::string line = key + ": " + yaml;
  return comment.empty() ? line : fmt::format("{:<46}  # {}", line, comment);
}

std::string resolvedYaml(const RunConfig& config) {
  std::string text = "# Every key of the run. \"default\" and \"implied\" mark values that nobody gave.\n";
  for (const Section section : allSections()) {
    text += fmt::format("\n{}:\n", sectionName(section));
    for (const auto& field : schema())
      if (field.section == section)
        text += "  " + yamlLine(field.name, yamlOf(field, config.value(field.name)), markOf(config, field)) + "\n";
  }
  return text;
}

std::string frozenYaml(const Document& document, const RunConfig& config) {
  const ResolveOptions anything{Purpose::Editing, {}};
  const Resolution alone = resolve(document, anything);
  const YamlTree tree = parseYaml(document.text());
  if (tree.error) return resolvedYaml(config);
  const EntryList list = listEntries(tree.root, "");
  Document frozen = document;
  for (const auto& field : schema()) {
    const Entry* entry = list.find(field.name);
    const bool stale = entry && needsRewrite(field, alone, config, *entry->value);
    if (!stale && (entry || !config.isSet(field.name))) continue;
    const bool done = config.isSet(field.name) ? frozen.set(field.name, config.value(field.name)).ok()
                                               : frozen.unset(field.name).ok();
    if (!done) return resolvedYaml(config);
  }
  std::string text = frozen.text();
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  text += defaultsBlock(frozen, config);
  const Resolution again = resolve(Document(text, document.path()), anything);
  return again.config && *again.config == config ? text : resolvedYaml(config);
}

}  // namespace roadtune::config
