// SPDX-License-Identifier: GPL-3.0-or-later
// What an expression of a Python program is, as far as that stands in its text.
#include "core/base/text.h"
#include "core/config/code_words.h"
#include "core/config/python_code.h"
#include "core/config/scalars.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace roadtune::config {
namespace {

bool isNumber(const YamlNode& node) { return node.isScalar() && !node.quoted && parseNumber(node.text); }

std::optional<YamlNode> calculated(YamlNode left, std::string_view sign, const YamlNode& right) {
  if (sign == "+" && left.isScalar() && left.quoted && right.isScalar() && right.quoted) {
    left.text += right.text;
    return left;
  }
  if (!isNumber(left) || !isNumber(right)) return std::nullopt;
  const double a = *parseNumber(left.text), b = *parseNumber(right.text);
  if (sign[0] == '/' && b == 0) return std::nullopt;
  const bool whole = parseInteger(left.text) && parseInteger(right.text) && sign != "/";
  const double result = sign == "+"   ? a + b
                        : sign == "-" ? a - b
                        : sign == "*" ? a * b
                        : sign == "/" ? a / b
                                      : std::floor(a / b);
  if (!std::isfinite(result)) return std::nullopt;
  left.text = whole ? fmt::format("{:.0f}", result) : fmt::format("{}", result);
  return left;
}

std::optional<YamlNode> memberOf(const YamlNode& map, std::string_view key) {
  if (map.isList()) {
    const auto size = static_cast<std::int64_t>(map.items.size());
    const std::int64_t at = parseInteger(key).value_or(size);
    return at >= -size && at < size ? std::optional(map.items[static_cast<std::size_t>(at < 0 ? at + size : at)])
                                    : std::nullopt;
  }
  for (const auto& [name, value] : map.entries)
    if (name.text == key && !isOpenValue(value)) return value;
  return std::nullopt;
}

// "a/b".split("/")
YamlNode splitText(YamlNode text, char separator) {
  YamlNode list = text;
  list.kind = YamlNode::Kind::List;
  list.quoted = false;
  for (std::string& part : split(text.text, separator)) {
    text.text = std::move(part);
    list.items.push_back(text);
  }
  return list;
}

// As Python would write it into a text.
std::optional<std::string> written(const YamlNode& node) {
  if (node.isNull()) return "None";
  if (!node.isScalar()) return std::nullopt;
  if (!node.quoted && (node.text == "true" || node.text == "false")) return node.text == "true" ? "True" : "False";
  return node.text;
}

}  // namespace

// A sum, or one of two: `this if condition else that`.
std::optional<YamlNode> PythonCode::expression(std::size_t& at, std::size_t end, int depth) const {
  if (depth > kDeepestPython) return std::nullopt;
  const std::size_t question = endOfOperand(at, end);
  if (m_code.compare(question, 2, "if") != 0 || question == at) return arithmetic(at, end, depth);
  const std::size_t other = endOfOperand(question + 2, end);
  if (m_code.compare(other, 4, "else") != 0) return std::nullopt;
  const auto truth = truthOf(std::string_view(m_code).substr(question + 2, other - question - 2), depth + 1);
  if (!truth) return std::nullopt;
  if (!*truth) {
    at = skipBlank(other + 4);
    return expression(at, end, depth + 1);
  }
  auto value = arithmetic(at, question, depth + 1);
  if (!value || skipBlank(at) != question) return std::nullopt;
  at = std::min(endOfItem(other), end);
  return value;
}

// Products and quotients, or sums of numbers and texts, from left to right; not both in one.
std::optional<YamlNode> PythonCode::arithmetic(std::size_t& at, std::size_t end, int depth) const {
  auto value = literal(at, depth);
  for (bool sums = false, any = false; value; any = true) {
    const std::size_t sign = skipBlank(at);
    if (sign >= std::min(end, m_code.size()) || std::string_view("+-*/").find(m_code[sign]) == std::string_view::npos)
      break;
    const bool sum = m_code[sign] == '+' || m_code[sign] == '-';
    const std::size_t width = m_code.compare(sign, 2, "//") == 0 ? 2 : 1;
    if (m_code.compare(sign, 2, "**") == 0 || (any && sum != sums)) return std::nullopt;
    sums = sum;
    at = skipBlank(sign + width);
    const auto right = literal(at, depth);
    if (!right) return std::nullopt;
    value = calculated(std::move(*value), std::string_view(m_code).substr(sign, width), *right);
  }
  return value;
}

