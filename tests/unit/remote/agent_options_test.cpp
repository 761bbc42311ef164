// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/agent_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roadtune::remote {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

TEST(AgentOptions, DerivesRanksFromNodes) {
  const auto options = parseAgentOptions({"--run", "/r", "--node", "1", "--nnodes", "2", "--nproc-per-node", "4"});
  ASSERT_TRUE(options.ok()) << options.error().text();
  EXPECT_EQ(options.value().plan.firstRank, 4);
  EXPECT_EQ(options.value().plan.worldSize, 8);
  EXPECT_FALSE(options.value().portGiven);
}

TEST(AgentOptions, RanksWithoutAgentHaveAsLongToSaveAsThoseThatAreAsked) {
  const AgentOptions options;
  EXPECT_EQ(options.orphanGrace, options.stopGrace);
  EXPECT_THAT(agentHelp(), HasSubstr("whose agent was killed            (900)"));
}

TEST(AgentOptions, MachinesMayDifferInRanks) {
  const auto options = parseAgentOptions(
      {"--run", "/r", "--node", "1", "--nproc-per-node", "2", "--first-rank", "4", "--world-size", "6"});
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options.value().plan.firstRank, 4);
  EXPECT_EQ(options.value().plan.worldSize, 6);
}

TEST(AgentOptions, ReplacesTheTrainerAndPassesTheRestOn) {
  const auto options = parseAgentOptions({"--run", "/r", "--trainer", "/bin/x", "--env", "A=b=c", "--", "--node", "z"});
  ASSERT_TRUE(options.ok());
  EXPECT_THAT(options.value().command, ElementsAre("/bin/x", "--run", "/r"));
  EXPECT_THAT(options.value().forRanks, ElementsAre("--node", "z"));
  EXPECT_THAT(options.value().environment, ElementsAre(Pair("A", "b=c")));
}

TEST(AgentOptions, VariablesAreReadAsTheyWereWritten) {
  const Variables variables{{"EMPTY", ""}, {"KEY", "s e\"c'r$e\nt=1"}};
  const auto read = readVariables(variablesText(variables));
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_EQ(read.value(), variables);
  EXPECT_TRUE(parseAgentOptions({"--run", "/r", "--env-stdin"}).value().readsEnvironment);
  for (const char* text : {"", "[]", R"({"A": 1})", R"({"": "x"})"}) EXPECT_FALSE(readVariables(text).ok()) << text;
}

TEST(AgentOptions, RefusesWhatMakesNoSense) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{}, "--run"},
      {{"--run"}, "needs a value"},
      {{"--run", "/r", "--nproc-per-node", "0"}, "at least 1"},
      {{"--run", "/r", "--nproc-per-node", "2x"}, "2x"},
      {{"--run", "/r", "--stop-grace", "-1"}, "seconds"},
      {{"--run", "/r", "--first-rank", "1", "--world-size", "1"}, "do not fit"},
      {{"--run", "/r", "--env", "NOVALUE"}, "NAME=VALUE"},
      {{"--run", "/r", "--bogus", "1"}, "--bogus"},
  };
  for (const auto& [arguments, word] : cases) {
    const auto options = parseAgentOptions(arguments);
    ASSERT_FALSE(options.ok()) << word;
    EXPECT_EQ(options.error().kind, ErrorKind::BadInput);
    EXPECT_THAT(options.error().text(), HasSubstr(word));
  }
}

}  // namespace
}  // namespace roadtune::remote
