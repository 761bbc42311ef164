// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/log_tail.h"

#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roadtune::remote {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(LogTail, KeepsTheLastLinesInOrder) {
  const testing::TempFolder folder;
  const auto log = folder.write("a.log", "one\n\ntwo\nthree\n");
  EXPECT_THAT(lastLines(log, 2), ElementsAre("two", "three"));
  EXPECT_THAT(lastLines(log, 9), ElementsAre("one", "two", "three"));
}

TEST(LogTail, ALineWithoutNewlineCounts) {
  const testing::TempFolder folder;
  EXPECT_THAT(lastLines(folder.write("a.log", "one\nhalf"), 5), ElementsAre("one", "half"));
}

TEST(LogTail, DropsColoursAndKeepsTheLastStateOfAProgressBar) {
  const testing::TempFolder folder;
  const auto log = folder.write("a.log", "\033[31mred\033[0m\n10%\r50%\r100%\r\n");
  EXPECT_THAT(lastLines(log, 5), ElementsAre("red", "100%"));
}

TEST(LogTail, ALongLogIsReadFromItsEndOnly) {
  const testing::TempFolder folder;
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "line " + std::to_string(i) + "\n";
  EXPECT_THAT(lastLines(folder.write("a.log", text), 1), ElementsAre("line 99999"));
}

TEST(LogTail, BrokenBytesAndEndlessLinesAreMadeShowable) {
  const testing::TempFolder folder;
  const auto lines = lastLines(folder.write("a.log", std::string(5000, 'x') + "\n\xff\xfe!\n"), 5);
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_LT(lines[0].size(), 400U);
  EXPECT_EQ(lines[1], "\xEF\xBF\xBD\xEF\xBF\xBD!");
}

TEST(LogTail, NoFileIsNoLines) { EXPECT_THAT(lastLines("/nowhere/a.log", 3), IsEmpty()); }

}  // namespace
}  // namespace roadtune::remote
