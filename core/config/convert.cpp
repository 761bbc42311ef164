// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/convert.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/base/url.h"
#include "core/config/scalars.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::config {
namespace {

std::string defaultHint(const Field& field) {
  if (field.defaultValue.isNull() && field.type == FieldType::Choice) return "leave the key out";  // the words are told
  if (field.defaultValue.isNull()) return fmt::format("leave the key out, or give {}", typeName(field.type));
  return fmt::format("leave the key out for the default, {}", toYaml(field.defaultValue));
}

std::string rangeText(const Field& field) {
  std::string text;
  if (field.minimum) text = fmt::format("{} {:g}", field.minimumExcluded ? "above" : "at least", *field.minimum);
  const bool limited = field.maximum && *field.maximum < 1e10;  // beyond, nobody asks
  if (limited)
    text += fmt::format("{}{} {:.10g}", text.empty() ? "" : " and ", field.maximumExcluded ? "below" : "at most",
                        *field.maximum);
  return text;
}

// "model.q_proj,v_proj": several names in one text, not a regular expression.
bool isNameList(const std::string& text) {
  return text.find(',') != std::string::npos &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-., ") ==
             std::string::npos;
}

}  // namespace

std::optional<Value> Converter::convert(const Field& field, AliasRule rule, const std::string& spelled,
                                        const YamlNode& node) {
  const Target target{field, spelled, node};
  return rule == AliasRule::Same ? plain(target) : viaAlias(target, rule);
}

std::optional<Value> Converter::plain(const Target& target) {
  const Field& field = target.field;
  if (target.node.isNull()) {
    const bool said = !target.node.text.empty();  // null or ~: as programs write what was never set
    if (said || field.defaultValue.isNull() || field.type == FieldType::Map || field.type == FieldType::Overrides)
      return field.defaultValue;
    return report(target, "has no value; expected " + typeName(field.type), defaultHint(field));
  }
  switch (field.type) {
    case FieldType::List: return list(target, FieldType::Text);
    case FieldType::Integers: return list(target, FieldType::Integer);
    case FieldType::TextOrList: return textOrList(target);
    case FieldType::Map: return map(target);
    case FieldType::Sources: return sources(target);
    case FieldType::Overrides: return overrides(target);
    default: return scalar(target, field.type);
  }
}

std::optional<std::string> Converter::text(const Target& target) {
  auto result = substituteEnvironment(target.node.text);
  if (!result.ok()) return report(target, result.error().what, result.error().hint);
  return std::move(result).value();
}

std::optional<Value> Converter::scalar(const Target& target, FieldType type) {
  if (!target.node.isScalar()) return wrongType(target, type);
  const auto word = text(target);
  if (!word) return {};
  for (const auto& [theirs, ours] : target.field.synonyms)
    if (lower(*word) == theirs) return ours == "null" ? Value() : Value(ours);
  switch (type) {
    case FieldType::Integer:
    case FieldType::Number: return numeric(target, type, *word);
    case FieldType::Choice: return choice(target, *word);
    case FieldType::Flag:
      if (const auto flag = parseFlag(*word)) return Value(*flag);
      return wrongType(target, type);
    case FieldType::Path: {
      const auto& kept = target.field.choices;
      if (word->empty()) return report(target, "is an empty path", defaultHint(target.field));
      if (isUrl(*word) || isHostPath(*word)) return elsewhere(target, *word);
      return std::find(kept.begin(), kept.end(), *word) != kept.end() ? *word : absolute(*word);
    }
    default: return Value(*word);
  }
}

// Data may lie in object storage; copies of checkpoints also on another machine.
std::optional<Value> Converter::elsewhere(const Target& target, const std::string& word) {
  const bool copies = target.field.name == "mirror_checkpoints_to";
  if (!isUrl(word)) return copies ? word : absolute(word);
  if (!copies && target.field.name != "path" && target.field.name != "images")
    return report(target, "must be a path of this machine",
                  "only data and mirror_checkpoints_to may be s3:// or gs://");
  if (const std::string refusal = refusalOfUrl(word); !refusal.empty()) return report(target, refusal);
  return word;
}

std::optional<Value> Converter::numeric(const Target& target, FieldType type, const std::string& word) {
  if (isNonFiniteWord(word))
    return report(target, fmt::format("must be finite, found {}", word), defaultHint(target.field));
  if (type == FieldType::Integer) {
    const auto integer = parseInteger(word);
    if (!integer) return wrongType(target, type);
    if (!inRange(target, static_cast<double>(*integer))) return {};
    return Value(*integer);
  }
  const auto number = parseNumber(word);
  if (!number) return wrongType(target, type);
  if (!inRange(target, *number)) return {};
  return Value(*number);
}

