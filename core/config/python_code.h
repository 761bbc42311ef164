// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/yaml_node.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::config {

// Python as far as settings need it: values, the variables, data classes and command lines they come from, arguments of
// calls. Nothing is run; what would have to be is no value here.
class PythonCode {
 public:
  // `options`: what the program is started with, by the names that its parser gives them.
  explicit PythonCode(std::string_view code, std::map<std::string, YamlNode> options = {});

  // One argument of a call; without a node its value is not plain. What **name stands for is spread out; "**" is the
  // name where that is not known.
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

  // What the program puts into members of what a call has made: `args = Arguments(); args.seed = 3`.
  std::vector<Argument> membersSetAfter(const Call& call) const;

  // Options of the program's own command line that an expression uses, and all of them.
  std::vector<std::string> optionsIn(std::string_view expression) const;
  std::vector<std::string> options() const;
  bool isUnknownOption(const std::string& name) const;  // neither given nor with a default

  // The code without comments and without the branches that are not taken; every byte keeps its place.
  const std::string& text() const { return m_code; }
  YamlNode nodeAt(std::size_t offset, std::string text) const;  // a scalar

 private:
  // python_code.cpp: the text
  void dropComments();
  std::size_t skipBlank(std::size_t at) const;
  std::size_t endOfExpression(std::size_t at) const;
  std::size_t endOfOperand(std::size_t at, std::size_t end, std::string_view stops = ",:") const;
  std::size_t endOfItem(std::size_t at) const;
  std::string nameAt(std::size_t at) const;  // with dots
  std::size_t offsetOf(std::string_view part) const { return static_cast<std::size_t>(part.data() - m_code.data()); }
  Argument argument(std::size_t& at, int depth) const;
  std::optional<Call> callAt(std::size_t& at, int depth = 0) const;

  // python_values.cpp: what an expression is
  std::optional<YamlNode> expression(std::size_t& at, std::size_t end, int depth = 0) const;
  std::optional<YamlNode> arithmetic(std::size_t& at, std::size_t end, int depth) const;
  std::optional<YamlNode> literal(std::size_t& at, int depth) const;
  std::optional<YamlNode> string(std::size_t& at, int depth) const;
  std::optional<std::string> filledIn(std::string_view inner, bool raw, bool fields, int depth) const;
  std::optional<YamlNode> sequence(std::size_t& at, int depth) const;
  std::optional<YamlNode> named(std::size_t& at, int depth) const;
  std::optional<YamlNode> lookup(const std::string& name) const;
  std::optional<YamlNode> valueOf(const Call& call) const;
  std::optional<YamlNode> valueOf(std::string_view part, int depth) const;
  std::optional<YamlNode> comparison(std::string_view part) const;
  std::optional<bool> truthOf(std::string_view condition, int depth = 0) const;
  std::optional<bool> plainTruthOf(std::string_view condition, int depth) const;

  // python_statements.cpp: what the lines do
  struct Branch {
    std::size_t indent = 0;
    bool live = true, taken = false, known = false;
  };
  struct Class {
    std::string name;
    std::size_t indent = 0, body = 0;
  };
  struct Default {
    std::optional<YamlNode> value;
    bool turnsOff = false;  // --no_x
  };
  void readLines(bool drop);
  bool readBranch(std::string_view words, std::size_t indent, std::vector<Branch>& branches) const;
  void readStatement(std::string_view words, std::size_t indent);
  void readClass(std::string_view words, std::size_t indent);
  void readFunction(std::string_view words);
  void readOption(std::size_t at);
  void assign(std::size_t at, std::size_t indent);
  bool assignMembers(const std::vector<std::string>& targets, std::size_t at);
  bool hasMembers(const std::string& name) const;
  void copyMembers(const std::string& from, const std::string& to);
  void ask(const std::string& target, const std::string& option, std::optional<YamlNode> otherwise, bool off = false);
  void askOptions(const std::string& target);
  void askFields(const std::string& target, const std::string& type);
  void set(const std::string& name, std::optional<YamlNode> value);

  std::string m_code;
  std::vector<std::size_t> m_lines;             // where each begins
  std::map<std::string, YamlNode> m_variables;  // and members: "args.lr"

  std::map<std::string, YamlNode> m_given;                    // on the command line
  std::map<std::string, Default> m_options;                   // of the program's parser
  std::map<std::string, std::string> m_asked;                 // what holds an option: "args.lr" -> "lr"
  std::map<std::string, std::vector<std::string>> m_classes;  // and their fields, in order
  std::vector<std::string> m_parsed;                          // classes that the command line fills
  std::vector<std::string> m_functions;                       // defined here
  std::map<std::string, std::vector<Argument>> m_calls;       // of them: the last one's arguments
  std::vector<Class> m_open;                                  // classes around the line that is read
};

}  // namespace roadtune::config
