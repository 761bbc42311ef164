// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/config/program_settings.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace roadtune::config {
namespace {

struct Word {
  std::string text;
  int line = 0, column = 0;
  bool quoted = false;
};
using Command = std::vector<Word>;

// Words of commands as a shell would see them: quotes, backslashes, comments, variables that the script sets.
class ShellWords {
 public:
  explicit ShellWords(std::string_view script) : m_script(script) {}

  std::vector<Command> commands() {
    while (m_at < m_script.size()) {
      const char c = m_script[m_at];
      if (c == '\\' && m_at + 1 < m_script.size() && m_script[m_at + 1] == '\n') {
        m_at += 2;
        beginLine();
      } else if (c == '\n' || c == ';' || c == '&' || c == '|') {
        ++m_at;
        endCommand();
        if (c == '\n') beginLine();
      } else if (std::isspace(static_cast<unsigned char>(c))) {
        ++m_at;
      } else if (c == '#') {
        m_at = std::min(m_script.find('\n', m_at), m_script.size());
      } else {
        m_command.push_back(word());
      }
    }
    endCommand();
    return std::move(m_commands);
  }

 private:
  void beginLine() {
    ++m_line;
    m_lineStart = m_at;
  }

  Word word() {
    Word result{{}, m_line, static_cast<int>(m_at - m_lineStart) + 1, false};
    while (m_at < m_script.size()) {
      const char c = m_script[m_at];
      if (std::isspace(static_cast<unsigned char>(c)) || c == ';' || c == '&' || c == '|') break;
      if (c == '\'' || c == '"') {
        result.quoted = true;
        quoted(c, result.text);
      } else if (c == '$') {
        result.text += variable();
      } else if (c == '\\' && m_at + 1 < m_script.size()) {
        if (m_script[m_at + 1] == '\n') break;
        result.text += m_script[m_at + 1];
        m_at += 2;
      } else {
        result.text += c;
        ++m_at;
      }
    }
    return result;
  }

  void quoted(char quote, std::string& text) {
    for (++m_at; m_at < m_script.size() && m_script[m_at] != quote;) {
      if (m_script[m_at] == '\n') ++m_line;
      if (quote == '"' && m_script[m_at] == '$') {
        text += variable();
        continue;
      }
      if (quote == '"' && m_script[m_at] == '\\' && m_at + 1 < m_script.size()) ++m_at;
      text += m_script[m_at++];
    }
    if (m_at < m_script.size()) ++m_at;
  }

  // $NAME, ${NAME} and ${NAME:-otherwise}; what the script does not set stays as it is written.
  std::string variable() {
    const std::size_t first = m_at++;
    const bool braces = m_at < m_script.size() && m_script[m_at] == '{';
    std::size_t end = m_at + (braces ? 1 : 0);
    const std::size_t name = end;
    while (end < m_script.size() && (std::isalnum(static_cast<unsigned char>(m_script[end])) || m_script[end] == '_'))
      ++end;
    const auto known = m_variables.find(std::string(m_script.substr(name, end - name)));
    std::string otherwise(m_script.substr(first, end - first));
    if (braces) {
      const std::size_t close = m_script.find('}', end);
      if (close == std::string_view::npos) {
        m_at = end;
        return otherwise;
      }
      otherwise = m_script.substr(first, close + 1 - first);
      if (m_script.substr(end, 2) == ":-") otherwise = m_script.substr(end + 2, close - end - 2);
      end = close + 1;
    }
    m_at = std::max(end, first + 1);
    return known == m_variables.end() ? otherwise : known->second;
  }

  // NAME=value before a command, alone or behind `export`.
  void endCommand() {
    if (!m_command.empty() && m_command.front().text == "export") m_command.erase(m_command.begin());
    for (const Word& one : m_command) {
      const auto sign = one.text.find('=');
      if (sign == 0 || sign == std::string::npos || startsWith(one.text, "-")) break;
      m_variables.insert_or_assign(one.text.substr(0, sign), one.text.substr(sign + 1));
    }
    if (!m_command.empty()) m_commands.push_back(std::move(m_command));
    m_command.clear();
  }

  std::string_view m_script;
  std::size_t m_at = 0, m_lineStart = 0;
  int m_line = 1;
  Command m_command;
  std::vector<Command> m_commands;
  std::map<std::string, std::string> m_variables;
};

bool isOption(const Word& word) {
  return startsWith(word.text, "--") && word.text.size() > 2 && word.text[2] != '=' && !word.quoted;
}

YamlNode scalarOf(const Word& word, std::string text) {
  YamlNode node;
  node.kind = YamlNode::Kind::Scalar;
  node.text = std::move(text);
  node.line = word.line;
  node.column = word.column;
  return node;
}

YamlNode nodeOf(const Word& word, std::string text) {
  if (!text.empty() && (text.front() == '{' || text.front() == '['))
    if (YamlTree tree = parseYaml(text); !tree.error) return std::move(tree.root);
  YamlNode node = scalarOf(word, std::move(text));
  node.quoted = word.quoted;
  return node;
}

YamlNode keyOf(const Word& word, std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return scalarOf(word, std::move(name));
}

}  // namespace

ProgramSettings settingsOfShell(std::string_view script) {
  ProgramSettings settings;
  settings.map.kind = YamlNode::Kind::Map;
  Command most;
  const auto options = [](const Command& command) { return std::count_if(command.begin(), command.end(), isOption); };
  const auto ends = [](const char* ending) {
    return [ending](const Word& word) { return endsWith(word.text, ending); };
  };
  for (Command& command : ShellWords(script).commands()) {
    for (const char* ending : {".yaml", ".yml", ".json"})
      if (const auto file = std::find_if(command.begin(), command.end(), ends(ending)); file != command.end())
        settings.file = file->text;
    const bool starts = most.empty() && std::any_of(command.begin(), command.end(), ends(".py"));
    if (starts || options(command) > options(most)) most = std::move(command);
  }
  for (const Word& word : most)
    if (settings.program.empty() && endsWith(word.text, ".py")) settings.program = word.text;
  auto& entries = settings.map.entries;
  for (std::size_t i = 0; i < most.size(); ++i) {
    if (!isOption(most[i])) continue;
    const Word& option = most[i];
    const auto sign = option.text.find('=');
    YamlNode key = keyOf(option, option.text.substr(2, sign == std::string::npos ? sign : sign - 2));
    YamlNode value = nodeOf(option, sign == std::string::npos ? "true" : option.text.substr(sign + 1));
    std::vector<YamlNode> values;
    // "--nproc_per_node 8 train.py": the program itself is no value.
    while (sign == std::string::npos && i + 1 < most.size() && !isOption(most[i + 1]) &&
           !endsWith(most[i + 1].text, ".py")) {
      ++i;
      values.push_back(nodeOf(most[i], most[i].text));
    }
    if (values.size() == 1) value = std::move(values.front());
    if (values.size() > 1) {
      value.kind = YamlNode::Kind::List;
      value.items = std::move(values);
    }
    std::erase_if(entries, [&](const auto& entry) { return entry.first.text == key.text; });
    entries.emplace_back(std::move(key), std::move(value));
  }
  return settings;
}

}  // namespace roadtune::config
