// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/event.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace roadtune::protocol {
namespace {

Event step() {
  Event event;
  event.seq = 12;
  event.t = 1767225600.125;
  event.mono = 812.5;
  event.step = 40;
  event.kind = "step";
  return event;
}

TEST(Event, BeginsWithItsEnvelopeInOrderAndThenTheSortedBody) {
  Event event = step();
  event.body = {{"lr", 1e-5}, {"loss", 0.5}};
  EXPECT_EQ(
      encode(event),
      R"({"v":1,"seq":12,"t":1767225600.125000,"mono":812.500000,"rank":0,"step":40,"kind":"step","loss":0.5,"lr":1e-05})");
}

TEST(Event, ComesBackAsItWasWritten) {
  Event event = step();
  event.rank = 7;
  event.body = {{"loss", 0.123456789012345}, {"text", "a\n\"b\" ü"}, {"list", {1, 2}}};
  const auto back = decode(encode(event));
  ASSERT_TRUE(back.ok()) << back.error().text();
  EXPECT_EQ(back.value().seq, 12u);
  EXPECT_EQ(back.value().rank, 7);
  EXPECT_EQ(back.value().step, 40);
  EXPECT_EQ(back.value().kind, "step");
  EXPECT_EQ(back.value().body, event.body);
}

TEST(Event, KeepsNumbersThatAreNotFinite) {
  Event event = step();
  event.body = {{"loss", std::nan("")}, {"inner", {{"up", INFINITY}, {"list", {-INFINITY}}}}};
  const std::string line = encode(event);
  EXPECT_NE(line.find(R"("inner":{"list":["-inf"],"up":"inf"},"loss":"nan")"), std::string::npos) << line;
  const auto back = decode(line);
  ASSERT_TRUE(back.ok());
  EXPECT_TRUE(std::isnan(numberOr(back.value().body, "loss", 0)));
  EXPECT_EQ(numberOr(back.value().body["inner"], "up", 0), INFINITY);
}

TEST(Event, CutsTheLongestTextWhenALineWouldBeTooLong) {
  Event event = step();
  event.body = {{"message", std::string(100000, 'x')}, {"loss", 0.25}, {"short", "stays"}};
  const std::string line = encode(event);
  EXPECT_LT(line.size(), kMaxLineBytes);
  EXPECT_GT(line.size(), kMaxLineBytes / 4);
  const auto back = decode(line);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back.value().body["truncated"], true);
  EXPECT_EQ(back.value().body["loss"], 0.25);
  EXPECT_EQ(back.value().body["short"], "stays");
}

TEST(Event, CutsLongListsAndDropsWhatCannotBeCut) {
  Event event = step();
  event.body = {{"updated", nlohmann::json(std::vector<std::string>(5000, "layer"))}, {"loss", 1.0}};
  for (int i = 0; i < 3000; ++i) event.body["inner"]["key" + std::to_string(i)] = i;
  const auto back = decode(encode(event));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back.value().body["loss"], 1.0);
  EXPECT_FALSE(back.value().body.contains("inner"));
}

TEST(Event, RepairsBrokenText) {
  Event event = step();
  event.body = {{"message", "bad \xff byte"}};
  const auto back = decode(encode(event));
  ASSERT_TRUE(back.ok()) << back.error().text();
  EXPECT_EQ(textOr(back.value().body, "message"), "bad \xEF\xBF\xBD byte");
}

TEST(Event, RefusesALaterVersionWithAnAdvice) {
  const auto event = decode(R"({"v":2,"seq":0,"kind":"hello"})");
  ASSERT_FALSE(event.ok());
  EXPECT_EQ(event.error().kind, ErrorKind::Failed);
  EXPECT_NE(event.error().hint.find("newer version"), std::string::npos);
}

TEST(Event, RefusesWhatIsNoEvent) {
  for (const char* line : {"", "loss: 0.5", "[1]", "{}", R"({"v":1,"seq":0})", R"({"v":1,"kind":"step"})",
                           R"({"v":1,"seq":-1,"kind":"step"})", R"({"v":1,"seq":0,"kind":"step")"})
    EXPECT_FALSE(decode(line).ok()) << line;
}

TEST(Event, GivesNeutralValuesForWhatIsAbsent) {
  const auto event = decode(R"({"v":1,"seq":3,"kind":"later-kind","new":{"a":[1]}})");
  ASSERT_TRUE(event.ok());
  EXPECT_EQ(event.value().step, 0);
  EXPECT_EQ(numberOr(event.value().body, "loss", -1), -1);
  EXPECT_EQ(integerOr(event.value().body, "new", 5), 5);
  EXPECT_EQ(textOr(event.value().body, "none", "other"), "other");
}

}  // namespace
}  // namespace roadtune::protocol
