// SPDX-License-Identifier: GPL-3.0-or-later
// The shape of single files: size, licence line, guards.
#include "tests/arch/source_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>

namespace roadtune::arch {
namespace {

constexpr int kFileLimit = 400;
constexpr int kFunctionLimit = 100;

// Files that may be longer, each with the reason.
const std::map<std::string, std::string> kLongFiles = {};

const std::vector<SourceFile>& tree() {
  static const auto files = sourcesBelow({"core", "remote", "widgets", "app", "tests"});
  return files;
}

TEST(Shape, LongFilesHaveAReason) {
  for (const auto& file : tree())
    if (static_cast<int>(file.lines.size()) > kFileLimit)
      EXPECT_TRUE(kLongFiles.contains(file.path))
          << file.path << " has " << file.lines.size() << " lines; split it or give a reason here";
}

TEST(Shape, FunctionsFitOnAScreenOrTwo) {
  for (const auto& file : tree())
    for (const auto& function : functionsOf(file)) EXPECT_LE(function.lines, kFunctionLimit) << function.place;
}

TEST(Shape, EveryFileNamesItsLicence) {
  for (const auto& file : tree()) {
    ASSERT_FALSE(file.lines.empty()) << file.path << " is empty";
    EXPECT_EQ(file.lines[0], "// SPDX-License-Identifier: GPL-3.0-or-later") << file.path;
  }
}

TEST(Shape, HeadersAreGuardedByPragmaOnce) {
  for (const auto& file : tree())
    if (file.path.ends_with(".h"))
      EXPECT_TRUE(std::find(file.lines.begin(), file.lines.end(), "#pragma once") != file.lines.end()) << file.path;
}

TEST(Shape, HeadersDoNotOpenNamespacesForOthers) {
  for (const auto& file : tree())
    if (file.path.ends_with(".h"))
      for (const auto& line : file.lines) EXPECT_FALSE(line.starts_with("using namespace ")) << file.path;
}

template <class Sizes>
int quantile(Sizes sizes, double at) {
  if (sizes.empty()) return 0;
  std::sort(sizes.begin(), sizes.end());
  return sizes[std::min(sizes.size() - 1, static_cast<std::size_t>(at * static_cast<double>(sizes.size())))];
}

// Not a verdict: the figures a reviewer wants to see drift.
TEST(Shape, Report) {
  std::vector<int> files, functions;
  std::vector<FunctionSize> longest;
  for (const auto& file : tree()) {
    files.push_back(static_cast<int>(file.lines.size()));
    for (const auto& function : functionsOf(file)) {
      functions.push_back(function.lines);
      longest.push_back(function);
    }
  }
  std::sort(longest.begin(), longest.end(), [](const auto& a, const auto& b) { return a.lines > b.lines; });
  std::printf("files: %zu, median %d lines, 90 %% under %d, longest %d\n", files.size(), quantile(files, 0.5),
              quantile(files, 0.9), quantile(files, 1.0));
  std::printf("functions: %zu, median %d lines, 99 %% under %d\n", functions.size(), quantile(functions, 0.5),
              quantile(functions, 0.99));
  for (std::size_t i = 0; i < std::min<std::size_t>(10, longest.size()); ++i)
    std::printf("  %4d  %s\n", longest[i].lines, longest[i].place.c_str());
  EXPECT_FALSE(files.empty());
}

}  // namespace
}  // namespace roadtune::arch
