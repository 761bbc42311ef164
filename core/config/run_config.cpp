// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/run_config.h"

#include "core/base/hash.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace roadtune::config {
namespace {

[[noreturn]] void mistake(std::string_view name, const char* what) {
  std::fprintf(stderr, "roadtune: the configuration was asked for '%.*s', %s\n", static_cast<int>(name.size()),
               name.data(), what);
  std::abort();
}

const Field& fieldOf(std::string_view name) {
  const Field* field = findField(name);
  if (!field || field->name != name) mistake(name, "which is not a key of the schema");
  return *field;
}

const Field& fieldOf(std::string_view name, std::initializer_list<FieldType> types) {
  const Field& field = fieldOf(name);
  if (std::find(types.begin(), types.end(), field.type) == types.end()) mistake(name, "which holds something else");
  return field;
}

std::string memberText(const Value& map, const char* key) {
  const Value* value = map.find(key);
  return value ? value->text() : std::string();
}

}  // namespace

const Value& RunConfig::value(std::string_view name) const {
  const auto found = m_settings.find(std::string(name));
  return found == m_settings.end() ? fieldOf(name).defaultValue : found->second.value;
}

std::string RunConfig::text(std::string_view name) const {
  fieldOf(name, {FieldType::Text, FieldType::Path, FieldType::Choice, FieldType::TextOrList});
  return value(name).text();
}

double RunConfig::number(std::string_view name) const {
  fieldOf(name, {FieldType::Number, FieldType::Integer});
  return value(name).number();
}

std::int64_t RunConfig::integer(std::string_view name) const {
  fieldOf(name, {FieldType::Number, FieldType::Integer});
  return value(name).integer();
}

bool RunConfig::flag(std::string_view name) const {
  fieldOf(name, {FieldType::Flag});
  return value(name).flag();
}

std::vector<std::string> RunConfig::list(std::string_view name) const {
  fieldOf(name, {FieldType::List, FieldType::TextOrList});
  const Value& held = value(name);
  if (held.isText()) return {held.text()};
  std::vector<std::string> words;
  for (const auto& item : held.list()) words.push_back(item.text());
  return words;
}

std::vector<std::int64_t> RunConfig::integers(std::string_view name) const {
  fieldOf(name, {FieldType::Integers});
  std::vector<std::int64_t> numbers;
  for (const auto& item : value(name).list()) numbers.push_back(item.integer());
  return numbers;
}

std::vector<std::pair<std::string, double>> RunConfig::numberMap(std::string_view name) const {
  fieldOf(name, {FieldType::Map});
  std::vector<std::pair<std::string, double>> numbers;
  for (const auto& [key, item] : value(name).map())
    if (!item.isText()) numbers.emplace_back(key, item.number());
  return numbers;
}

std::vector<std::pair<std::string, std::string>> RunConfig::textMap(std::string_view name) const {
  fieldOf(name, {FieldType::Map});
  std::vector<std::pair<std::string, std::string>> texts;
  for (const auto& [key, item] : value(name).map()) texts.emplace_back(key, item.isText() ? item.text() : toYaml(item));
  return texts;
}

std::vector<DataSourceSpec> RunConfig::sources(std::string_view name) const {
  fieldOf(name, {FieldType::Sources});
  const std::string query = text(name == "eval_data" ? "eval_query" : "train_query");
  std::vector<DataSourceSpec> sources;
  for (const auto& item : value(name).list()) {
    DataSourceSpec source;
    source.path = memberText(item, "path");
    if (const Value* weight = item.find("weight")) source.weight = weight->number();
    source.query = item.find("query") ? memberText(item, "query") : query;
    source.task = item.find("task") ? memberText(item, "task") : text("task");
    source.images = memberText(item, "images");
    sources.push_back(std::move(source));
  }
  return sources;
}

std::vector<ModuleOverride> RunConfig::moduleOverrides() const {
  std::vector<ModuleOverride> overrides;
  for (const auto& [pattern, item] : value("modules").map()) {
    ModuleOverride one{pattern, item.isText() ? item.text() : memberText(item, "method")};
    if (const Value* r = item.find("r")) one.r = r->integer();
    if (const Value* alpha = item.find("lora_alpha")) one.loraAlpha = alpha->number();
    if (const Value* dropout = item.find("lora_dropout")) one.loraDropout = dropout->number();
    if (const Value* rate = item.find("learning_rate")) one.learningRate = rate->number();
    one.dtype = memberText(item, "dtype");
    overrides.push_back(std::move(one));
  }
  return overrides;
}

bool RunConfig::has(std::string_view name) const { return !value(name).isNull(); }

bool RunConfig::isSet(std::string_view name) const {
  fieldOf(name);
  const auto found = m_settings.find(std::string(name));
  return found != m_settings.end() && found->second.given;
}

Origin RunConfig::origin(std::string_view name) const {
  const auto found = m_settings.find(std::string(name));
  return found == m_settings.end() ? Origin{} : found->second.origin;
}

std::int64_t RunConfig::steps(std::string_view name, std::int64_t totalSteps) const {
  const bool follows = name == "eval_steps" && !has("eval_steps");
  const double value = number(follows ? "logging_steps" : name);
  const double steps = value < 1 ? std::ceil(static_cast<double>(totalSteps) * value) : value;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(steps));
}

std::int64_t RunConfig::warmupSteps(std::int64_t totalSteps) const {
  const double steps = number("warmup_steps");
  if (steps >= 1) return static_cast<std::int64_t>(steps);
  const double share = steps > 0 ? steps : number("warmup_ratio");
  return static_cast<std::int64_t>(std::ceil(static_cast<double>(totalSteps) * share));
}

std::string RunConfig::startAdapter() const {
  const std::string resumed = text("resume_from_checkpoint");
  return resumed.empty() || resumed == "latest" || endsWith(resumed, "/latest") ? text("adapter_name_or_path") : "";
}

bool RunConfig::usesLora() const {
  if (text("finetuning_type") != "full") return true;
  const auto overrides = moduleOverrides();
  return std::any_of(overrides.begin(), overrides.end(),
                     [](const ModuleOverride& one) { return endsWith(one.method, "lora"); });
}

bool RunConfig::usesFourBit() const {
  const auto overrides = moduleOverrides();
  return flag("load_in_4bit") || std::any_of(overrides.begin(), overrides.end(),
                                             [](const ModuleOverride& one) { return one.method == "qlora"; });
}

std::string RunConfig::hash() const {
  Sha256 sum;
  for (const auto& field : schema()) sum.update(field.name + "=" + toJson(value(field.name)) + "\n");
  return sum.hex();
}

bool RunConfig::isVisible(const Field& field) const {
  return std::all_of(field.visibleWhen.begin(), field.visibleWhen.end(),
                     [this](const Condition& condition) { return meets(condition); });
}

bool RunConfig::meets(const Condition& condition) const {
  const Value& held = value(condition.field);
  const std::string word = held.isText() ? held.text() : toYaml(held);
  return std::find(condition.values.begin(), condition.values.end(), word) != condition.values.end();
}

bool RunConfig::operator==(const RunConfig& other) const {
  return std::all_of(schema().begin(), schema().end(),
                     [&](const Field& field) { return value(field.name) == other.value(field.name); });
}

}  // namespace roadtune::config
