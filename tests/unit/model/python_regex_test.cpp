// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/python_regex.h"

#include "core/base/random.h"

#include <gtest/gtest.h>

namespace roadtune::model {
namespace {

struct Case {
  const char *pattern, *text;
  bool full, start;
};

TEST(PythonRegex, AnswersAsPythonDoes) {
  const Case cases[] = {
      {"abc", "abc", true, true},
      {"abc", "abcd", false, true},
      {"a|ab", "ab", true, true},
      {".*q_proj", "model.layers.0.q_proj", true, true},
      {".*", "a\nb", false, true},
      {"(?:q|k)_proj", "k_proj", true, true},
      {"(?P<name>a+)b(?P=name)", "aabaa", true, true},
      {"(a+)b\\1", "aabaaa", false, true},
      {"^(?!.*vision).*q_proj$", "text.q_proj", true, true},
      {"^(?!.*vision).*q_proj$", "vision.q_proj", false, false},
      {".*(?<!vision)_tower", "text_tower", true, true},
      {".*(?<!vision)_tower", "vision_tower", false, false},
      {"x(?<=x)y", "xy", true, true},
      {"layers\\.\\d{1,2}\\.", "layers.12.", true, true},
      {"layers\\.\\d{1,2}\\.", "layers.123.", false, false},
      {"a{,2}b", "aab", true, true},
      {"a{2,}", "a", false, false},
      {"a{x}", "a{x}", true, true},
      {"[^.]+\\.b", "aa.b", true, true},
      {"[]a]+", "]a", true, true},
      {"[a-c-]+", "b-", true, true},
      {"[\\w.]+", "a_1.b", true, true},
      {"\\bq\\b", "q", true, true},
      {"q\\B.", "qa", true, true},
      {"(?i)Q_PROJ", "q_proj", true, true},
      {"a.*?b", "axbxb", true, true},
      {"(a|b)*c", "ababc", true, true},
      {"(a*)*b", "aaab", true, true},
      {"()*x", "x", true, true},
      {"", "", true, true},
      {"", "a", false, true},
      {"a$", "a", true, true},
      {"\\Aa\\Z", "a", true, true},
      {"\\.", ".", true, true},
      {"\\s\\S", " a", true, true},
  };
  for (const Case& c : cases) {
    const auto regex = PythonRegex::compile(c.pattern);
    ASSERT_TRUE(regex.ok()) << c.pattern << ": " << regex.error().text();
    EXPECT_EQ(regex.value().fullMatch(c.text), c.full) << c.pattern << " on " << c.text;
    EXPECT_EQ(regex.value().match(c.text), c.start) << c.pattern << " on " << c.text;
  }
}

TEST(PythonRegex, RefusesBrokenPatterns) {
  for (const char* pattern : {"(", ")", "a)", "[a", "*a", "a**", "(?P<n", "(?P=no)", "(?x:a)", "\\", "\\q", "\\1",
                              "a{3,2}", "[b-a]", "(?", "a{1001}"})
    EXPECT_FALSE(PythonRegex::compile(pattern).ok()) << pattern;
  EXPECT_FALSE(PythonRegex::compile(std::string(5000, '(')).ok());
}

TEST(PythonRegex, GivesUpOnPatternsThatWouldNeverEnd) {
  const auto regex = PythonRegex::compile("(a+)+(a+)+(a+)+b").value();
  EXPECT_FALSE(regex.fullMatch(std::string(60, 'a')));
  EXPECT_FALSE(PythonRegex::compile("(a|b)*c").value().fullMatch(std::string(200000, 'a')));
}

TEST(PythonRegex, SurvivesRandomPatterns) {
  const std::string alphabet = "ab.*+?()[]{}|^$\\1,-dwsbB=!<P:>";
  Random random(3);
  int compiled = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string pattern;
    for (std::uint64_t n = random.below(12); n > 0; --n) pattern += alphabet[random.below(alphabet.size())];
    const auto regex = PythonRegex::compile(pattern);
    if (!regex.ok()) continue;
    ++compiled;
    regex.value().fullMatch("abab.a");
  }
  EXPECT_GT(compiled, 100);
}

}  // namespace
}  // namespace roadtune::model
