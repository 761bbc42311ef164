// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/document.h"

#include "core/base/files.h"
#include "core/config/dump.h"
#include "core/config/entries.h"
#include "core/config/text_edit.h"

#include <algorithm>

namespace roadtune::config {
namespace {

Result<YamlTree> parsed(const std::string& text, const fs::path& path) {
  YamlTree tree = parseYaml(text);
  if (!tree.error) return tree;
  return badInput(tree.error->message, path.string() + ":" + std::to_string(tree.error->line), tree.error->hint);
}

bool sameContent(const YamlNode& a, const YamlNode& b) {
  if (a.isNull() || b.isNull()) return a.isNull() && b.isNull();
  if (a.kind != b.kind || a.text != b.text) return false;
  return std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), sameContent) &&
         std::equal(a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(),
                    [](const auto& x, const auto& y) {
                      return sameContent(x.first, y.first) && sameContent(x.second, y.second);
                    });
}

// After an edit: is every other key what it was, and does the edited one hold `wanted` (null: is it gone)?
bool onlyThisChanged(const std::string& before, const std::string& after, const std::string& name,
                     const std::string* wanted) {
  const YamlTree was = parseYaml(before), is = parseYaml(after);
  if (is.error) return false;
  const EntryList old = listEntries(was.root, ""), now = listEntries(is.root, "");
  const auto others = [&](const EntryList& list) {
    return std::count_if(list.entries.begin(), list.entries.end(),
                         [&](const Entry& e) { return e.field->name != name; });
  };
  if (others(old) != others(now) || old.leftOvers.size() != now.leftOvers.size()) return false;
  for (const auto& entry : old.entries) {
    if (entry.field->name == name) continue;
    const Entry* same = now.find(entry.field->name);
    if (!same || !sameContent(*entry.value, *same->value)) return false;
  }
  const Entry* edited = now.find(name);
  if (!wanted) return !edited;
  return edited && sameContent(*edited->value, parseYaml(*wanted).root);
}

// Headings under which a key of the section may already be at home in this file.
std::vector<std::string> homesOf(const Field& field) {
  std::vector<std::string> homes;
  const bool adapter = !field.visibleWhen.empty() && field.visibleWhen.front().field == "finetuning_type";
  if (field.section == Section::Method && adapter) homes = {"lora", "peft"};
  homes.push_back(sectionName(field.section));
  if (field.section == Section::Train) homes.insert(homes.end(), {"training", "training_args", "params"});
  return homes;
}

// A heading with nothing below takes no new keys, and may be read as a key itself (model:).
std::string withoutBareHeading(std::string text, std::string_view heading) {
  for (const auto& [key, value] : parseYaml(text).root.entries) {
    if (key.text != heading || !value.isNull() || value.isScalar()) continue;
    const auto end = text.find('\n', key.offset);
    return text.erase(key.offset, end == std::string::npos ? end : end + 1 - key.offset);
  }
  return text;
}

std::string added(const std::string& text, const YamlTree& tree, const EntryList& list, const Field& field,
                  const std::string& yaml) {
  for (const auto& home : homesOf(field)) {
    const auto section = list.sections.find(home);
    if (section == list.sections.end()) continue;
    if (auto result = withNewEntry(text, *section->second, field.name, yaml)) return *result;
  }
  if (tree.root.isMap() && tree.root.flow) return withNewEntry(text, tree.root, field.name, yaml).value_or(text);
  const std::string heading = list.sections.empty() ? "" : sectionName(field.section);
  return withAppended(withoutBareHeading(text, heading), heading, field.name, yaml);
}

Error notEditable(const std::string& name, const fs::path& path) {
  return badInput(name + " is written in a way that cannot be edited here", path.string(), "edit the file by hand");
}

Result<const Field*> knownField(std::string_view key) {
  if (const Field* field = findField(key)) return field;
  return badInput("unknown key " + std::string(key), {}, nearestFieldName(key));
}

}  // namespace

Document::Document(std::string text, fs::path path) : m_text(std::move(text)), m_path(std::move(path)) {}

Result<Document> Document::load(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return badInput("is a folder", path.string(), "name a YAML file");
  auto text = readFile(path);
  if (!text.ok()) return badInput(text.error().what, path.string(), text.error().hint);
  return Document(std::move(text).value(), path);
}

fs::path Document::folder() const {
  std::error_code ignored;
  return fs::absolute(m_path, ignored).parent_path();
}

Status Document::set(std::string_view key, const Value& value) {
  ROADTUNE_TRY(const Field* field, knownField(key));
  ROADTUNE_TRY(const YamlTree tree, parsed(m_text, m_path));
  const EntryList list = listEntries(tree.root, "");
  const std::string yaml = yamlOf(*field, value);
  std::string text;
  if (const Entry* entry = list.find(field->name)) {
    const auto place = placeOf(m_text, *entry);
    if (!place) return notEditable(field->name, m_path);
    // A converted spelling (quantization_bit: 4) cannot hold our value; the canonical one can.
    text = withValue(m_text, *place, entry->rule == AliasRule::Same ? std::string() : field->name, yaml);
  } else {
    text = added(m_text, tree, list, *field, yaml);
  }
  if (!onlyThisChanged(m_text, text, field->name, &yaml)) return notEditable(field->name, m_path);
  m_text = std::move(text);
  return {};
}

Status Document::unset(std::string_view key) {
  ROADTUNE_TRY(const Field* field, knownField(key));
  ROADTUNE_TRY(const YamlTree tree, parsed(m_text, m_path));
  const EntryList list = listEntries(tree.root, "");
  const Entry* entry = list.find(field->name);
  if (!entry) return {};
  const auto place = placeOf(m_text, *entry);
  std::string text = place ? withoutEntry(m_text, *place) : m_text;
  if (!onlyThisChanged(m_text, text, field->name, nullptr))
    text = withoutBareHeading(std::move(text), sectionName(field->section));
  if (!onlyThisChanged(m_text, text, field->name, nullptr)) return notEditable(field->name, m_path);
  m_text = std::move(text);
  return {};
}

bool Document::contains(std::string_view key) const {
  const Field* field = findField(key);
  const YamlTree tree = parseYaml(m_text);
  return field && !tree.error && listEntries(tree.root, "").find(field->name);
}

Status Document::save() const {
  if (m_path.empty()) return badInput("the configuration has no file yet", {}, "save it under a name");
  return writeFileAtomically(m_path, m_text);
}

Status Document::saveAs(const fs::path& path) {
  ROADTUNE_CHECK(writeFileAtomically(path, m_text));
  m_path = path;
  return {};
}

}  // namespace roadtune::config
