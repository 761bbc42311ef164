// SPDX-License-Identifier: GPL-3.0-or-later
// Data sources and exceptions by module.
#include "core/base/text.h"
#include "core/config/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace roadtune::config {
namespace {

const std::vector<std::string> kSourceKeys = {"path", "weight", "query", "task", "images"};
const std::vector<std::string> kOverrideKeys = {"method", "r", "lora_alpha", "lora_dropout", "learning_rate", "dtype"};
const std::vector<std::string> kMethods = {"frozen", "full", "lora", "qlora"};

// The members of a source or an override are checked like keys of their own.
const Field& memberField(const std::string& name) {
  static const std::vector<Field> fields = [] {
    std::vector<Field> list;
    const auto add = [&](const char* key, FieldType type, Value value) -> Field& {
      Field field;
      field.name = key;
      field.type = type;
      field.defaultValue = std::move(value);
      list.push_back(std::move(field));
      return list.back();
    };
    add("path", FieldType::Path, {});
    Field& weight = add("weight", FieldType::Number, 1.0);
    weight.minimum = 0, weight.minimumExcluded = true, weight.maximum = 1e6;
    add("query", FieldType::Text, {});
    add("images", FieldType::Path, {});
    add("task", FieldType::Choice, {}).choices = {"detect", "vqa", "caption"};
    add("method", FieldType::Choice, {}).choices = kMethods;
    Field& rank = add("r", FieldType::Integer, {});
    rank.minimum = 1, rank.maximum = 4096;
    Field& alpha = add("lora_alpha", FieldType::Number, {});
    alpha.minimum = 0, alpha.minimumExcluded = true;
    Field& dropout = add("lora_dropout", FieldType::Number, {});
    dropout.minimum = 0, dropout.maximum = 1, dropout.maximumExcluded = true;
    Field& rate = add("learning_rate", FieldType::Number, {});
    rate.minimum = 0, rate.maximum = 100;
    add("dtype", FieldType::Choice, {}).choices = {"auto", "float32", "bfloat16"};
    return list;
  }();
  for (const auto& field : fields)
    if (field.name == name) return field;
  std::abort();
}

std::string memberName(const std::string& typed) {
  static const std::vector<std::pair<std::string, std::string>> others = {{"file", "path"},
                                                                          {"file_name", "path"},
                                                                          {"data_path", "path"},
                                                                          {"index", "path"},
                                                                          {"filter", "query"},
                                                                          {"image_dir", "images"},
                                                                          {"image_folder", "images"},
                                                                          {"rank", "r"},
                                                                          {"lora_r", "r"},
                                                                          {"lora_rank", "r"},
                                                                          {"alpha", "lora_alpha"},
                                                                          {"lr", "learning_rate"},
                                                                          {"dropout", "lora_dropout"},
                                                                          {"torch_dtype", "dtype"},
                                                                          {"type", "method"},
                                                                          {"finetuning_type", "method"}};
  for (const auto& [theirs, ours] : others)
    if (typed == theirs) return ours;
  return typed;
}

}  // namespace

std::optional<Value> Converter::sources(const Target& target) {
  if (!target.node.isList()) {
    auto one = source(target);
    if (!one) return {};
    return Value(Value::List{std::move(*one)});
  }
  if (target.node.items.empty()) return report(target, "is an empty list", "name at least one path");
  Value::List list;
  bool good = true;
  for (const auto& item : target.node.items) {
    auto value = source({target.field, target.spelled, item});
    good = good && value.has_value();
    if (value) list.push_back(std::move(*value));
  }
  if (!good) return {};
  return Value(std::move(list));
}

