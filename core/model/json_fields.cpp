// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/json_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roadtune::model {

JsonFields::JsonFields(const nlohmann::json& object, std::string where) : m_object(object), m_where(std::move(where)) {}

const nlohmann::json* JsonFields::find(std::initializer_list<const char*> names) const {
  if (!m_object.is_object()) return nullptr;
  for (const char* name : names) {
    const auto found = m_object.find(name);
    if (found != m_object.end() && !found->is_null()) return &*found;
  }
  return nullptr;
}

namespace {

bool nestsDeeper(const nlohmann::json& value, int most) {
  if (!value.is_structured()) return false;
  return most == 0 || std::any_of(value.begin(), value.end(),
                                  [most](const nlohmann::json& inner) { return nestsDeeper(inner, most - 1); });
}

}  // namespace

bool JsonFields::hasNull(const char* name) const {
  const auto found = m_object.is_object() ? m_object.find(name) : m_object.end();
  return m_object.is_object() && found != m_object.end() && found->is_null();
}

void JsonFields::complain(const std::string& field, const std::string& what) {
  if (!m_problem) m_problem = badInput(fmt::format("{} {}", field, what), m_where);
}

void JsonFields::mismatch(const std::string& field, const std::string& expected, const nlohmann::json& found) {
  constexpr std::size_t kShown = 40;
  constexpr int kShownDepth = 16;
  std::string text = nestsDeeper(found, kShownDepth)
                         ? found.type_name()  // to write it down would take as many calls in each other
                         : found.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);  // ASCII: may be cut
  if (text.size() > kShown) text = text.substr(0, kShown) + "...";
  complain(field, fmt::format("must be {}, not {}", expected, text));
}

void JsonFields::read(std::initializer_list<const char*> names, std::int64_t& value, std::int64_t low,
                      std::int64_t high) {
  const nlohmann::json* found = find(names);
  if (!found) return;
  const bool whole = found->is_number_integer() ||
                     (found->is_number_float() && found->get<double>() == std::floor(found->get<double>()));
  const double number = whole ? found->get<double>() : 0.0;
  if (!whole || number < static_cast<double>(low) || number > static_cast<double>(high))
    return mismatch(*names.begin(), fmt::format("a whole number from {} to {}", low, high), *found);
  value = found->get<std::int64_t>();
}

void JsonFields::read(std::initializer_list<const char*> names, int& value, int low, int high) {
  std::int64_t wide = value;
  read(names, wide, static_cast<std::int64_t>(low), static_cast<std::int64_t>(high));
  value = static_cast<int>(wide);
}

void JsonFields::read(std::initializer_list<const char*> names, double& value, double low, double high) {
  const nlohmann::json* found = find(names);
  if (!found) return;
  if (!found->is_number() || !(found->get<double>() >= low && found->get<double>() <= high))
    return mismatch(*names.begin(), fmt::format("a number from {} to {}", low, high), *found);
  value = found->get<double>();
}

void JsonFields::read(std::initializer_list<const char*> names, bool& value) {
  const nlohmann::json* found = find(names);
  if (!found) return;
  if (!found->is_boolean()) return mismatch(*names.begin(), "true or false", *found);
  value = found->get<bool>();
}

void JsonFields::read(std::initializer_list<const char*> names, std::string& value) {
  const nlohmann::json* found = find(names);
  if (!found) return;
  if (!found->is_string()) return mismatch(*names.begin(), "text", *found);
  value = found->get<std::string>();
}

Status JsonFields::status() const {
  if (m_problem) return *m_problem;
  return {};
}

}  // namespace roadtune::model
