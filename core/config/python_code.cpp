// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/python_code.h"

#include "core/base/text.h"
#include "core/config/code_words.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace roadtune::config {

PythonCode::PythonCode(std::string_view code, std::map<std::string, YamlNode> options)
    : m_code(code), m_given(std::move(options)) {
  m_lines.push_back(0);
  for (std::size_t i = 0; i < m_code.size(); ++i)
    if (m_code[i] == '\n') m_lines.push_back(i + 1);
  dropComments();
  // Once for what functions need of the lines below them: members of `args`, and what they are called with.
  readLines(false);
  std::erase_if(m_variables, [](const auto& one) { return one.first.find('.') == std::string::npos; });
  for (Call& call : callsOf(m_functions)) m_calls.insert_or_assign(call.callee, std::move(call.arguments));
  readLines(true);
}

void PythonCode::dropComments() {
  for (std::size_t i = 0; i < m_code.size();) {
    if (isQuote(m_code[i])) {
      i = endOfString(m_code, i);
    } else if (m_code[i] == '#') {
      for (; i < m_code.size() && m_code[i] != '\n'; ++i) m_code[i] = ' ';
    } else {
      ++i;
    }
  }
}

YamlNode PythonCode::nodeAt(std::size_t offset, std::string text) const {
  const auto line = std::upper_bound(m_lines.begin(), m_lines.end(), offset) - m_lines.begin();
  YamlNode node;
  node.kind = YamlNode::Kind::Scalar;
  node.text = std::move(text);
  node.line = static_cast<int>(line);
  node.column = static_cast<int>(offset - m_lines[static_cast<std::size_t>(line) - 1]) + 1;
  node.offset = offset;
  return node;
}

std::size_t PythonCode::skipBlank(std::size_t at) const {
  while (at < m_code.size() && (std::isspace(static_cast<unsigned char>(m_code[at])) || m_code[at] == '\\')) ++at;
  return at;
}

std::string PythonCode::nameAt(std::size_t at) const {
  std::size_t end = at;
  while (end < m_code.size() && (isWord(m_code[end]) || m_code[end] == '.')) ++end;
  return m_code.substr(at, end - at);
}

// At the closing bracket or the end of the line that ends what begins here.
std::size_t PythonCode::endOfExpression(std::size_t at) const {
  for (int depth = 0; at < m_code.size();) {
    const char c = m_code[at];
    if (isQuote(c)) {
      at = endOfString(m_code, at);
      continue;
    }
    if (isOpening(c)) ++depth;
    if (isClosing(c) && depth-- == 0) return at;
    if (depth == 0 && c == '\n') return at;
    ++at;
  }
  return at;
}

// At the first of `stops` outside of brackets, at `if` or `else`, or at the bracket that closes around this.
std::size_t PythonCode::endOfOperand(std::size_t at, std::size_t end, std::string_view stops) const {
  end = std::min(end, m_code.size());
  for (int depth = 0; at < end;) {
    const char c = m_code[at];
    if (isQuote(c)) {
      at = endOfString(m_code, at);
      continue;
    }
    if (isWord(c)) {
      const std::size_t first = at;
      while (at < end && isWord(m_code[at])) ++at;
      const std::string_view word = std::string_view(m_code).substr(first, at - first);
      if (depth == 0 && (word == "if" || word == "else")) return first;
      continue;
    }
    if (isOpening(c)) ++depth;
    if (isClosing(c) && depth-- == 0) return at;
    if (depth == 0 && stops.find(c) != std::string_view::npos) return at;
    ++at;
  }
  return std::min(at, end);
}

// At the comma behind this, or at the bracket that closes around it.
std::size_t PythonCode::endOfItem(std::size_t at) const {
  for (int depth = 0; at < m_code.size();) {
    const char c = m_code[at];
    if (isQuote(c)) {
      at = endOfString(m_code, at);
      continue;
    }
    if (isOpening(c)) ++depth;
    if ((isClosing(c) && depth-- == 0) || (c == ',' && depth == 0)) break;
    ++at;
  }
  return std::min(at, m_code.size());
}

PythonCode::Argument PythonCode::argument(std::size_t& at, int depth) const {
  Argument result;
  std::size_t name = at;
  while (name < m_code.size() && isWord(m_code[name])) ++name;
  const std::size_t sign = skipBlank(name);
  if (name > at && sign + 1 < m_code.size() && m_code[sign] == '=' && m_code[sign + 1] != '=') {
    result.name = m_code.substr(at, name - at);
    result.key = nodeAt(at, result.name);
    at = skipBlank(sign + 1);
  } else if (m_code.compare(at, 2, "**") == 0) {
    result.name = "**";
    result.key = nodeAt(at, result.name);
    at = skipBlank(at + 2);
  }
  const std::size_t first = at;
  result.value = expression(at, m_code.size(), depth);
  at = skipBlank(at);
  if (!result.value || at >= m_code.size() || (m_code[at] != ',' && m_code[at] != ')')) {
    result.value.reset();
    at = endOfItem(first);
  }
  const std::string_view text = trim(std::string_view(m_code).substr(first, at - first));
  if (!result.value && depth == 0) result.value = comparison(text);  // deeper, each level would read twice
  result.text = text;
  return result;
}

