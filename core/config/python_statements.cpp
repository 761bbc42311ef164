// SPDX-License-Identifier: GPL-3.0-or-later
// What the lines of a Python program do to its variables, read from top to bottom.
#include "core/base/text.h"
#include "core/config/code_words.h"
#include "core/config/python_code.h"

#include <algorithm>
#include <iterator>

namespace roadtune::config {
namespace {

constexpr std::size_t kMostVariables = 2000, kLongestName = 200;  // members of members of members

std::string lastOf(const std::string& name) { return name.substr(name.rfind('.') + 1); }

}  // namespace

// Below an `if` whose condition is known to be false nothing is read, and everything becomes blank where `drop` says
// so. Lines within brackets or strings belong to the line that opened them.
void PythonCode::readLines(bool drop) {
  std::vector<Branch> branches;
  m_open.clear();
  std::size_t inside = 0;  // brackets and strings that began before reach up to here
  for (std::size_t n = 0; n < m_lines.size(); ++n) {
    const std::size_t begin = m_lines[n], end = n + 1 < m_lines.size() ? m_lines[n + 1] : m_code.size();
    const std::string_view line = std::string_view(m_code).substr(begin, end - begin), words = trim(line);
    if (words.empty()) continue;
    const auto allLive = [&] { return std::all_of(branches.begin(), branches.end(), [](auto& b) { return b.live; }); };
    if (begin >= inside) {
      const std::size_t indent = line.find_first_not_of(" \t");
      inside = endOfExpression(begin + indent);
      if (readBranch(words, indent, branches)) continue;
      if (allLive()) readStatement(words, indent);
    }
    if (drop && !allLive())
      for (std::size_t i = begin; i < end; ++i)
        if (m_code[i] != '\n') m_code[i] = ' ';
  }
}

// `if`, `elif` and `else`; other lines end the branches that they stand beside.
bool PythonCode::readBranch(std::string_view words, std::size_t indent, std::vector<Branch>& branches) const {
  const bool elif = startsWith(words, "elif "), otherwise = elif || startsWith(words, "else");
  while (!branches.empty() && (branches.back().indent > indent || (branches.back().indent == indent && !otherwise)))
    branches.pop_back();
  if (endsWith(words, ":") && startsWith(words, "if ")) {
    const auto truth = truthOf(words.substr(3, words.size() - 4));
    branches.push_back({indent, truth.value_or(true), truth.value_or(false), truth.has_value()});
    return true;
  }
  if (!otherwise || branches.empty() || branches.back().indent != indent) return false;
  Branch& branch = branches.back();
  const auto truth = elif && words.size() > 6 ? truthOf(words.substr(5, words.size() - 6)) : true;
  branch.live = !branch.taken && truth.value_or(true);
  branch.taken = branch.taken || (branch.known && truth.value_or(false));
  branch.known = branch.known && truth.has_value();
  return true;
}

void PythonCode::readStatement(std::string_view words, std::size_t indent) {
  while (!m_open.empty() && m_open.back().indent >= indent) m_open.pop_back();
  if (!m_open.empty() && m_open.back().body == 0) m_open.back().body = indent;
  if (startsWith(words, "class ")) return readClass(words, indent);
  if (startsWith(words, "def ")) return readFunction(words);
  const std::size_t at = offsetOf(words);
  if (endsWith(nameAt(at), ".add_argument")) return readOption(at);
  assign(at, indent);
}

void PythonCode::readClass(std::string_view words, std::size_t indent) {
  const std::string name = nameAt(offsetOf(words.substr(6)));
  if (name.empty()) return;
  m_open.push_back({name, indent, 0});
  m_classes[name].clear();
}

// Parameters have their defaults, or what the last call of the function gives them. One without is left alone: a
// variable of that name may be what it gets.
void PythonCode::readFunction(std::string_view words) {
  std::size_t at = skipBlank(offsetOf(words) + 4);
  const std::string function = nameAt(at);
  if (std::find(m_functions.begin(), m_functions.end(), function) == m_functions.end()) m_functions.push_back(function);
  at = m_code.find('(', at);
  if (at == std::string::npos) return;
  const auto call = m_calls.find(function);
  for (std::size_t position = 0; at < m_code.size() && m_code[at] != ')';) {
    at = skipBlank(at + 1);
    while (at < m_code.size() && m_code[at] == '*') ++at;
    const std::string name = nameAt(at);
    at = skipBlank(at + name.size());
    std::string type;
    if (at < m_code.size() && m_code[at] == ':') {
      type = nameAt(at = skipBlank(at + 1));
      at = endOfOperand(at, m_code.size(), ",=");
    }
    std::optional<YamlNode> value;
    if (at < m_code.size() && m_code[at] == '=') {
      at = skipBlank(at + 1);
      std::size_t first = at;
      value = expression(first, m_code.size());
      at = endOfItem(at);
    }
    if (at < m_code.size() && m_code[at] != ',' && m_code[at] != ')') return;
    if (name.empty() || name == "self") continue;
    if (value && m_variables.count(name) == 0) set(name, value);
    if (m_classes.count(type) > 0 && !hasMembers(name)) copyMembers(type, name);
    for (std::size_t i = 0; call != m_calls.end() && i < call->second.size(); ++i) {
      const Argument& given = call->second[i];
      if (given.name != name && !(given.name.empty() && i == position)) continue;
      if (given.value)
        set(name, given.value);
      else if (given.text.find(".parse_args(") != std::string::npos)
        askOptions(name);
      else if (hasMembers(given.text))
        copyMembers(given.text, name);
    }
    ++position;
  }
}

// parser.add_argument("--lr", "-l", type=float, default=2e-5)
void PythonCode::readOption(std::size_t at) {
  const auto call = callAt(at);
  if (!call) return;
  std::string name;
  Default otherwise;
  for (const Argument& one : call->arguments) {
    const std::string text = one.value ? one.value->text : one.text;
    if (one.name.empty() && (name.empty() || (startsWith(text, "--") && !startsWith(name, "--")))) name = text;
    if (one.name == "dest") name = text;
    if (one.name == "default") otherwise.value = one.value;
    if (one.name == "action" && startsWith(text, "store_") && !otherwise.value) {
      otherwise.turnsOff = text == "store_false";
      if (text != "store_const") otherwise.value = nodeAt(one.key.offset, otherwise.turnsOff ? "true" : "false");
    }
  }
  name.erase(0, name.find_first_not_of('-'));
  std::replace(name.begin(), name.end(), '-', '_');
  if (!name.empty()) m_options.insert_or_assign(name, std::move(otherwise));
}

// `NAME = value`, `a.b: type = value`, `a, b = parser.parse(...)`; what is not plain is forgotten.
void PythonCode::assign(std::size_t at, std::size_t indent) {
  std::vector<std::string> targets;
  const std::size_t end = endOfExpression(at);
  const bool brackets = m_code[at] == '(';
  for (at += brackets ? 1 : 0;;) {
    const std::string name = nameAt(at);
    if (name.empty()) break;
    targets.push_back(name);
    at = skipBlank(at + name.size());
    if (at >= end || m_code[at] != ',') break;
    at = skipBlank(at + 1);
  }
  if (brackets && at < end && m_code[at] == ')') at = skipBlank(at + 1);
  if (targets.empty() || at >= end) return;
  if (m_code[at] == ':') at = endOfOperand(at + 1, end, "=");
  const bool field = !m_open.empty() && indent == m_open.back().body && targets.size() == 1;
  if (field) {
    m_classes[m_open.back().name].push_back(targets[0]);
    targets[0] = m_open.back().name + "." + targets[0];
  }
  if (at < end && std::string_view("+-*/").find(m_code[at]) != std::string_view::npos) return set(targets[0], {});
  if (at >= end || m_code[at] != '=' || m_code.compare(at, 2, "==") == 0) return;
  std::size_t behind = at = skipBlank(at + 1);
  const std::string_view text = std::string_view(m_code).substr(at, std::max(at, end) - at);
  if (assignMembers(targets, at)) return;
  auto value = targets.size() == 1 ? expression(behind, end) : std::nullopt;
  behind = std::min(m_code.find_first_not_of(" \t\r", behind), m_code.size());
  if (behind < m_code.size() && m_code[behind] != '\n' && m_code[behind] != ';') value.reset();
  if (!value && targets.size() == 1) value = comparison(text);
  for (const std::string& target : targets) {
    set(target, value);
    if (const auto asked = optionsIn(text); !asked.empty()) m_asked.insert_or_assign(target, asked.front());
    if (startsWith(target, "self.") && !m_open.empty()) set(m_open.back().name + target.substr(4), value);
  }
}

// What has members: what a parser makes of the command line, an instance of a class of the program, another name.
bool PythonCode::assignMembers(const std::vector<std::string>& targets, std::size_t at) {
  const std::string name = nameAt(at), last = lastOf(name);
  const auto call = callAt(at);
  if (!call) {
    if (name == targets[0] || m_variables.count(name) > 0 || !hasMembers(name)) return false;
    copyMembers(name, targets[0]);
    return true;
  }
  if (last == "parse_args" || last == "parse_known_args") {
    askOptions(targets[0]);
  } else if (last == "HfArgumentParser" || last == "TrlParser" || last == "cli") {
    m_parsed.clear();
    const std::string text = call->arguments.empty() ? "" : call->arguments[0].text;
    for (std::size_t from = 0, to = 0; from < text.size(); from = to + 1) {
      for (to = from; to < text.size() && (isWord(text[to]) || text[to] == '.');) ++to;
      if (to > from) m_parsed.push_back(text.substr(from, to - from));
    }
    if (last == "cli" && !m_parsed.empty()) askFields(targets[0], m_parsed[0]);
  } else if (last == "parse_args_into_dataclasses" || last == "parse_args_and_config") {
    for (std::size_t i = 0; i < std::min(targets.size(), m_parsed.size()); ++i) askFields(targets[i], m_parsed[i]);
  } else if (const auto type = m_classes.find(name); type != m_classes.end()) {
    copyMembers(name, targets[0]);
    for (std::size_t i = 0; i < call->arguments.size(); ++i) {
      const Argument& one = call->arguments[i];
      const std::string field = !one.name.empty() ? one.name : i < type->second.size() ? type->second[i] : "";
      if (!field.empty()) set(targets[0] + "." + field, one.value);
    }
  } else {
    return false;
  }
  return true;
}

bool PythonCode::hasMembers(const std::string& name) const {
  const auto first = m_variables.lower_bound(name + ".");
  return !name.empty() && first != m_variables.end() && startsWith(first->first, name + ".");
}

void PythonCode::copyMembers(const std::string& from, const std::string& to) {
  const auto membersOf = [&](auto one, auto end) {
    std::vector<typename std::iterator_traits<decltype(one)>::value_type> members;
    for (; one != end && startsWith(one->first, from + "."); ++one) members.push_back(*one);
    return members;
  };
  for (auto& [name, value] : membersOf(m_variables.lower_bound(from + "."), m_variables.end()))
    set(to + name.substr(from.size()), value);
  for (auto& [name, option] : membersOf(m_asked.lower_bound(from + "."), m_asked.end()))
    if (m_asked.size() < kMostVariables) m_asked.insert_or_assign(to + name.substr(from.size()), option);
}

// What holds an option: what it is started with, or else the default.
void PythonCode::ask(const std::string& target, const std::string& option, std::optional<YamlNode> otherwise,
                     bool off) {
  m_asked.insert_or_assign(target, option);
  if (const auto given = m_given.find(option); given != m_given.end()) {
    if (isOpenValue(given->second)) return set(target, {});
    otherwise = given->second;
    if (off) otherwise->text = "false";
  } else if (m_given.count("no_" + option) > 0) {
    otherwise = m_given.at("no_" + option);
    otherwise->text = "false";
  }
  set(target, std::move(otherwise));
}

void PythonCode::askOptions(const std::string& target) {
  for (const auto& [option, otherwise] : m_options)
    ask(target + "." + option, option, otherwise.value, otherwise.turnsOff);
}

void PythonCode::askFields(const std::string& target, const std::string& type) {
  const auto fields = m_classes.find(type);
  if (fields == m_classes.end()) return;
  for (const std::string& field : fields->second) ask(target + "." + field, field, lookup(type + "." + field));
}

void PythonCode::set(const std::string& name, std::optional<YamlNode> value) {
  if (value && m_variables.size() < kMostVariables && name.size() < kLongestName)
    m_variables.insert_or_assign(name, std::move(*value));
  else
    m_variables.erase(name);
}

}  // namespace roadtune::config
