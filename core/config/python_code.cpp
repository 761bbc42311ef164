// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/python_code.h"

#include "core/base/text.h"
#include "core/config/scalars.h"

#include <algorithm>
#include <cctype>

namespace roadtune::config {
namespace {

constexpr int kDeepest = 20;

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool isQuote(char c) { return c == '"' || c == '\''; }

// Behind the string whose first quote stands at `at`.
std::size_t endOfString(std::string_view code, std::size_t at) {
  const char quote = code[at];
  const std::string three(3, quote);
  const bool triple = code.substr(at, 3) == three;
  std::size_t i = at + (triple ? 3 : 1);
  while (i < code.size()) {
    if (code[i] == '\\') {
      i += 2;
    } else if (triple ? code.substr(i, 3) == three : code[i] == quote) {
      return i + (triple ? 3 : 1);
    } else if (!triple && code[i] == '\n') {
      return i;
    } else {
      ++i;
    }
  }
  return code.size();
}

std::string_view withoutParentheses(std::string_view text) {
  text = trim(text);
  while (text.size() > 1 && text.front() == '(' && text.find(')') == text.size() - 1)
    text = trim(text.substr(1, text.size() - 2));
  return text;
}

std::vector<std::string_view> splitAtWord(std::string_view text, std::string_view word) {
  std::vector<std::string_view> parts;
  for (auto found = text.find(word); found != std::string_view::npos; found = text.find(word)) {
    parts.push_back(text.substr(0, found));
    text.remove_prefix(found + word.size());
  }
  parts.push_back(text);
  return parts;
}

}  // namespace

PythonCode::PythonCode(std::string_view code) : m_code(code) {
  m_lines.push_back(0);
  for (std::size_t i = 0; i < m_code.size(); ++i)
    if (m_code[i] == '\n') m_lines.push_back(i + 1);
  dropComments();
  dropDeadBranches();
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

// Reads line by line, as the program would: variables are assigned, and below an `if` whose condition is known to be
// false everything becomes blank. Lines within brackets or strings belong to the line that opened them.
void PythonCode::dropDeadBranches() {
  struct Branch {
    std::size_t indent;
    bool live, taken, known;
  };
  std::vector<Branch> branches;
  std::size_t inside = 0;  // brackets and strings that began before reach up to here
  for (std::size_t n = 0; n < m_lines.size(); ++n) {
    const std::size_t begin = m_lines[n], end = n + 1 < m_lines.size() ? m_lines[n + 1] : m_code.size();
    const std::string_view line = std::string_view(m_code).substr(begin, end - begin), words = trim(line);
    if (words.empty()) continue;
    const auto allLive = [&] { return std::all_of(branches.begin(), branches.end(), [](auto& b) { return b.live; }); };
    if (begin >= inside) {
      const std::size_t indent = line.find_first_not_of(" \t");
      const bool otherwise = startsWith(words, "else") || startsWith(words, "elif ");
      while (!branches.empty() && (branches.back().indent > indent || (branches.back().indent == indent && !otherwise)))
        branches.pop_back();
      inside = endOfExpression(begin + indent);
      if (endsWith(words, ":") && startsWith(words, "if ")) {
        const auto truth = truthOf(words.substr(3, words.size() - 4));
        branches.push_back({indent, truth.value_or(true), truth.value_or(false), truth.has_value()});
        continue;
      }
      if (otherwise && !branches.empty() && branches.back().indent == indent) {
        Branch& branch = branches.back();
        const auto truth = startsWith(words, "elif ") ? truthOf(words.substr(5, words.size() - 6)) : true;
        branch.live = !branch.taken && truth.value_or(true);
        branch.taken = branch.taken || (branch.known && truth.value_or(false));
        branch.known = branch.known && truth.has_value();
        continue;
      }
      if (allLive()) assign(words, begin + indent);
    }
    if (!allLive())
      for (std::size_t i = begin; i < end; ++i)
        if (m_code[i] != '\n') m_code[i] = ' ';
  }
}

// `NAME = value`; what is not plain is forgotten.
void PythonCode::assign(std::string_view line, std::size_t offset) {
  std::size_t name = 0;
  while (name < line.size() && isWord(line[name])) ++name;
  std::size_t at = line.find_first_not_of(" \t", name);
  if (name == 0 || at == std::string_view::npos || line[at] != '=' || line.substr(at, 2) == "==") return;
  const std::string word(line.substr(0, name));
  at = skipBlank(offset + at + 1);
  const auto value = literal(at);
  const std::size_t behind = std::min(m_code.find_first_not_of(" \t\r", at), m_code.size());
  const bool whole = behind == m_code.size() || m_code[behind] == '\n' || m_code[behind] == ';';
  if (value && whole)
    m_variables.insert_or_assign(word, *value);
  else
    m_variables.erase(word);
}

// Names with True or False, with `not`, `and` and `or`.
std::optional<bool> PythonCode::truthOf(std::string_view condition) const {
  const auto alternatives = splitAtWord(withoutParentheses(condition), " or ");
  bool unknown = false;
  for (const std::string_view alternative : alternatives) {
    bool all = true, open = false;
    for (std::string_view part : splitAtWord(alternative, " and ")) {
      part = withoutParentheses(part);
      const bool negated = startsWith(part, "not ");
      const std::string name(withoutParentheses(negated ? part.substr(4) : part));
      const auto found = m_variables.find(name);
      const std::string word = found == m_variables.end() ? name : found->second.text;
      const bool flag = word == "True" || word == "true";
      if (!flag && word != "False" && word != "false")
        open = true;
      else if (flag == negated)
        all = false;
    }
    if (all && !open) return true;
    unknown = unknown || (all && open);
  }
  return unknown ? std::nullopt : std::optional<bool>(false);
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

// At the closing bracket or the end of the line that ends what begins here.
std::size_t PythonCode::endOfExpression(std::size_t at) const {
  for (int depth = 0; at < m_code.size();) {
    const char c = m_code[at];
    if (isQuote(c)) {
      at = endOfString(m_code, at);
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && depth-- == 0) return at;
    if (depth == 0 && c == '\n') return at;
    ++at;
  }
  return at;
}

std::optional<YamlNode> PythonCode::string(std::size_t& at) const {
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
    const std::string_view inner = std::string_view(m_code).substr(quote + width, end - quote - 2 * width);
    if (prefix.find('f') != std::string::npos && inner.find('{') != std::string_view::npos) return std::nullopt;
    for (std::size_t i = 0; i < inner.size(); ++i) {
      const bool escape = inner[i] == '\\' && prefix.find('r') == std::string::npos && i + 1 < inner.size();
      if (!escape) {
        text += inner[i];
      } else {
        const char c = inner[++i];
        if (c != '\n') text += c == 'n' ? '\n' : c == 't' ? '\t' : c;
      }
    }
    at = end;
  }
  YamlNode node = nodeAt(first, std::move(text));
  node.quoted = true;
  return node;
}

// [a, b], (a, b), (a) and {a: b}.
std::optional<YamlNode> PythonCode::sequence(std::size_t& at, int depth) const {
  const char open = m_code[at], close = open == '[' ? ']' : open == '(' ? ')' : '}';
  YamlNode list = nodeAt(at, {});
  list.kind = open == '{' ? YamlNode::Kind::Map : YamlNode::Kind::List;
  list.flow = true;
  bool comma = false;
  at = skipBlank(at + 1);
  while (at < m_code.size() && m_code[at] != close) {
    auto item = literal(at, depth + 1);
    at = skipBlank(at);
    if (!item || at >= m_code.size()) return std::nullopt;
    if (open == '{') {
      if (m_code[at] != ':') return std::nullopt;
      at = skipBlank(at + 1);
      auto value = literal(at, depth + 1);
      at = skipBlank(at);
      if (!value || at >= m_code.size()) return std::nullopt;
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

// True, None, torch.bfloat16, a variable.
std::optional<YamlNode> PythonCode::named(std::size_t& at) const {
  const std::size_t first = at;
  while (at < m_code.size() && (isWord(m_code[at]) || m_code[at] == '.')) ++at;
  const std::string word = m_code.substr(first, at - first);
  if (word == "None") {
    YamlNode node = nodeAt(first, "null");
    node.kind = YamlNode::Kind::Null;
    return node;
  }
  if (word == "True" || word == "False") return nodeAt(first, lower(word));
  if (const auto found = m_variables.find(word); found != m_variables.end()) {
    YamlNode node = found->second;
    const YamlNode here = nodeAt(first, {});
    node.line = here.line;
    node.column = here.column;
    return node;
  }
  if (startsWith(word, "torch.") || startsWith(word, "TaskType.")) return nodeAt(first, word);
  return std::nullopt;
}

std::optional<YamlNode> PythonCode::literal(std::size_t& at, int depth) const {
  if (at >= m_code.size() || depth > kDeepest) return std::nullopt;
  if (auto text = string(at)) return text;
  const char c = m_code[at];
  if (c == '[' || c == '(' || c == '{') return sequence(at, depth);
  if (!std::isdigit(static_cast<unsigned char>(c)) && c != '-' && c != '+' && c != '.') return named(at);
  const std::size_t first = at++;
  while (at < m_code.size() &&
         (isWord(m_code[at]) || m_code[at] == '.' ||
          ((m_code[at] == '-' || m_code[at] == '+') && (m_code[at - 1] == 'e' || m_code[at - 1] == 'E'))))
    ++at;
  std::string number = m_code.substr(first, at - first);
  return parseNumber(number) ? std::optional(nodeAt(first, std::move(number))) : std::nullopt;
}

PythonCode::Argument PythonCode::argument(std::size_t& at) const {
  Argument result;
  std::size_t name = at;
  while (name < m_code.size() && isWord(m_code[name])) ++name;
  const std::size_t sign = skipBlank(name);
  if (name > at && sign + 1 < m_code.size() && m_code[sign] == '=' && m_code[sign + 1] != '=') {
    result.name = m_code.substr(at, name - at);
    result.key = nodeAt(at, result.name);
    at = skipBlank(sign + 1);
  }
  const std::size_t first = at;
  result.value = literal(at);
  at = skipBlank(at);
  if (result.value && at < m_code.size() && (m_code[at] == ',' || m_code[at] == ')')) return result;
  result.value.reset();
  at = first;
  for (int depth = 0; at < m_code.size();) {
    const char c = m_code[at];
    if (isQuote(c)) {
      at = endOfString(m_code, at);
      continue;
    }
    if (depth == 0 && (c == ',' || c == ')')) break;
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    ++at;
  }
  result.text = trim(std::string_view(m_code).substr(first, at - first));
  return result;
}

std::vector<PythonCode::Call> PythonCode::callsOf(const std::vector<std::string>& names) const {
  std::vector<Call> calls;
  for (std::size_t at = 0; at < m_code.size();) {
    if (isQuote(m_code[at])) {
      at = endOfString(m_code, at);
      continue;
    }
    if (!isWord(m_code[at])) {
      ++at;
      continue;
    }
    const std::size_t first = at;
    while (at < m_code.size() && (isWord(m_code[at]) || m_code[at] == '.')) ++at;
    Call call{m_code.substr(first, at - first), first, {}};
    const std::string last = call.callee.substr(call.callee.rfind('.') + 1);
    if (at >= m_code.size() || m_code[at] != '(' || std::find(names.begin(), names.end(), last) == names.end())
      continue;
    at = skipBlank(at + 1);
    while (at < m_code.size() && m_code[at] != ')') {
      const std::size_t before = at;
      call.arguments.push_back(argument(at));
      if (at < m_code.size() && m_code[at] == ',') at = skipBlank(at + 1);
      if (at == before) break;
    }
    calls.push_back(std::move(call));
  }
  return calls;
}

}  // namespace roadtune::config
