// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/shell_words.h"

#include "core/base/text.h"
#include "core/config/code_words.h"

#include <algorithm>
#include <cctype>

namespace roadtune::config {
namespace {

constexpr std::size_t kMostWords = 10'000;  // of arrays put into arrays

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool endsWord(char c) {
  return c == '\0' || std::isspace(static_cast<unsigned char>(c)) ||
         std::string_view(";&|()<>").find(c) != std::string_view::npos;
}

// Words before a command that say nothing of it.
bool leadsCommand(const std::string& word) {
  static const std::vector<std::string> kLeading = {"export", "local", "declare", "readonly",
                                                    "then",   "do",    "else",    "exec"};
  return std::find(kLeading.begin(), kLeading.end(), word) != kLeading.end();
}

}  // namespace

std::vector<ShellCommand> ShellWords::commands() {
  while (m_at < m_script.size()) {
    const char c = at();
    if (c == '\\' && at(1) == '\n') {
      m_at += 2;
      beginLine();
    } else if (isBlank(c)) {
      ++m_at;
    } else if (c == '#') {
      skipLine();
    } else if (takeRedirection() || takeArray() || takeExpansion()) {
      continue;
    } else if (endsWord(c)) {
      ++m_at;
      endCommand();
      if (c == '\n') beginLine();
    } else {
      m_command.push_back(word());
    }
  }
  endCommand();
  return std::move(m_commands);
}

void ShellWords::beginLine() {
  ++m_line;
  m_lineStart = m_at;
}

void ShellWords::skipLine() { m_at = std::min(m_script.find('\n', m_at), m_script.size()); }

std::size_t ShellWords::endOfName(std::size_t from) const {
  while (from < m_script.size() && isWord(m_script[from])) ++from;
  return from;
}

// 2>&1, > file, &>> file, < file
bool ShellWords::takeRedirection() {
  std::size_t sign = m_at;
  while (sign < m_script.size() && std::isdigit(static_cast<unsigned char>(m_script[sign]))) ++sign;
  if (sign == m_at && at() == '&') ++sign;
  if (sign >= m_script.size() || (m_script[sign] != '>' && m_script[sign] != '<')) return false;
  for (m_at = sign; at() == '>' || at() == '<' || at() == '&' || at() == '-';) ++m_at;
  while (isBlank(at())) ++m_at;
  if (!endsWord(at())) word();
  return true;
}

// NAME=( words ), NAME+=( words )
bool ShellWords::takeArray() {
  std::size_t end = endOfName(m_at);
  const std::string name(m_script.substr(m_at, end - m_at));
  const bool more = end < m_script.size() && m_script[end] == '+';
  if (name.empty() || m_script.substr(end + (more ? 1 : 0), 2) != "=(") return false;
  m_at = end + (more ? 3 : 2);
  ShellCommand outside = std::move(m_command);
  m_command.clear();
  while (m_at < m_script.size() && at() != ')') {
    const char c = at();
    if (c == '#') {
      skipLine();
    } else if (c == '\n') {
      ++m_at;
      beginLine();
    } else if (c == '\\' && at(1) == '\n') {
      m_at += 2;
      beginLine();
    } else if (!takeExpansion()) {
      if (endsWord(c))
        ++m_at;
      else
        m_command.push_back(word());
    }
  }
  if (m_at < m_script.size()) ++m_at;
  ShellCommand& array = m_arrays[name];
  if (!more) array.clear();
  if (array.size() + m_command.size() <= kMostWords) array.insert(array.end(), m_command.begin(), m_command.end());
  m_command = std::move(outside);
  return true;
}

// A word that stands for several: "${NAME[@]}" for those of an array, $NAME for what is in it; "$@" for none.
bool ShellWords::takeExpansion() {
  const bool quotes = at() == '"';
  std::size_t from = m_at + (quotes ? 1 : 0);
  if (m_script.substr(from, 1) != "$") return false;
  const bool braces = m_script.substr(from + 1, 1) == "{";
  from += braces ? 2 : 1;
  std::size_t end = endOfName(from);
  const std::string name(m_script.substr(from, end - from));
  const bool every = m_script.substr(end, 3) == "[@]" || m_script.substr(end, 3) == "[*]";
  const bool given = name.empty() && (m_script.substr(end, 1) == "@" || m_script.substr(end, 1) == "*");
  end += every ? 3 : given ? 1 : 0;
  if (braces && m_script.substr(end, 1) != "}") return false;
  end += braces ? 1 : 0;
  if (quotes && m_script.substr(end, 1) != "\"") return false;
  end += quotes ? 1 : 0;
  if (end < m_script.size() && !endsWord(m_script[end])) return false;
  ShellCommand words;
  const ShellWord here{{}, m_line, static_cast<int>(m_at - m_lineStart) + 1, false};
  if (every) {
    if (const auto array = m_arrays.find(name); array != m_arrays.end()) words = array->second;
  } else if (!given) {
    const auto known = m_variables.find(name);
    if (quotes || known == m_variables.end() || known->second.find_first_of(" \t\n") == std::string::npos) return false;
    std::string text = known->second;
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
    for (std::string& one : split(text, ' ')) {
      if (one.empty()) continue;
      words.push_back(here);
      words.back().text = std::move(one);
    }
  }
  m_at = end;
  if (m_command.size() + words.size() <= kMostWords) m_command.insert(m_command.end(), words.begin(), words.end());
  return true;
}

ShellWord ShellWords::word() {
  ShellWord result{{}, m_line, static_cast<int>(m_at - m_lineStart) + 1, false};
  while (!endsWord(at())) {
    const char c = at();
    if (c == '\'' || c == '"') {
      quoted(c, result);
    } else if (c == '$') {
      result.text += variable(result);
    } else if (c == '`') {
      result.text += substitution(result);
    } else if (c == '\\' && m_at + 1 < m_script.size()) {
      if (at(1) == '\n') break;
      result.text += at(1);
      m_at += 2;
    } else {
      result.text += c;
      ++m_at;
    }
  }
  return result;
}

void ShellWords::quoted(char quote, ShellWord& word) {
  for (++m_at; m_at < m_script.size() && at() != quote;) {
    if (at() == '\n') ++m_line;
    if (quote == '"' && at() == '$') {
      word.text += variable(word);
      continue;
    }
    if (quote == '"' && at() == '`') {
      word.text += substitution(word);
      continue;
    }
    if (quote == '"' && at() == '\\' && m_at + 1 < m_script.size()) ++m_at;
    word.text += m_script[m_at++];
  }
  if (m_at < m_script.size()) ++m_at;
}

// $NAME, ${NAME} and ${NAME:-otherwise}; what the script does not set stays as it is written.
std::string ShellWords::variable(ShellWord& word) {
  if (at(1) == '(') return substitution(word);
  const std::size_t first = m_at++;
  const bool braces = at() == '{';
  const std::size_t name = m_at + (braces ? 1 : 0);
  std::size_t end = endOfName(name);
  const auto known = m_variables.find(std::string(m_script.substr(name, end - name)));
  const bool number = name < end && std::isdigit(static_cast<unsigned char>(m_script[name]));
  std::string otherwise(m_script.substr(first, end - first));
  bool fallsBack = false;
  if (braces) {
    const std::size_t close = m_script.find('}', end);
    if (close == std::string_view::npos) {
      m_at = end;
      return otherwise;
    }
    otherwise = m_script.substr(first, close + 1 - first);
    fallsBack = m_script.substr(end, 2) == ":-";
    if (fallsBack) otherwise = m_script.substr(end + 2, close - end - 2);
    end = close + 1;
  }
  m_at = std::max(end, first + 1);
  if (known != m_variables.end()) return known->second;
  word.open = word.open || (number && !fallsBack);
  return otherwise;
}

// $(command), $((sum)) and `command`: as they are written.
std::string ShellWords::substitution(ShellWord& word) {
  word.open = true;
  const std::size_t first = m_at;
  if (at() == '`') {
    m_at = std::min(m_script.find('`', m_at + 1), m_script.size() - 1) + 1;
  } else {
    int depth = 0;
    for (++m_at; m_at < m_script.size(); ++m_at) {
      if (at() == '(') ++depth;
      if (at() == ')' && --depth == 0) break;
    }
    m_at = std::min(m_at + 1, m_script.size());
  }
  const std::string text(m_script.substr(first, m_at - first));
  m_line += static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  return text;
}

// NAME=value before a command, alone or behind `export`.
void ShellWords::endCommand() {
  while (!m_command.empty() && leadsCommand(m_command.front().text)) m_command.erase(m_command.begin());
  for (const ShellWord& one : m_command) {
    const auto sign = one.text.find('=');
    if (sign == 0 || sign == std::string::npos || startsWith(one.text, "-")) break;
    if (one.open)
      m_variables.erase(one.text.substr(0, sign));
    else
      m_variables.insert_or_assign(one.text.substr(0, sign), one.text.substr(sign + 1));
  }
  takeNested(m_command);
  if (!m_command.empty()) m_commands.push_back(std::move(m_command));
  m_command.clear();
}

// bash -c "command"
void ShellWords::takeNested(const ShellCommand& command) {
  for (std::size_t i = 1; !m_nested && i + 1 < command.size(); ++i) {
    const std::string& shell = command[i - 1].text;
    if (!endsWith(shell, "sh") || !startsWith(command[i].text, "-") || !endsWith(command[i].text, "c")) continue;
    ShellWords inner(command[i + 1].text);
    inner.m_nested = true;
    inner.m_variables = m_variables;
    inner.m_arrays = m_arrays;
    inner.m_line = command[i + 1].line;
    for (ShellCommand& one : inner.commands()) m_commands.push_back(std::move(one));
  }
}

}  // namespace roadtune::config
