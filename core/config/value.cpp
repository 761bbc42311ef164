// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/value.h"

#include <cmath>

namespace roadtune::config {

Value Value::texts(const std::vector<std::string>& words) {
  List list;
  for (const auto& word : words) list.emplace_back(word);
  return list;
}

bool Value::flag() const {
  const bool* flag = std::get_if<bool>(&m_data);
  return flag && *flag;
}

std::int64_t Value::integer() const {
  if (const auto* integer = std::get_if<std::int64_t>(&m_data)) return *integer;
  const double value = number();
  return std::abs(value) < 9.0e18 ? static_cast<std::int64_t>(value) : 0;
}

double Value::number() const {
  if (const auto* number = std::get_if<double>(&m_data)) return *number;
  if (const auto* integer = std::get_if<std::int64_t>(&m_data)) return static_cast<double>(*integer);
  return 0;
}

const std::string& Value::text() const {
  static const std::string kNone;
  const auto* text = std::get_if<std::string>(&m_data);
  return text ? *text : kNone;
}

const Value::List& Value::list() const {
  static const List kNone;
  const auto* list = std::get_if<List>(&m_data);
  return list ? *list : kNone;
}

const Value::Map& Value::map() const {
  static const Map kNone;
  const auto* map = std::get_if<Map>(&m_data);
  return map ? *map : kNone;
}

const Value* Value::find(std::string_view key) const {
  for (const auto& [name, value] : map())
    if (name == key) return &value;
  return nullptr;
}

}  // namespace roadtune::config
