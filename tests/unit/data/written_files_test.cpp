// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/export/written_files.h"

#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

namespace roadtune::data {
namespace {

TEST(WrittenFiles, FilesThatAnIndexWasMadeFromStay) {
  const testing::TempFolder folder;
  const auto source = folder.write("set/data.yaml", "names: [car]");
  auto files = WrittenFiles::open(folder / "set", {source}).value();
  EXPECT_TRUE(files->write(folder / "set/other.txt", "x").ok());
  const auto refused = files->write(folder / "set/./data.yaml", "x");
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().text().find("made from"), std::string::npos);
  EXPECT_EQ(testing::readAll(source), "names: [car]");
}

TEST(WrittenFiles, AFileTakesThePlaceOfAnotherWhole) {
  const testing::TempFolder folder;
  const auto first = folder.write("a.txt", "shared"), second = folder / "b.txt";
  std::filesystem::create_hard_link(first, second);
  ASSERT_TRUE(replaceFile(second, "own").ok());
  EXPECT_EQ(testing::readAll(first), "shared");
  EXPECT_EQ(testing::readAll(second), "own");
  EXPECT_FALSE(std::filesystem::exists(folder / "b.txt.partial"));
}

}  // namespace
}  // namespace roadtune::data
