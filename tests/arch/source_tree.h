// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

namespace roadtune::arch {

// A source file of ours, with its path from the root of the tree.
struct SourceFile {
  std::string path;
  std::vector<std::string> lines;

  // What it includes: names between quotes or angle brackets.
  std::vector<std::string> includes() const;
  std::string folder() const;
};

// Every .h, .cpp, .cu and .cuh below the given top folders.
std::vector<SourceFile> sourcesBelow(const std::vector<std::string>& tops);

struct FunctionSize {
  std::string place;  // path:line
  int lines = 0;
};

// Functions by brace matching on formatted code: an opening brace at the end of a line that is not a type or namespace.
std::vector<FunctionSize> functionsOf(const SourceFile& file);

}  // namespace roadtune::arch
