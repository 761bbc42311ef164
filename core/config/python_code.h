// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/yaml_node.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::config {

// Python as far as settings need it: literals, variables that hold one, arguments of calls.
class PythonCode {
 public:
  explicit PythonCode(std::string_view code);

  // One argument of a call; without a node its value is not plain.
  struct Argument {
    std::string name;  // empty: by position
    YamlNode key;
    std::optional<YamlNode> value;
    std::string text;  // as written
  };
  struct Call {
    std::string callee;  // with what stands before it: "peft.LoraConfig"
    std::size_t offset = 0;
    std::vector<Argument> arguments;
  };
  // Calls of functions with these last names, in their order.
  std::vector<Call> callsOf(const std::vector<std::string>& names) const;

  // The code without comments and without the branches that are not taken; every byte keeps its place.
  const std::string& text() const { return m_code; }
  YamlNode nodeAt(std::size_t offset, std::string text) const;  // a scalar

 private:
  void dropComments();
  void dropDeadBranches();
  void assign(std::string_view line, std::size_t offset);
  std::optional<bool> truthOf(std::string_view condition) const;

  std::size_t skipBlank(std::size_t at) const;
  std::size_t endOfExpression(std::size_t at) const;
  Argument argument(std::size_t& at) const;
  std::optional<YamlNode> literal(std::size_t& at, int depth = 0) const;
  std::optional<YamlNode> string(std::size_t& at) const;
  std::optional<YamlNode> sequence(std::size_t& at, int depth) const;
  std::optional<YamlNode> named(std::size_t& at) const;

  std::string m_code;
  std::vector<std::size_t> m_lines;  // where each begins
  std::map<std::string, YamlNode> m_variables;
};

}  // namespace roadtune::config
