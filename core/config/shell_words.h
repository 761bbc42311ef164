// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::config {

struct ShellWord {
  std::string text;
  int line = 0, column = 0;
  bool open = false;  // holds what only running the script tells: $(...), $1
};
using ShellCommand = std::vector<ShellWord>;

// Commands of a script as a shell would see their words: quotes, backslashes, comments, variables and arrays that the
// script sets, what `bash -c` is given. Redirections are left out. Nothing is run, and conditions are not asked: what
// stands below them counts.
class ShellWords {
 public:
  explicit ShellWords(std::string_view script) : m_script(script) {}
  std::vector<ShellCommand> commands();

 private:
  void beginLine();
  char at(std::size_t offset = 0) const { return m_at + offset < m_script.size() ? m_script[m_at + offset] : '\0'; }
  bool takeRedirection();
  bool takeArray();
  bool takeExpansion();
  void skipLine();
  ShellWord word();
  void quoted(char quote, ShellWord& word);
  std::string variable(ShellWord& word);
  std::string substitution(ShellWord& word);
  void endCommand();
  void takeNested(const ShellCommand& command);
  std::size_t endOfName(std::size_t from) const;

  std::string_view m_script;
  std::size_t m_at = 0, m_lineStart = 0;
  int m_line = 1;
  bool m_nested = false;  // what `bash -c` is given
  ShellCommand m_command;
  std::vector<ShellCommand> m_commands;
  std::map<std::string, std::string> m_variables;
  std::map<std::string, ShellCommand> m_arrays;
};

}  // namespace roadtune::config
