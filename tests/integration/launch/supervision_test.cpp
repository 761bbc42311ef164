// SPDX-License-Identifier: GPL-3.0-or-later
// What an agent notices and does by itself: stalls, stragglers, causes, restarts.
#include "core/protocol/manifest.h"
#include "tests/integration/launch/launched_run.h"

#include <gmock/gmock.h>

#include <csignal>

namespace roadtune::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Supervised : public LaunchedRun {
 protected:
  std::string warnings() const {
    std::string all;
    for (const auto& event : nodeEvents())
      if (event.kind == "warning") all += event.body["message"].get<std::string>() + "\n";
    return all;
  }
};

TEST_F(Supervised, AStoppedProcessIsNamedWhileTheRunStandsAndTheRunGoesOnAfterIt) {
  variable("ROADTUNE_AGENT_OPTIONS", "--sample-interval 0.1 --stall-minimum 0.8 --stall-factor 5");
  rank("steps=100000");
  ASSERT_EQ(roadtune({"train", config(), "--nproc-per-node", "2", "--detach"}).exitCode, 0);
  ASSERT_TRUE(reachesStep(5, 1));
  const auto pid = static_cast<pid_t>(last(rankEvents(1), "hello")->body["pid"].get<int>());
  ::kill(pid, SIGSTOP);
  EXPECT_TRUE(eventually([this] { return !warnings().empty(); }));
  EXPECT_THAT(warnings(), HasSubstr("rank 1 has not got on"));
  EXPECT_THAT(warnings(), HasSubstr("stopped by a signal"));
  ::kill(pid, SIGCONT);
  EXPECT_TRUE(eventually([this] { return warnings().find("goes on after") != std::string::npos; }));
  EXPECT_EQ(roadtune({"stop", run().string(), "--now"}).exitCode, 0);
}

TEST_F(Supervised, AStalledRunEndsAsFailedWhenTheConfigurationSaysSo) {
  variable("ROADTUNE_AGENT_OPTIONS", "--sample-interval 0.1 --stall-minimum 0.8 --kill-grace 0.3");
  setting("on_stall: stop");
  rank("steps=100000 only=1 stall=8");
  const auto result = roadtune({"train", config(), "--nproc-per-node", "2"});
  EXPECT_EQ(result.exitCode, 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr("rank 1 has not got on"));
  EXPECT_TRUE(isGone());
}

TEST_F(Supervised, WhatAnEarlierAttemptToldIsNoNewsAfterAResume) {
  variable("ROADTUNE_AGENT_OPTIONS", "--sample-interval 0.1");
  setting("max_restarts: 1");
  rank("steps=100000 step_ms=5 save_every=5 once=20");
  ASSERT_EQ(roadtune({"train", config(), "--detach"}).exitCode, 0);
  ASSERT_TRUE(eventually([this] { return warnings().find("started again from") != std::string::npos; }));
  ASSERT_EQ(roadtune({"stop", run().string()}).exitCode, 0);
  const auto step = rankEvents().back().step;
  rank("steps=" + std::to_string(step + 20));
  const auto resumed = roadtune({"resume", run().string()});
  EXPECT_EQ(resumed.exitCode, 0) << resumed.err;
  EXPECT_THAT(resumed.err, Not(HasSubstr("started again from")));
  EXPECT_THAT(roadtune({"attach", run().string()}).err, HasSubstr("started again from")) << "from its first step";
}

TEST_F(Supervised, ASlowRankIsNamedOnce) {
  variable("ROADTUNE_AGENT_OPTIONS", "--sample-interval 0.1");
  rank("steps=60 step_ms=10 only=1 slow=20");
  ASSERT_EQ(roadtune({"train", config(), "--nproc-per-node", "2"}).exitCode, 0);
  EXPECT_THAT(warnings(), HasSubstr("rank 1 computes"));
  EXPECT_EQ(warnings().find("rank 1 computes"), warnings().rfind("rank 1 computes"));
}

TEST_F(Supervised, AKnownCauseComesWithTheSettingToChange) {
  rank("steps=40 only=1 exit=5:1 say=CUDA_out_of_memory._Tried_to_allocate_2_GiB");
  const auto result = roadtune({"train", config(), "--nproc-per-node", "2"});
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.err, HasSubstr("rank 1 failed first"));
  EXPECT_THAT(result.err, HasSubstr("The card ran out of memory"));
  EXPECT_THAT(result.err, HasSubstr("what to do: gradient_checkpointing"));
}

TEST_F(Supervised, TheRankThatOnlyLostItsNeighbourIsNotTheCause) {
  rank(
      "steps=40 only=0 exit=5:1 say=Connection_closed_by_peer_[10.0.0.2] only=1 steps=40 step_ms=25 exit=5:1 "
      "say=No_space_left_on_device");
  const auto result = roadtune({"train", config(), "--nproc-per-node", "2"});
  EXPECT_EQ(result.exitCode, 1);
  if (last(nodeEvents(), "bye")->body["message"].get<std::string>().find("rank 1") != std::string::npos)
    EXPECT_THAT(result.err, HasSubstr("The disk is full"));
}

TEST_F(Supervised, AKilledRankIsStartedAgainFromTheLastCheckpointWhenAllowed) {
  setting("max_restarts: 2");
  rank("steps=40 step_ms=5 save_every=10 once=27");
  const auto result = roadtune({"train", config()});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_THAT(warnings(), HasSubstr("killed by SIGKILL"));
  EXPECT_THAT(warnings(), HasSubstr("started again from checkpoint-20 (1 of 2 restarts), 7 steps are repeated"));
  EXPECT_EQ(last(nodeEvents(), "bye")->body["reason"], "finished");
  EXPECT_EQ(rankEvents().back().step, 40);
}

TEST_F(Supervised, ByDefaultNothingIsStartedAgain) {
  rank("steps=40 step_ms=5 save_every=10 once=27");
  EXPECT_EQ(roadtune({"train", config()}).exitCode, 1);
  EXPECT_THAT(warnings(), Not(HasSubstr("started again")));
}

TEST_F(Supervised, WhatFailsTheSameWayTwiceIsNotTriedForEver) {
  setting("max_restarts: 5");
  rank("steps=40 step_ms=5 save_every=10 kill=27");
  EXPECT_EQ(roadtune({"train", config()}).exitCode, 1);
  EXPECT_THAT(warnings(), HasSubstr("step 27 again"));
}

TEST_F(Supervised, WhatCannotPassIsNotStartedAgain) {
  setting("max_restarts: 5");
  rank("steps=40 step_ms=5 save_every=10 exit=27:1 say=No_space_left_on_device");
  const auto result = roadtune({"train", config()});
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(warnings(), Not(HasSubstr("started again")));
  EXPECT_THAT(result.err, HasSubstr("The disk is full"));
}

TEST_F(Supervised, AForeignCheckpointAndRestartsExcludeEachOther) {
  folder().write("other/checkpoint-5/COMPLETE", "");
  setting("max_restarts: 1\nresume_from_checkpoint: other/checkpoint-5");
  const auto result = roadtune({"train", config()});
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_THAT(result.err, HasSubstr("max_restarts"));
}

}  // namespace
}  // namespace roadtune::testing
