// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"

#include "core/base/exit_code.h"
#include "core/base/progress.h"

#include <gtest/gtest.h>

#include <memory>
#include <type_traits>

namespace roadtune {
namespace {

Result<int> half(int value) {
  if (value % 2 != 0) return badInput("is odd", "value", "an even number");
  return value / 2;
}

Result<int> quarter(int value) {
  ROADTUNE_TRY(const int first, half(value));
  ROADTUNE_TRY(const int second, half(first));
  return second;
}

Status mustBeEven(int value) {
  ROADTUNE_CHECK(half(value).ok() ? Status{} : Status{half(value).error()});
  return {};
}

TEST(Result, TryHandsOnTheErrorOrTheValue) {
  EXPECT_EQ(quarter(8).value(), 2);
  EXPECT_FALSE(quarter(6).ok());
  EXPECT_EQ(quarter(6).error().text(), "value: is odd (try: an even number)");
  EXPECT_TRUE(mustBeEven(2).ok());
  EXPECT_FALSE(mustBeEven(3).ok());
}

TEST(Result, CannotBeTestedByAccident) { EXPECT_FALSE((std::is_convertible_v<Result<int>, bool>)); }

TEST(Result, HoldsWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
  std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 3);
}

TEST(ResultDeath, AskingForAMissingValueEndsTheProgram) {
  const Result<int> result = failed("no");
  EXPECT_DEATH((void)result.value(), "");
}

TEST(ExitCodes, FollowTheKindOfError) {
  EXPECT_EQ(exitCode(ErrorKind::Failed), 1);
  EXPECT_EQ(exitCode(ErrorKind::BadInput), 2);
  EXPECT_EQ(exitCode(ErrorKind::Missing), 3);
  EXPECT_EQ(exitCode(ErrorKind::Cancelled), 130);
}

TEST(Progress, StylesAreParsedAndUnknownOnesRefused) {
  EXPECT_EQ(parseProgressStyle("json").value(), ProgressStyle::Json);
  EXPECT_EQ(parseProgressStyle("none").value(), ProgressStyle::None);
  EXPECT_FALSE(parseProgressStyle("fancy").ok());
}

TEST(Progress, ReportsStopWhenAsked) {
  bool stop = false;
  const auto sink = makeProgressSink(ProgressStyle::None, [&] { return stop; });
  EXPECT_TRUE(sink->report({"work", 1, 10}));
  stop = true;
  EXPECT_FALSE(sink->report({"work", 2, 10}));
}

TEST(Progress, JsonLinesGoToStandardError) {
  ::testing::internal::CaptureStderr();
  makeProgressSink(ProgressStyle::Json)->report({"indexing", 10, 10, "images", "a \"b\""});
  const std::string line = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(line.find(R"("stage":"indexing","done":10,"total":10,"unit":"images")"), std::string::npos) << line;
  EXPECT_NE(line.find(R"("detail":"a \"b\"")"), std::string::npos) << line;
  EXPECT_EQ(line.back(), '\n');
}

}  // namespace
}  // namespace roadtune
