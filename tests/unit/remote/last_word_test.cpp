// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/last_word.h"

#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <string>

namespace roadtune::remote {
namespace {

TEST(LastWord, OfAnEarlierLifeIsNone) {
  const testing::TempFolder folder;
  const std::string before =
      R"({"v":1,"seq":1,"t":1,"mono":1,"rank":0,"step":3,"kind":"bye","reason":"failed","message":"a"})"
      "\n";
  const auto file = folder.write("rank-000.jsonl", before);
  ASSERT_TRUE(lastWord(file).has_value());
  EXPECT_EQ(lastWord(file)->message, "a");
  EXPECT_FALSE(lastWord(file, before.size()).has_value()) << "said before this start";
  const std::string now =
      R"({"v":1,"seq":2,"t":2,"mono":2,"rank":0,"step":3,"kind":"bye","reason":"stopped","message":"b"})"
      "\n";
  folder.write("rank-000.jsonl", before + now);
  ASSERT_TRUE(lastWord(file, before.size()).has_value());
  EXPECT_EQ(lastWord(file, before.size())->reason, "stopped");
}

}  // namespace
}  // namespace roadtune::remote
