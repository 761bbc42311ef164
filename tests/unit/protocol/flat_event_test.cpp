// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/flat_event.h"

#include "core/base/random.h"
#include "core/protocol/json_scan.h"

#include <gtest/gtest.h>

#include <cmath>

namespace roadtune::protocol {
namespace {

TEST(FlatEvent, ReadsEnvelopeAndNumbersWithoutATree) {
  FlatEvent event;
  const std::string line =
      R"({"v":1,"seq":9,"t":2.5,"mono":1,"rank":3,"step":7,"kind":"step","loss":"nan","n":12345678901234567,"on":true})";
  ASSERT_TRUE(event.parse(line).ok());
  EXPECT_EQ(event.seq, 9u);
  EXPECT_EQ(event.rank, 3);
  EXPECT_EQ(event.step, 7);
  EXPECT_EQ(event.kind, "step");
  EXPECT_TRUE(std::isnan(event.members.numberOr("loss", 0)));
  EXPECT_EQ(event.members.integerOr("n", 0), 12345678901234567);
  EXPECT_EQ(event.members.numberOr("absent", 4), 4);
}

TEST(FlatEvent, UnescapesTextsWhenAsked) {
  FlatObject object;
  ASSERT_TRUE(object.parse(R"({"m":"a\n\"b\" \u00fc"})"));
  EXPECT_EQ(object.textOr("m"), "a\n\"b\" \xC3\xBC");
}

TEST(FlatEvent, OpensNestedObjectsAndLists) {
  FlatObject object;
  ASSERT_TRUE(object.parse(R"({"gpus":[{"index":0},7,{"index":1}],"why":["hot","x\ty",3],"empty":[]})"));
  const auto gpus = objectsOf(object.find("gpus")->raw);
  ASSERT_EQ(gpus.size(), 2u);
  EXPECT_EQ(gpus[1], R"({"index":1})");
  EXPECT_EQ(textsOf(object.find("why")->raw), (std::vector<std::string>{"hot", "x\ty"}));
  EXPECT_TRUE(objectsOf(object.find("empty")->raw).empty());
}

TEST(FlatEvent, AcceptsExactlyWhatTheTreeParserAccepts) {
  for (const char* line : {R"({})",
                           R"({"a":1})",
                           R"({"a":01})",
                           R"({"a":1.})",
                           R"({"a":-})",
                           R"({"a":1e5})",
                           R"({"a":1e})",
                           R"({"a":tru})",
                           R"({"a":nul})",
                           R"({"a":"\u12g4"})",
                           R"({"a":"\x"})",
                           R"({"a":[1,]})",
                           R"({"a":{"b":[{}]}})",
                           R"({"a":1,})",
                           R"({"a":1} x)",
                           R"( { "a" : [ 1 , 2 ] } )",
                           R"({"a" 1})",
                           R"({a:1})",
                           R"([1])",
                           R"({"a":"b)",
                           "{\"a\":\"\t\"}",
                           R"({"a":.5})"}) {
    FlatObject object;
    const auto tree = nlohmann::json::parse(line, nullptr, false);
    EXPECT_EQ(object.parse(line), tree.is_object()) << line;
  }
}

TEST(FlatEvent, AgreesWithTheTreeParserOnOddLines) {
  const std::string start = R"({"v":1,"seq":1,"t":1,"mono":1,"rank":0,"step":0,"kind":"metric")";
  FlatEvent event;
  EXPECT_FALSE(event.parse(start + ",\"a\xCC\xCC\":1}").ok()) << "no UTF-8";
  EXPECT_FALSE(decode(start + ",\"a\xCC\xCC\":1}").ok());
  const std::string twice = start + R"(,"seq":7})";
  ASSERT_TRUE(event.parse(twice).ok());
  EXPECT_EQ(event.seq, decode(twice).value().seq);
  const std::string escaped = R"({"v":1,"seq":1,"kind":"st\u0065p\n"})";
  ASSERT_TRUE(event.parse(escaped).ok());
  EXPECT_EQ(event.kind, "step\n");
  EXPECT_EQ(event.kind, decode(escaped).value().kind);
  for (const char* value : {"5e625", "-1e400", "[1,{\"b\":1e999}]", "\"\\ud800\"", "\"\\udc00 x\"", "\"\\ud83dx\""}) {
    EXPECT_FALSE(event.parse(start + ",\"a\":" + value + "}").ok()) << value;
    EXPECT_FALSE(decode(start + ",\"a\":" + value + "}").ok()) << value;
  }
  for (const char* value : {"1e-999", "5e300", "\"\\ud83d\\ude00\"", "\"\\u00e4\""}) {
    EXPECT_TRUE(event.parse(start + ",\"a\":" + value + "}").ok()) << value;
    EXPECT_TRUE(decode(start + ",\"a\":" + value + "}").ok()) << value;
  }
}

TEST(FlatEvent, SurvivesDamagedLines) {
  const std::string line = R"({"v":1,"seq":9,"t":2.5,"kind":"step","anatomy":{"wait":0.1},"l":[1,"x"],"loss":-1.5e-3})";
  Random random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string damaged = line;
    for (int i = 0; i < 3; ++i) damaged[random.below(damaged.size())] = static_cast<char>(random.below(128));
    damaged.resize(random.below(damaged.size() + 1));
    FlatObject object;
    const auto tree = nlohmann::json::parse(damaged, nullptr, false);
    ASSERT_EQ(object.parse(damaged), tree.is_object()) << damaged;
  }
}

TEST(FlatEvent, RefusesNestingThatCouldExhaustTheStack) {
  const std::string deep = R"({"a":)" + std::string(100000, '[') + std::string(100000, ']') + "}";
  FlatObject object;
  EXPECT_FALSE(object.parse(deep));
}

}  // namespace
}  // namespace roadtune::protocol
