// SPDX-License-Identifier: GPL-3.0-or-later
// Values as YAML, JSON and words.
#include "core/base/text.h"
#include "core/config/scalars.h"
#include "core/config/value.h"

#include <fmt/format.h>

#include <charconv>

namespace roadtune::config {
namespace {

// The shortest text that reads back to the same bits, and that every YAML reader takes for a number.
std::string numberText(double value) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  std::string text(buffer, end);
  const auto exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos) text.insert(exponent, ".0");
  return text;
}

std::string jsonText(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    switch (c) {
      case '"': quoted += "\\\""; break;
      case '\\': quoted += "\\\\"; break;
      case '\n': quoted += "\\n"; break;
      case '\t': quoted += "\\t"; break;
      case '\r': quoted += "\\r"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
          quoted += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
        else
          quoted += c;
    }
  }
  return quoted + '"';
}

// May the text stand without quotes, inside brackets too, and still be read as this text?
bool plainYaml(const std::string& text) {
  if (text.empty() || trim(text) != text) return false;
  if (text.find_first_of("\n\r\t\"'{}[],&*#|>!%@`\\") != std::string::npos) return false;
  if (text.find(": ") != std::string::npos || text.back() == ':' || text.find(":") == 0) return false;
  if (text.front() == '-' || text.front() == '?' || text.front() == '=' || text.front() == '~') return false;
  for (const char c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return false;
  return !looksLikeAnotherType(text);
}

template <class Scalar>
std::string structure(const Value& value, Scalar scalar, std::string_view comma, std::string_view colon,
                      std::string (*key)(const std::string&)) {
  std::string text;
  if (value.isList()) {
    for (const auto& item : value.list()) {
      if (!text.empty()) text += comma;
      text += scalar(item);
    }
    return "[" + text + "]";
  }
  for (const auto& [name, item] : value.map()) {
    if (!text.empty()) text += comma;
    text += key(name) + std::string(colon) + scalar(item);
  }
  return "{" + text + "}";
}

std::string yamlKey(const std::string& name) { return plainYaml(name) ? name : jsonText(name); }
std::string jsonKey(const std::string& name) { return jsonText(name); }

}  // namespace

std::string toYaml(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::Null: return "null";
    case Value::Kind::Flag: return value.flag() ? "true" : "false";
    case Value::Kind::Integer: return std::to_string(value.integer());
    case Value::Kind::Number: return numberText(value.number());
    case Value::Kind::Text: return yamlKey(value.text());
    default: return structure(value, toYaml, ", ", ": ", yamlKey);
  }
}

std::string toJson(const Value& value) {
  if (value.isText()) return jsonText(value.text());
  if (value.isList() || value.isMap()) return structure(value, toJson, ",", ":", jsonKey);
  return toYaml(value);
}

std::string toDisplay(const Value& value) {
  if (value.isNull()) return "none";
  if (value.isText()) return value.text();
  if (value.isFlag()) return value.flag() ? "yes" : "no";
  if (value.kind() == Value::Kind::Number) return fmt::format("{:g}", value.number());
  if (value.isList() && !value.list().empty() && !value.list().front().isMap()) {
    std::vector<std::string> words;
    for (const auto& item : value.list()) words.push_back(toDisplay(item));
    return join(words, ", ");
  }
  return toYaml(value);
}

}  // namespace roadtune::config
