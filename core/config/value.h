// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace roadtune::config {

// What a setting holds once it is read: a tree of plain values. Maps keep the order of the file.
class Value {
 public:
  enum class Kind { Null, Flag, Integer, Number, Text, List, Map };
  using List = std::vector<Value>;
  using Map = std::vector<std::pair<std::string, Value>>;

  Value() = default;
  Value(bool flag) : m_data(flag) {}
  Value(int integer) : m_data(static_cast<std::int64_t>(integer)) {}
  Value(std::int64_t integer) : m_data(integer) {}
  Value(double number) : m_data(number) {}
  Value(const char* text) : m_data(std::string(text)) {}
  Value(std::string_view text) : m_data(std::string(text)) {}
  Value(std::string text) : m_data(std::move(text)) {}
  Value(List list) : m_data(std::move(list)) {}
  Value(Map map) : m_data(std::move(map)) {}
  static Value texts(const std::vector<std::string>& words);

  Kind kind() const { return static_cast<Kind>(m_data.index()); }
  bool isNull() const { return kind() == Kind::Null; }
  bool isFlag() const { return kind() == Kind::Flag; }
  bool isText() const { return kind() == Kind::Text; }
  bool isList() const { return kind() == Kind::List; }
  bool isMap() const { return kind() == Kind::Map; }

  // Empty or zero when the kind is another one; number() also reads integers, integer() also whole numbers.
  bool flag() const;
  std::int64_t integer() const;
  double number() const;
  const std::string& text() const;
  const List& list() const;
  const Map& map() const;
  const Value* find(std::string_view key) const;  // in a map

  bool operator==(const Value& other) const = default;

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Map> m_data;
};

// One line of YAML (flow style) that reads back to the same value: 2e-05, "no", [q_proj, v_proj].
std::string toYaml(const Value& value);

// Compact JSON, the same bytes for the same value on every machine.
std::string toJson(const Value& value);

// For people: lists with commas, no quotes.
std::string toDisplay(const Value& value);

}  // namespace roadtune::config
