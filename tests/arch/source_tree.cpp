// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/arch/source_tree.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

namespace roadtune::arch {

std::vector<std::string> SourceFile::includes() const {
  static const std::regex pattern(R"(^\s*#\s*include\s*["<]([^">]+)[">])");
  std::vector<std::string> names;
  for (const auto& line : lines) {
    std::smatch match;
    if (std::regex_search(line, match, pattern)) names.push_back(match[1]);
  }
  return names;
}

std::string SourceFile::folder() const { return path.substr(0, path.rfind('/')); }

std::vector<SourceFile> sourcesBelow(const std::vector<std::string>& tops) {
  namespace fs = std::filesystem;
  const fs::path root = ROADTUNE_SOURCE_DIR;
  std::vector<SourceFile> files;
  for (const auto& top : tops) {
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cpp" && extension != ".cu" && extension != ".cuh") continue;
      SourceFile file{fs::relative(entry.path(), root).generic_string(), {}};
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) file.lines.push_back(line);
      files.push_back(std::move(file));
    }
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

namespace {

bool opensFunction(const std::string& line) {
  static const std::regex type(R"(\b(namespace|class|struct|enum|union|extern)\b)");
  static const std::regex list(R"((=|return|,|\()\s*\{$)");
  return line.size() > 1 && line.back() == '{' && line.find(')') != std::string::npos &&
         !std::regex_search(line, type) && !std::regex_search(line, list);
}

std::size_t indentOf(const std::string& line) { return std::min(line.find_first_not_of(' '), line.size()); }

}  // namespace

std::vector<FunctionSize> functionsOf(const SourceFile& file) {
  std::vector<FunctionSize> functions;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    if (!opensFunction(file.lines[i])) continue;
    std::size_t first = i;
    std::size_t indent = indentOf(file.lines[first]);
    // A signature over several lines: its first line has the indent of the closing brace.
    while (first > 0 && indent > 2 && indentOf(file.lines[first - 1]) < indent && !file.lines[first - 1].empty())
      indent = indentOf(file.lines[--first]);
    const std::string closing = std::string(indent, ' ') + "}";
    for (std::size_t j = i + 1; j < file.lines.size(); ++j) {
      if (!file.lines[j].starts_with(closing)) continue;
      if (indent <= 2)
        functions.push_back({file.path + ":" + std::to_string(first + 1), static_cast<int>(j - first + 1)});
      break;
    }
  }
  return functions;
}

}  // namespace roadtune::arch