std::optional<Value> Converter::source(const Target& target) {
  if (target.node.isScalar() && !target.node.isNull()) {
    const Field& path = memberField("path");
    auto value = scalar({path, target.spelled, target.node}, FieldType::Path);
    if (!value) return {};
    return Value(Value::Map{{"path", std::move(*value)}});
  }
  if (!target.node.isMap()) return wrongType(target, FieldType::Sources);
  std::vector<std::optional<Value>> members(kSourceKeys.size());
  bool good = true;
  for (const auto& [key, node] : target.node.entries) {
    const std::string name = memberName(key.text);
    const auto at = std::find(kSourceKeys.begin(), kSourceKeys.end(), name);
    if (at == kSourceKeys.end()) {
      const std::string nearest = nearestWord(name, kSourceKeys);
      report({target.field, target.spelled, key}, fmt::format("a source has no '{}'", toValidUtf8(key.text)),
             nearest.empty() ? "path, weight, query, task, images" : nearest);
      good = false;
      continue;
    }
    auto& member = members[static_cast<std::size_t>(at - kSourceKeys.begin())];
    if (member) {
      report({target.field, target.spelled, key}, fmt::format("{} stands here twice", name), "keep one of them");
      good = false;
      continue;
    }
    member = memberOf(target, key, node, name.c_str());
    good = good && member.has_value();
  }
  if (!good) return {};
  if (!members[0]) return report(target, "a source without a path", "{path: train.jsonl}");
  Value::Map map;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const bool usual = members[i] && *members[i] == memberField(kSourceKeys[i]).defaultValue;
    if (members[i] && !usual && !members[i]->isNull()) map.emplace_back(kSourceKeys[i], std::move(*members[i]));
  }
  return Value(std::move(map));
}

std::optional<Value> Converter::memberOf(const Target& target, const YamlNode& key, const YamlNode& value,
                                         const char* fieldName) {
  const std::string spelled = target.spelled + "." + key.text;
  return plain({memberField(fieldName), spelled, value});
}

std::optional<Value> Converter::overrides(const Target& target) {
  if (!target.node.isMap()) return wrongType(target, FieldType::Overrides);
  Value::Map map;
  bool good = true;
  for (const auto& [key, node] : target.node.entries) {
    if (!key.isScalar() || key.isNull()) {
      report({target.field, target.spelled, key}, "module names must be plain words");
      good = false;
      continue;
    }
    if (std::any_of(map.begin(), map.end(), [text = key.text](const auto& known) { return known.first == text; })) {
      report({target.field, target.spelled, key}, fmt::format("{} stands here twice", toValidUtf8(key.text)),
             "keep one of them");
      good = false;
      continue;
    }
    const std::string spelled = target.spelled + "." + key.text;
    auto value = overrideOf({target.field, spelled, node});
    good = good && value.has_value();
    if (value) map.emplace_back(key.text, std::move(*value));
  }
  if (!good) return {};
  return Value(std::move(map));
}

// "full", {method: lora, r: 16}, or {dtype: float32}, which leaves the method as it is; the short form is the canonical
// one when nothing else is said.
std::optional<Value> Converter::overrideOf(const Target& target) {
  const Field& method = memberField("method");
  if (target.node.isScalar()) {
    if (lower(target.node.text) == "freeze") return Value("frozen");
    return scalar({method, target.spelled, target.node}, FieldType::Choice);
  }
  if (!target.node.isMap()) return wrongType(target, FieldType::Overrides);
  Value::Map map;
  bool good = true;
  for (const auto& wanted : kOverrideKeys)
    for (const auto& [key, node] : target.node.entries)
      if (memberName(key.text) == wanted) {
        if (Value(map).find(wanted)) {
          report({target.field, target.spelled, key}, fmt::format("{} stands here twice", wanted), "keep one of them");
          good = false;
          continue;
        }
        auto value = memberOf(target, key, node, wanted.c_str());
        good = good && value.has_value();
        if (value && !value->isNull()) map.emplace_back(wanted, std::move(*value));
      }
  for (const auto& [key, node] : target.node.entries)
    if (const std::string name = memberName(key.text);
        std::find(kOverrideKeys.begin(), kOverrideKeys.end(), name) == kOverrideKeys.end()) {
      const std::string nearest = nearestWord(name, kOverrideKeys);
      report({target.field, target.spelled, key}, fmt::format("an exception has no '{}'", toValidUtf8(key.text)),
             nearest.empty() ? join(kOverrideKeys, ", ") : nearest);
      good = false;
    }
  if (!good) return {};
  const bool named = !map.empty() && map.front().first == "method";
  const bool needsOne = std::any_of(map.begin(), map.end(), [](const auto& member) {
    return member.first != "learning_rate" && member.first != "dtype";
  });
  if (!named && (map.empty() || needsOne)) return report(target, "an exception without a method", join(kMethods, ", "));
  if (named && map.size() == 1) return map.front().second;
  return Value(std::move(map));
}

}  // namespace roadtune::config
