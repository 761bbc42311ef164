// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <memory>
#include <string>
#include <string_view>

namespace roadtune::model {

// Regular expressions as Python's `re` reads them, as far as patterns for module paths go: groups (also named and
// non-capturing), alternation, greedy and lazy repeats, classes, \d \w \s \b, anchors, look-ahead and look-behind,
// back-references, (?i). Patterns come from users and checkpoints: matching gives up after a fixed number of steps
// instead of hanging, and then answers no.
class PythonRegex {
 public:
  static Result<PythonRegex> compile(const std::string& pattern);

  bool fullMatch(std::string_view text) const;  // re.fullmatch
  bool match(std::string_view text) const;      // re.match: anchored at the start only

  struct Program;

 private:
  explicit PythonRegex(std::shared_ptr<const Program> program) : m_program(std::move(program)) {}
  std::shared_ptr<const Program> m_program;
};

}  // namespace roadtune::model
