// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/schema.h"

#include "core/base/text.h"
#include "core/config/field_builder.h"

#include <unordered_map>

namespace roadtune::config {
namespace {

std::vector<Field> buildSchema() {
  const std::vector<std::pair<Section, std::vector<FieldTable>>> tables = {
      {Section::Model, {modelFields()}},
      {Section::Data, {dataSourceFields(), dataTaskFields(), dataImageFields()}},
      {Section::Method, {methodFields(), loraFields(), quantizationFields()}},
      {Section::Train, {batchFields(), optimizerFields(), scheduleFields(), guardFields()}},
      {Section::Output, {evaluationFields(), outputFields()}},
      {Section::Launch, {launchFields(), networkFields()}},
  };
  std::vector<Field> fields;
  for (const auto& [section, parts] : tables)
    for (const auto& part : parts)
      for (const auto& row : part) fields.push_back(row.done(section));
  return fields;
}

std::unordered_map<std::string, FieldMatch> buildNames() {
  std::unordered_map<std::string, FieldMatch> names;
  for (const auto& field : schema()) {
    names[field.name] = {&field, AliasRule::Same};
    for (const auto& alias : field.aliases) names[alias.name] = {&field, alias.rule};
  }
  return names;
}

}  // namespace

const std::vector<Field>& schema() {
  static const std::vector<Field> fields = buildSchema();
  return fields;
}

FieldMatch matchField(std::string_view name) {
  static const auto names = buildNames();
  const auto found = names.find(std::string(name));
  return found == names.end() ? FieldMatch{} : found->second;
}

const Field* findField(std::string_view name) { return matchField(name).field; }

std::string nearestFieldName(std::string_view typed) {
  static const auto canonical = [] {
    std::vector<std::string> names;
    for (const auto& field : schema()) names.push_back(field.name);
    return names;
  }();
  static const auto others = [] {
    std::vector<std::string> names;
    for (const auto& field : schema())
      for (const auto& alias : field.aliases) names.push_back(alias.name);
    return names;
  }();
  const std::string ours = nearestWord(typed, canonical);
  const std::string theirs = nearestWord(typed, others);
  const auto distance = [&](const std::string& name) { return editDistance(lower(typed), name); };
  if (theirs.empty() || (!ours.empty() && distance(ours) <= distance(theirs))) return ours;
  return theirs;
}

std::vector<Section> allSections() {
  return {Section::Model, Section::Data, Section::Method, Section::Train, Section::Output, Section::Launch};
}

std::string sectionName(Section section) {
  switch (section) {
    case Section::Model: return "model";
    case Section::Data: return "data";
    case Section::Method: return "method";
    case Section::Train: return "train";
    case Section::Output: return "output";
    case Section::Launch: return "launch";
  }
  return {};
}

std::string sectionTitle(Section section) {
  switch (section) {
    case Section::Model: return "Model";
    case Section::Data: return "Data";
    case Section::Method: return "Method";
    case Section::Train: return "Training";
    case Section::Output: return "Evaluation and output";
    case Section::Launch: return "Launch";
  }
  return {};
}

std::string typeName(FieldType type) {
  switch (type) {
    case FieldType::Text: return "a text";
    case FieldType::Path: return "a path";
    case FieldType::Integer: return "a whole number";
    case FieldType::Number: return "a number";
    case FieldType::Flag: return "true or false";
    case FieldType::Choice: return "one of a few words";
    case FieldType::List: return "a list of words";
    case FieldType::Integers: return "a list of whole numbers";
    case FieldType::TextOrList: return "a list of words or one text";
    case FieldType::Map: return "a map (key: value)";
    case FieldType::Sources: return "a path, or a list of {path, weight, query, task, images}";
    case FieldType::Overrides: return "a map of module: frozen, full, lora or qlora";
  }
  return {};
}

}  // namespace roadtune::config
