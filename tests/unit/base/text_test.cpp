// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include <gtest/gtest.h>

namespace roadtune {
namespace {

TEST(Text, NearestWordFindsTypos) {
  const std::vector<std::string> known = {"learning_rate", "lr_scheduler_type", "max_steps", "r"};
  EXPECT_EQ(nearestWord("learning_rat", known), "learning_rate");
  EXPECT_EQ(nearestWord("max_stesp", known), "max_steps");
  EXPECT_EQ(nearestWord("Learning_Rate", known), "learning_rate");
  EXPECT_EQ(nearestWord("zebra", known), "");
}

TEST(Text, NearestWordFindsAPartOfALongerName) {
  EXPECT_EQ(nearestWord("scheduler", {"learning_rate", "lr_scheduler_type"}), "lr_scheduler_type");
}

TEST(Text, EditDistanceCountsASwapAsOne) {
  EXPECT_EQ(editDistance("abcd", "abdc"), 1u);
  EXPECT_EQ(editDistance("", "abc"), 3u);
  EXPECT_EQ(editDistance("kitten", "sitting"), 3u);
}

TEST(Text, KnowsWellFormedUtf8) {
  EXPECT_TRUE(isValidUtf8(""));
  EXPECT_TRUE(isValidUtf8("plain words that are longer than eight bytes"));
  EXPECT_TRUE(isValidUtf8("Größe 15 µm, 20 °C, and more ASCII behind it"));
  EXPECT_FALSE(isValidUtf8("12345678\xCC\xCC tail"));
  EXPECT_FALSE(isValidUtf8("cut off \xC3"));
}

TEST(Text, SplitKeepsEmptyParts) {
  EXPECT_EQ(split("a,,b,", ','), (std::vector<std::string>{"a", "", "b", ""}));
  EXPECT_EQ(split("", ','), (std::vector<std::string>{""}));
}

TEST(Text, TrimAndJoin) {
  EXPECT_EQ(trim("  a b\t\n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
  EXPECT_EQ(join({"a", "b", "b"}, ", "), "a, b, b");
}

TEST(Text, BrokenUtf8BecomesReplacementCharacters) {
  EXPECT_EQ(toValidUtf8("gr\xc3\xbc\xc3\x9f"), "gr\xc3\xbc\xc3\x9f");
  EXPECT_EQ(toValidUtf8("a\xff"
                        "b"),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(toValidUtf8("\xe2\x82"), "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(toValidUtf8("\xed\xa0\x80").find("\xed\xa0"), std::string::npos) << "surrogates are not characters";
}

}  // namespace
}  // namespace roadtune