bool Converter::inRange(const Target& target, double value) {
  const Field& field = target.field;
  const bool low = field.minimum && (field.minimumExcluded ? value <= *field.minimum : value < *field.minimum);
  const bool high = field.maximum && (field.maximumExcluded ? value >= *field.maximum : value > *field.maximum);
  if (!low && !high) return true;
  report(target, fmt::format("{} is out of range: must be {}", target.node.text, rangeText(field)), defaultHint(field));
  return false;
}

std::optional<Value> Converter::choice(const Target& target, const std::string& word) {
  for (const auto& known : target.field.choices)
    if (lower(word) == lower(known)) return Value(known);
  const std::string nearest = nearestWord(word, target.field.choices);
  return report(target, fmt::format("'{}' is not one of {}", toValidUtf8(word), join(target.field.choices, ", ")),
                nearest.empty() ? defaultHint(target.field) : nearest);
}

std::optional<Value> Converter::list(const Target& target, FieldType itemType) {
  std::vector<YamlNode> items = target.node.items;
  if (target.node.isScalar()) {
    const auto word = text(target);
    if (!word) return {};
    for (const auto& part : split(*word, ',')) {
      YamlNode item = target.node;
      item.text = std::string(trim(part));
      if (!item.text.empty()) items.push_back(std::move(item));
    }
  } else if (!target.node.isList()) {
    return wrongType(target, target.field.type);
  }
  const FieldType type = target.field.choices.empty() ? itemType : FieldType::Choice;
  Value::List values;
  bool good = true;
  for (const auto& item : items) {
    auto value = scalar({target.field, target.spelled, item}, type);
    good = good && value.has_value();
    if (value) values.push_back(std::move(*value));
  }
  if (!good) return {};
  return Value(std::move(values));
}

std::optional<Value> Converter::textOrList(const Target& target) {
  if (target.node.isList()) return list(target, FieldType::Text);
  if (!target.node.isScalar()) return wrongType(target, target.field.type);
  const auto word = text(target);
  if (!word) return {};
  return isNameList(*word) ? list(target, FieldType::Text) : Value(*word);
}

std::optional<Value> Converter::map(const Target& target) {
  if (target.node.isScalar() && target.node.text.starts_with("{")) {  // as JSON, as transformers takes it, too
    YamlTree tree = parseYaml(target.node.text);
    if (tree.root.isMap()) return map({target.field, target.spelled, tree.root});
  }
  if (!target.node.isMap()) return wrongType(target, target.field.type);
  const bool numbers = target.field.name != "environment";
  const bool whole = target.field.name == "rank_pattern";
  Value::Map values;
  bool good = true;
  for (const auto& [key, node] : target.node.entries) {
    const Target item{target.field, target.spelled, node};
    std::optional<Value> value;
    if (!key.isScalar()) {
      report({target.field, target.spelled, key}, "keys must be plain words");
    } else if (std::any_of(values.begin(), values.end(),
                           [text = key.text](const auto& known) { return known.first == text; })) {
      report({target.field, target.spelled, key}, fmt::format("{} stands here twice", toValidUtf8(key.text)),
             "keep one of them");
    } else if (numbers && node.isScalar() && !parseNumber(node.text) && target.field.name == "lr_scheduler_kwargs") {
      value = scalar(item, FieldType::Text);
    } else {
      value = scalar(item, whole ? FieldType::Integer : numbers ? FieldType::Number : FieldType::Text);
    }
    good = good && value.has_value();
    if (value) values.emplace_back(key.text, std::move(*value));
  }
  if (!good) return {};
  return Value(std::move(values));
}

std::string Converter::absolute(const std::string& path) const {
  const std::filesystem::path expanded = expandHome(path);
  if (m_folder.empty()) return expanded.string();
  auto result = (m_folder / expanded).lexically_normal().string();
  while (result.size() > 1 && result.back() == '/') result.pop_back();
  return result;
}

std::nullopt_t Converter::wrongType(const Target& target, FieldType type) {
  std::string found;
  switch (target.node.kind) {
    case YamlNode::Kind::Null: found = "nothing"; break;
    case YamlNode::Kind::Scalar: found = "'" + toValidUtf8(target.node.text.substr(0, 80)) + "'"; break;
    case YamlNode::Kind::List: found = "a list"; break;
    case YamlNode::Kind::Map: found = "a map"; break;
  }
  const std::string range = rangeText(target.field);
  const bool numeric = type == FieldType::Integer || type == FieldType::Number;
  return report(
      target,
      fmt::format("expected {}{}, found {}", typeName(type), numeric && !range.empty() ? ", " + range : "", found),
      defaultHint(target.field));
}

std::nullopt_t Converter::report(const Target& target, const std::string& message, const std::string& hint) {
  m_problems.push_back({target.node.line, target.node.column, target.spelled, message, hint, m_where});
  return std::nullopt;
}

}  // namespace roadtune::config