std::optional<YamlNode> PythonCode::literal(std::size_t& at, int depth) const {
  if (at >= m_code.size() || depth > kDeepestPython) return std::nullopt;
  if (auto text = string(at, depth)) return text;
  const char c = m_code[at];
  if (isOpening(c)) return sequence(at, depth);
  if (!std::isdigit(static_cast<unsigned char>(c)) && c != '-' && c != '+' && c != '.') return named(at, depth);
  const std::size_t first = at++;
  while (at < m_code.size() &&
         (isWord(m_code[at]) || m_code[at] == '.' ||
          ((m_code[at] == '-' || m_code[at] == '+') && (m_code[at - 1] == 'e' || m_code[at - 1] == 'E'))))
    ++at;
  std::string number = m_code.substr(first, at - first);
  return parseNumber(number) ? std::optional(nodeAt(first, std::move(number))) : std::nullopt;
}

// The inside of a text: backslashes, and in an f"..." what stands in braces.
std::optional<std::string> PythonCode::filledIn(std::string_view inner, bool raw, bool fields, int depth) const {
  std::string text;
  for (std::size_t i = 0; i < inner.size(); ++i) {
    const char c = inner[i];
    if (c == '\\' && !raw && i + 1 < inner.size()) {
      const char next = inner[++i];
      if (next != '\n') text += next == 'n' ? '\n' : next == 't' ? '\t' : next;
    } else if (fields && (c == '{' || c == '}')) {
      if (i + 1 < inner.size() && inner[i + 1] == c) {
        text += inner[i++];
        continue;
      }
      const auto close = inner.find('}', i);
      if (c == '}' || close == std::string_view::npos) return std::nullopt;
      const auto value = valueOf(inner.substr(i + 1, close - i - 1), depth);
      const auto piece = value ? written(*value) : std::nullopt;
      if (!piece) return std::nullopt;
      text += *piece;
      i = close;
    } else {
      text += c;
    }
  }
  return text;
}

std::optional<YamlNode> PythonCode::string(std::size_t& at, int depth) const {
  std::string text;
  const std::size_t first = at;
  for (bool any = false;; any = true) {
    const std::size_t piece = any ? skipBlank(at) : at;  // "one" "after the other"
    std::size_t quote = piece;
    while (quote < m_code.size() && std::isalpha(static_cast<unsigned char>(m_code[quote])) && quote - piece < 2)
      ++quote;
    if (quote >= m_code.size() || !isQuote(m_code[quote])) {
      if (!any) return std::nullopt;
      break;
    }
    const std::string prefix = lower(std::string_view(m_code).substr(piece, quote - piece));
    const std::size_t end = endOfString(m_code, quote);
    const std::size_t width = m_code.compare(quote, 3, std::string(3, m_code[quote])) == 0 ? 3 : 1;
    if (end < quote + 2 * width) return std::nullopt;
    const auto inner = filledIn(std::string_view(m_code).substr(quote + width, end - quote - 2 * width),
                                prefix.find('r') != std::string::npos, prefix.find('f') != std::string::npos, depth);
    if (!inner) return std::nullopt;
    text += *inner;
    at = end;
  }
  YamlNode node = nodeAt(first, std::move(text));
  node.quoted = true;
  return node;
}

// [a, b], (a, b), (a) and {a: b}. A member of the last that has to be worked out stays, as an open value.
std::optional<YamlNode> PythonCode::sequence(std::size_t& at, int depth) const {
  const char open = m_code[at], close = open == '[' ? ']' : open == '(' ? ')' : '}';
  YamlNode list = nodeAt(at, {});
  list.kind = open == '{' ? YamlNode::Kind::Map : YamlNode::Kind::List;
  list.flow = true;
  bool comma = false;
  at = skipBlank(at + 1);
  while (at < m_code.size() && m_code[at] != close) {
    auto item = expression(at, m_code.size(), depth + 1);
    at = skipBlank(at);
    if (!item || at >= m_code.size()) return std::nullopt;
    if (open == '{') {
      if (m_code[at] != ':') return std::nullopt;
      const std::size_t first = at = skipBlank(at + 1);
      auto value = expression(at, m_code.size(), depth + 1);
      at = skipBlank(at);
      if (!value || at >= m_code.size() || (m_code[at] != ',' && m_code[at] != close)) {
        if (depth >= kDeepestPython) return std::nullopt;
        at = endOfItem(first);
        value = nodeAt(first, std::string(trim(std::string_view(m_code).substr(first, at - first))));
        value->kind = YamlNode::Kind::Null;
        value->quoted = true;
        if (at >= m_code.size()) return std::nullopt;
      }
      list.entries.emplace_back(std::move(*item), std::move(*value));
    } else {
      list.items.push_back(std::move(*item));
    }
    if (m_code[at] == ',') {
      comma = true;
      at = skipBlank(at + 1);
    } else if (m_code[at] != close) {
      return std::nullopt;
    }
  }
  if (at >= m_code.size()) return std::nullopt;
  ++at;
  if (open == '(' && !comma) return list.items.size() == 1 ? std::optional(list.items[0]) : std::nullopt;
  return list;
}