// NAME( ... ), which ends at its closing bracket.
std::optional<PythonCode::Call> PythonCode::callAt(std::size_t& at, int depth) const {
  Call call{nameAt(at), at, {}};
  const std::size_t open = at + call.callee.size();
  if (call.callee.empty() || open >= m_code.size() || m_code[open] != '(') return std::nullopt;
  at = skipBlank(open + 1);
  while (at < m_code.size() && m_code[at] != ')') {
    const std::size_t before = at;
    Argument one = argument(at, depth);
    if (one.name == "**" && one.value && one.value->isMap()) {
      for (auto& [key, value] : one.value->entries) {
        const bool unknown = isOpenValue(value);
        call.arguments.push_back(
            {key.text, key, unknown ? std::nullopt : std::optional(value), unknown ? value.text : one.text});
      }
    } else {
      if (one.value && holdsOpenValue(*one.value)) one.value.reset();
      call.arguments.push_back(std::move(one));
    }
    if (at < m_code.size() && m_code[at] == ',') at = skipBlank(at + 1);
    if (at == before) break;
  }
  return call;
}

std::vector<PythonCode::Call> PythonCode::callsOf(const std::vector<std::string>& names) const {
  const std::set<std::string, std::less<>> wanted(names.begin(), names.end());
  std::vector<Call> calls;
  bool defined = false;  // "def" stands before this word
  for (std::size_t at = 0; at < m_code.size();) {
    if (isQuote(m_code[at])) {
      at = endOfString(m_code, at);
      continue;
    }
    if (!isWord(m_code[at])) {
      ++at;
      continue;
    }
    const std::string word = nameAt(at);
    const bool definition = std::exchange(defined, word == "def" || word == "class");
    if (!definition && wanted.count(word.substr(word.rfind('.') + 1)) > 0)
      if (auto call = callAt(at)) {
        calls.push_back(std::move(*call));
        continue;
      }
    at += word.size();
  }
  return calls;
}

std::vector<PythonCode::Argument> PythonCode::membersSetAfter(const Call& call) const {
  const std::string_view before = trim(std::string_view(m_code).substr(0, call.offset));
  if (!endsWith(before, "=") || endsWith(before, "==")) return {};
  const std::string_view left = trim(before.substr(0, before.size() - 1));
  std::size_t first = left.size();
  while (first > 0 && (isWord(left[first - 1]) || left[first - 1] == '.')) --first;
  const std::string owner = std::string(left.substr(first)) + ".";
  std::vector<Argument> members;
  if (owner.size() == 1) return members;
  for (auto at = m_code.find(owner, call.offset); at != std::string::npos; at = m_code.find(owner, at + 1)) {
    if (at > 0 && (isWord(m_code[at - 1]) || m_code[at - 1] == '.')) continue;
    const std::size_t name = at + owner.size();
    Argument one;
    one.name = nameAt(name);
    const std::size_t sign = skipBlank(name + one.name.size());
    if (one.name.empty() || sign >= m_code.size() || m_code[sign] != '=' || m_code.compare(sign, 2, "==") == 0)
      continue;
    const std::size_t value = skipBlank(sign + 1);
    one.key = nodeAt(name, one.name);
    one.text = trim(std::string_view(m_code).substr(value, endOfExpression(value) - value));
    one.value = valueOf(trim(std::string_view(m_code).substr(value, endOfExpression(value) - value)), 0);
    members.push_back(std::move(one));
  }
  return members;
}

// Of names in the expression, those that hold an option.
std::vector<std::string> PythonCode::optionsIn(std::string_view expression) const {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < expression.size();) {
    std::size_t end = at;
    while (end < expression.size() && (isWord(expression[end]) || expression[end] == '.')) ++end;
    if (const auto one = m_asked.find(std::string(expression.substr(at, end - at))); one != m_asked.end())
      found.push_back(one->second);
    at = std::max(end, at + 1);
  }
  return found;
}

bool PythonCode::isUnknownOption(const std::string& name) const {
  const auto asked = m_asked.find(name);
  return asked != m_asked.end() && endsWith(name, "." + asked->second) && m_variables.count(name) == 0;
}

std::vector<std::string> PythonCode::options() const {
  std::set<std::string> all;
  for (const auto& [name, unused] : m_options) all.insert(name);
  for (const auto& [holder, name] : m_asked) all.insert(name);
  return {all.begin(), all.end()};
}

}  // namespace roadtune::config
