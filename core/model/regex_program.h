// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/model/python_regex.h"

#include <bitset>
#include <memory>
#include <string>
#include <vector>

namespace roadtune::model {

struct RegexNode {
  enum class Kind { Set, Start, End, AbsoluteEnd, Boundary, NoBoundary, Group, Sequence, Choice, Repeat, Look, Back };

  Kind kind = Kind::Sequence;
  std::bitset<256> set = {};                              // Set
  std::vector<std::unique_ptr<RegexNode>> children = {};  // Sequence, Choice; one for Group, Repeat, Look
  int minimum = 0, maximum = -1;                          // Repeat; -1: no limit
  bool greedy = true;                                     // Repeat
  bool negated = false, behind = false;                   // Look
  int group = 0;                                          // Group (0: not captured), Back
};

struct PythonRegex::Program {
  std::unique_ptr<RegexNode> root;
  int groups = 0;
  bool ignoreCase = false;
};

Result<std::shared_ptr<const PythonRegex::Program>> parseRegex(const std::string& pattern);

}  // namespace roadtune::model