// A variable, also a member: "lr", "args.lr".
std::optional<YamlNode> PythonCode::lookup(const std::string& name) const {
  if (const auto found = m_variables.find(name); found != m_variables.end()) return found->second;
  const auto dot = name.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  const auto map = m_variables.find(name.substr(0, dot));
  return map == m_variables.end() ? std::nullopt : memberOf(map->second, name.substr(dot + 1));
}

// True, None, torch.bfloat16, a variable, variable["member"], a call whose value is known; `lambda: value`.
std::optional<YamlNode> PythonCode::named(std::size_t& at, int depth) const {
  const std::size_t first = at;
  const std::string word = nameAt(at);
  at += word.size();
  if (word.empty()) return std::nullopt;
  if (word == "None") {
    YamlNode node = nodeAt(first, "null");
    node.kind = YamlNode::Kind::Null;
    return node;
  }
  if (word == "True" || word == "False") return nodeAt(first, lower(word));
  if (word == "lambda" && at < m_code.size() && m_code[at] == ':') {
    at = skipBlank(at + 1);
    return expression(at, m_code.size(), depth + 1);
  }
  std::optional<YamlNode> node;
  if (at < m_code.size() && m_code[at] == '(') {
    if (depth >= kDeepestPython) return std::nullopt;
    at = first;
    const auto call = callAt(at, depth + 1);
    if (!call || at >= m_code.size()) return std::nullopt;
    ++at;
    node = valueOf(*call);
  } else if (node = lookup(word); !node && (startsWith(word, "torch.") || startsWith(word, "TaskType."))) {
    return nodeAt(first, word);
  }
  while (node && at < m_code.size() && m_code[at] == '[') {
    at = skipBlank(at + 1);
    const auto key = literal(at, depth + 1);
    at = skipBlank(at);
    if (!key || at >= m_code.size() || m_code[at] != ']') return std::nullopt;
    ++at;
    node = memberOf(*node, key->text);
  }
  if (node && node->isScalar() && nameAt(at) == ".name") {  // of a path
    at += 5;
    node->text.erase(0, node->text.rfind('/') + 1);
  }
  if (!node) return std::nullopt;
  const YamlNode here = nodeAt(first, {});
  node->line = here.line;
  node->column = here.column;
  return node;
}

std::optional<YamlNode> PythonCode::valueOf(const Call& call) const {
  const std::string last = call.callee.substr(call.callee.rfind('.') + 1);
  const auto& arguments = call.arguments;
  const auto at = [&](std::size_t i) {
    return i < arguments.size() && arguments[i].name.empty() ? arguments[i].value : std::nullopt;
  };
  const auto called = [&](std::string_view name) -> std::optional<YamlNode> {
    for (const Argument& one : arguments)
      if (one.name == name) return one.value;
    return std::nullopt;
  };
  if (last == "field" || last == "Field") {
    if (auto value = called("default")) return value;
    if (auto value = called("default_factory")) return value;
    return at(0);
  }
  if (last == "dict" || last == "SimpleNamespace") {
    YamlNode map = nodeAt(call.offset, {});
    map.kind = YamlNode::Kind::Map;
    map.flow = true;
    for (const Argument& one : arguments)
      if (one.value && !one.name.empty()) map.entries.emplace_back(one.key, *one.value);
    return map.entries.size() == arguments.size() ? std::optional(map) : std::nullopt;
  }
  if (endsWith(call.callee, "environ.get") || last == "getenv") return at(1) ? at(1) : called("default");
  if (last == "get" && call.callee.size() > 4)
    if (const auto map = lookup(call.callee.substr(0, call.callee.size() - 4)); map && map->isMap()) {
      const auto value = at(0) ? memberOf(*map, at(0)->text) : std::nullopt;
      return value ? value : at(1);
    }
  if (last == "split" && at(0) && at(0)->text.size() == 1)
    if (const auto text = lookup(call.callee.substr(0, call.callee.size() - 6)); text && text->isScalar())
      return splitText(*text, at(0)->text[0]);
  if (endsWith(call.callee, "path.join") && at(0) && at(0)->isScalar()) {
    YamlNode path = *at(0);
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      if (!at(i) || !at(i)->isScalar()) return std::nullopt;
      path.text += (path.text.empty() || endsWith(path.text, "/") ? "" : "/") + at(i)->text;
    }
    return path;
  }
  for (const char* same : {"int", "float", "str", "Path"})
    if (last == same && arguments.size() == 1) return at(0);
  return std::nullopt;
}

// Of a part of the text: nothing where there is more in it than one plain value.
std::optional<YamlNode> PythonCode::valueOf(std::string_view part, int depth) const {
  part = trim(part);
  if (part.empty()) return std::nullopt;
  std::size_t at = offsetOf(part);
  const std::size_t end = at + part.size();
  auto value = expression(at, end, depth + 1);
  return value && at == end ? value : std::nullopt;
}

}  // namespace roadtune::config
