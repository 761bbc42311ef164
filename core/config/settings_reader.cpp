// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/settings_reader.h"

#include "core/base/text.h"
#include "core/config/convert.h"
#include "core/config/foreign_keys.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::config {
namespace {

// Is it marked as given by nobody? A value that is no longer the default has been edited since.
bool marksAsNotGiven(const std::string& line, const Value& value, const Field& field) {
  const auto comment = line.rfind("  # ");
  if (comment == std::string::npos) return false;
  const std::string_view words = trim(std::string_view(line).substr(comment + 4));
  return words == kImpliedMark || (words == kDefaultMark && value == field.defaultValue);
}

// What a value on the command line is: YAML, or just its characters where YAML would see more in them than was meant.
YamlNode nodeOf(const std::string& text, const Field& field) {
  const bool textual =
      field.type == FieldType::Text || field.type == FieldType::Path || field.type == FieldType::Choice;
  YamlTree tree = parseYaml(text);
  if (!tree.error && !(textual && !tree.root.isScalar())) {
    YamlNode node = std::move(tree.root);
    if (textual && !node.quoted) node.text = text;  // " #" and "&" are no comment and no anchor here
    node.line = 0;
    return node;
  }
  YamlNode node;
  node.kind = YamlNode::Kind::Scalar;
  node.text = text;
  return node;
}

struct Assignment {
  FieldMatch match;
  std::string member;  // what follows a map's name: "vision_tower" of modules.vision_tower
};

Assignment matchAssignment(const std::string& name) {
  Assignment result{matchField(name), {}};
  std::vector<std::string> words = split(name, '.');
  std::vector<std::string> path;
  while (!result.match.field && words.size() > 1 && isSectionName(words.front())) {
    path.push_back(words.front());
    words.erase(words.begin());
    result.match = matchInSection(join(words, "."), path);
  }
  if (result.match.field || words.size() < 2) return result;
  const FieldMatch map = matchInSection(words.front(), path);
  if (!map.field || (map.field->type != FieldType::Map && map.field->type != FieldType::Overrides)) return result;
  words.erase(words.begin());
  return {map, join(words, ".")};
}

void reportUnknown(const std::string& name, const std::string& where, std::vector<Problem>& problems) {
  Problem problem{0, 0, name, "unknown key", nearestFieldName(name), where};
  if (const ForeignKey* foreign = findForeignKey(name)) {
    problem.message = foreign->why;
    problem.hint = foreign->hint;
    problem.severity = foreign->refused ? Severity::Error : Severity::Warning;
  }
  problems.push_back(std::move(problem));
}

// The map as it is in force, with one entry replaced or added at the end, where it wins.
Value withMember(const Value& map, const std::string& member, Value value) {
  Value::Map entries = map.map();
  std::erase_if(entries, [&](const auto& entry) { return entry.first == member; });
  entries.emplace_back(member, std::move(value));
  return entries;
}

}  // namespace

void readFile(const EntryList& list, std::string_view text, const std::string& where,
              const std::filesystem::path& folder, Draft& draft, std::vector<Problem>& problems) {
  const auto lines = split(text, '\n');
  Converter converter(where, folder, problems);
  for (const auto& entry : list.entries) {
    YamlNode node = *entry.value;
    if (node.kind == YamlNode::Kind::Null) {  // what is not written has its place where the key is
      node.line = entry.key->line;
      node.column = entry.key->column;
    }
    auto value = converter.convert(*entry.field, entry.rule, entry.key->text, node);
    if (!value) {
      draft.markBroken(entry.field->name);
      continue;
    }
    const auto line = static_cast<std::size_t>(entry.key->line - 1);
    const bool given = line >= lines.size() || !marksAsNotGiven(lines[line], *value, *entry.field);
    draft.set(entry.field->name, {std::move(*value), given, {where, entry.key->line, entry.key->column}});
  }
}

void readOverride(const std::string& assignment, const std::filesystem::path& folder, Draft& draft,
                  std::vector<Problem>& problems) {
  const auto equals = assignment.find('=');
  const std::string name(trim(assignment.substr(0, equals)));
  const std::string where = "--set " + toValidUtf8(name);
  if (equals == std::string::npos || name.empty()) {
    problems.push_back(
        {0, 0, name, "expected key=value", name.empty() ? "--set learning_rate=1e-5" : name + "=...", where});
    return;
  }
  const auto [match, member] = matchAssignment(name);
  if (!match.field) return reportUnknown(toValidUtf8(name), where, problems);
  const std::string text(trim(assignment.substr(equals + 1)));
  if (text.empty() && member.empty()) return draft.reset(match.field->name);
  YamlNode node = nodeOf(toValidUtf8(text), *match.field);
  if (!member.empty()) {
    YamlNode map;
    map.kind = YamlNode::Kind::Map;
    YamlNode key;
    key.kind = YamlNode::Kind::Scalar;
    key.text = member;
    map.entries.emplace_back(std::move(key), std::move(node));
    node = std::move(map);
  }
  clearPlaces(node);
  Converter converter(where, folder, problems);
  // A map names its members itself.
  const std::string spelled = member.empty() ? name : name.substr(0, name.size() - member.size() - 1);
  auto value = converter.convert(*match.field, match.rule, spelled, node);
  if (!value) return draft.markBroken(match.field->name);
  if (!member.empty()) value = withMember(draft.view().value(match.field->name), member, value->map().front().second);
  draft.set(match.field->name, {std::move(*value), true, {where, 0, 0}});
}

}  // namespace roadtune::config
