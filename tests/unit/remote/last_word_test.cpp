// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/last_word.h"

#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

namespace roadtune::remote {
namespace {

const std::string kStep = R"({"v":1,"seq":0,"t":1,"mono":1,"rank":0,"step":1,"kind":"step","loss":1})"
                          "\n";
const std::string kBye =
    R"({"v":1,"seq":1,"t":1,"mono":1,"rank":0,"step":1,"kind":"bye","message":"enough","reason":"stopped"})"
    "\n";

TEST(LastWord, IsTheReasonOfTheLastLine) {
  const testing::TempFolder folder;
  const auto word = lastWord(folder.write("a.jsonl", kStep + kBye));
  ASSERT_TRUE(word.has_value());
  EXPECT_EQ(word->reason, "stopped");
  EXPECT_EQ(word->message, "enough");
}

TEST(LastWord, ARankThatWasCutOffHasNone) {
  const testing::TempFolder folder;
  EXPECT_FALSE(lastWord(folder.write("a.jsonl", kBye + kStep)).has_value());  // resumed, then killed
  EXPECT_FALSE(lastWord(folder.write("b.jsonl", kStep + kBye.substr(0, 40))).has_value());
  EXPECT_FALSE(lastWord(folder.write("c.jsonl", "")).has_value());
  EXPECT_FALSE(lastWord(folder / "none.jsonl").has_value());
}

TEST(LastWord, IsFoundAtTheEndOfALongFile) {
  const testing::TempFolder folder;
  std::string text;
  for (int i = 0; i < 5000; ++i) text += kStep;
  EXPECT_TRUE(lastWord(folder.write("a.jsonl", text + kBye)).has_value());
}

}  // namespace
}  // namespace roadtune::remote
