// SPDX-License-Identifier: GPL-3.0-or-later
// A setting that is offered does something: outside of the schema somebody asks for it by its name.
#include "tests/arch/source_tree.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace roadtune::arch {
namespace {

bool describesSettings(const std::string& path) {
  static const std::regex pattern(R"(^(core/config/(schema|foreign|import|python|entries)|widgets/))");
  return std::regex_search(path, pattern);
}

std::set<std::string> named(const SourceFile& file, const std::regex& pattern) {
  std::set<std::string> names;
  for (const auto& line : file.lines)
    for (std::sregex_iterator match(line.begin(), line.end(), pattern), end; match != end; ++match)
      names.insert((*match)[1]);
  return names;
}

TEST(Settings, AreReadBySomebody) {
  static const std::regex offered(R"re(Make\("([a-z0-9_]+)")re"), word(R"re("([a-z0-9_]+)")re");
  const std::set<std::string> kOneChoice = {"resize"};
  std::set<std::string> fields, read;
  for (const auto& file : sourcesBelow({"core", "remote", "app"})) {
    if (file.path.starts_with("core/config/schema")) fields.merge(named(file, offered));
    if (!describesSettings(file.path)) read.merge(named(file, word));
  }
  EXPECT_GT(fields.size(), 150u);
  for (const auto& field : fields)
    if (!kOneChoice.contains(field))
      EXPECT_TRUE(read.contains(field)) << field << " is offered, and nobody asks for it";
}

}  // namespace
}  // namespace roadtune::arch
