// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/scalars.h"

#include "core/config/value.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace roadtune::config {
namespace {

TEST(Scalars, ReadNumbersAsPeopleWriteThem) {
  EXPECT_EQ(parseNumber("1e-5"), 1e-5);  // a text to readers of YAML 1.1
  EXPECT_EQ(parseNumber("2.0e-5"), 2e-5);
  EXPECT_EQ(parseNumber("1E5"), 1e5);
  EXPECT_EQ(parseNumber(".5"), 0.5);
  EXPECT_EQ(parseNumber("5."), 5.0);
  EXPECT_EQ(parseNumber("+3"), 3.0);
  EXPECT_EQ(parseNumber("1_000.5"), 1000.5);
  EXPECT_EQ(parseNumber(" 7 "), 7.0);
}

TEST(Scalars, RefuseWhatIsNoNumber) {
  for (const char* text : {"", "-", "+", "many", "1e", "1e5x", "10M", "_1", "1_", "1__0", "nan", "inf", ".inf", "1e999",
                           "0x10", "--1", "+-1", "1,5", "e5"})
    EXPECT_FALSE(parseNumber(text)) << text;
}

TEST(Scalars, ReadWholeNumbers) {
  EXPECT_EQ(parseInteger("1_000"), 1000);
  EXPECT_EQ(parseInteger("-1"), -1);
  EXPECT_EQ(parseInteger("1e3"), 1000);
  EXPECT_EQ(parseInteger("16.0"), 16);
  EXPECT_EQ(parseInteger("9007199254740993"), 9007199254740993);
  EXPECT_FALSE(parseInteger("2.5"));
  EXPECT_FALSE(parseInteger("99999999999999999999"));
  EXPECT_FALSE(parseInteger("ten"));
}

TEST(Scalars, ReadFlagsInEverySpelling) {
  for (const char* text : {"true", "True", "YES", "on", "y", "1"}) EXPECT_EQ(parseFlag(text), true) << text;
  for (const char* text : {"false", "False", "no", "OFF", "n", "0"}) EXPECT_EQ(parseFlag(text), false) << text;
  EXPECT_FALSE(parseFlag("maybe"));
  EXPECT_FALSE(parseFlag("2"));
}

TEST(Scalars, FillInVariables) {
  ::setenv("ROADTUNE_TEST_ROOT", "/data", 1);
  ::unsetenv("ROADTUNE_TEST_NONE");
  EXPECT_EQ(substituteEnvironment("${ROADTUNE_TEST_ROOT}/x").value(), "/data/x");
  EXPECT_EQ(substituteEnvironment("${ROADTUNE_TEST_NONE:-/tmp}/x").value(), "/tmp/x");
  EXPECT_EQ(substituteEnvironment("$${ROADTUNE_TEST_ROOT}").value(), "${ROADTUNE_TEST_ROOT}");
  EXPECT_EQ(substituteEnvironment("$5 and ${open").value(), "$5 and ${open");
  const auto missing = substituteEnvironment("${ROADTUNE_TEST_NONE}");
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().what.find("ROADTUNE_TEST_NONE"), std::string::npos);
}

TEST(Values, ArePrintedAsYamlThatReadsBack) {
  EXPECT_EQ(toYaml(2e-5), "2.0e-05");
  EXPECT_EQ(toYaml(3.0), "3");
  EXPECT_EQ(toYaml(0.25), "0.25");
  EXPECT_EQ(toYaml(Value("no")), "\"no\"");
  EXPECT_EQ(toYaml(Value("12")), "\"12\"");
  EXPECT_EQ(toYaml(Value("1e5")), "\"1e5\"");
  EXPECT_EQ(toYaml(Value("2026-01-01")), "\"2026-01-01\"");
  EXPECT_EQ(toYaml(Value("a b")), "a b");
  EXPECT_EQ(toYaml(Value("a: b")), "\"a: b\"");
  EXPECT_EQ(toYaml(Value("")), "\"\"");
  EXPECT_EQ(toYaml(Value("q\"uote\n")), "\"q\\\"uote\\n\"");
  EXPECT_EQ(toYaml(Value::texts({"q_proj", "x,y"})), "[q_proj, \"x,y\"]");
  EXPECT_EQ(toYaml(Value(Value::Map{{"a", 1}, {"b", Value()}})), "{a: 1, b: null}");
}

TEST(Values, ArePrintedAsJson) {
  EXPECT_EQ(toJson(Value(Value::Map{{"k", Value::texts({"a\"b"})}, {"n", 1.5}, {"f", true}})),
            "{\"k\":[\"a\\\"b\"],\"n\":1.5,\"f\":true}");
  EXPECT_EQ(toJson(Value(std::string("\x01", 1))), "\"\\u0001\"");
}

}  // namespace
}  // namespace roadtune::config
