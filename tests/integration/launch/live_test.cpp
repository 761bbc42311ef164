// SPDX-License-Identifier: GPL-3.0-or-later
// pause, continue, set: a run changes while it goes on, and remembers.
#include "tests/integration/launch/launched_run.h"

#include <gmock/gmock.h>

namespace roadtune::testing {
namespace {

using ::testing::HasSubstr;

class Live : public LaunchedRun {
 protected:
  void begin(const std::string& words) {
    rank(words);
    ASSERT_EQ(roadtune({"train", config(), "--detach"}).exitCode, 0);
    ASSERT_TRUE(reachesStep(3));
  }
};

TEST_F(Live, PauseHoldsTheRunAndContinueLetsItGoOn) {
  begin("steps=100000 step_ms=5");
  const auto paused = roadtune({"pause", run().string()});
  EXPECT_EQ(paused.exitCode, 0) << paused.err;
  EXPECT_THAT(paused.out, HasSubstr("paused at step"));
  const auto step = rankEvents().back().step;
  ::usleep(200'000);
  EXPECT_EQ(rankEvents().back().step, step);
  EXPECT_THAT(roadtune({"pause", run().string()}).err, HasSubstr("paused already"));
  const auto listed = roadtune({"runs", "ls", run().string()}).out;
  EXPECT_THAT(listed, HasSubstr("\npaused "));
  EXPECT_EQ(listed.find("samples/s"), std::string::npos) << listed;
  const auto goesOn = roadtune({"continue", run().string()});
  EXPECT_EQ(goesOn.exitCode, 0) << goesOn.err;
  EXPECT_TRUE(reachesStep(step + 5));
  EXPECT_THAT(roadtune({"continue", run().string()}).err, HasSubstr("not paused"));
  EXPECT_EQ(roadtune({"stop", run().string(), "--now"}).exitCode, 0);
}

TEST_F(Live, SettingsChangeWhileTheRunGoesOnAndStayAfterAResume) {
  begin("steps=400 step_ms=5");
  const auto result = roadtune({"set", run().string(), "learning_rate=1e-5", "max_grad_norm=0.5", "save_steps=50"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("learning_rate=1e-05"));
  EXPECT_THAT(result.out, HasSubstr("max_grad_norm=0.5"));
  ASSERT_EQ(roadtune({"stop", run().string()}).exitCode, 0);
  const auto resumed = roadtune({"resume", run().string()});
  EXPECT_EQ(resumed.exitCode, 0) << resumed.err;
  EXPECT_THAT(resumed.err, HasSubstr("learning_rate=1e-05, set while the run went on, stays"));
  const std::string yaml = readAll(layout().config());
  EXPECT_THAT(yaml, HasSubstr("max_grad_norm: 0.5"));
  EXPECT_THAT(yaml, HasSubstr("save_steps: 50"));
}

TEST_F(Live, ARateSetAfterTheCheckpointIsSetAgain) {
  begin("steps=100000 step_ms=5");
  ASSERT_EQ(roadtune({"save", run().string()}).exitCode, 0);
  ASSERT_EQ(roadtune({"set", run().string(), "learning_rate=1e-5"}).exitCode, 0);
  ASSERT_EQ(roadtune({"stop", run().string(), "--now"}).exitCode, 0);
  const auto resumed = roadtune({"resume", run().string(), "--detach"});
  EXPECT_EQ(resumed.exitCode, 0) << resumed.err;
  EXPECT_THAT(resumed.err, HasSubstr("set again"));
  EXPECT_THAT(resumed.err, HasSubstr("repeated"));
  EXPECT_TRUE(eventually([this] {
    int edits = 0;
    for (const auto& event : rankEvents()) edits += event.kind == "edit" ? 1 : 0;
    return edits == 2;
  }));
  EXPECT_EQ(roadtune({"stop", run().string(), "--now"}).exitCode, 0);
}

TEST_F(Live, WhatCannotBeChangedIsRefusedWithASuggestion) {
  begin("steps=100000 step_ms=5");
  const auto wrong = roadtune({"set", run().string(), "learning_rte=1"});
  EXPECT_EQ(wrong.exitCode, 2);
  EXPECT_THAT(wrong.err, HasSubstr("learning_rate"));
  EXPECT_EQ(roadtune({"set", run().string(), "learning_rate=fast"}).exitCode, 2);
  EXPECT_EQ(roadtune({"set", run().string(), "learning_rate"}).exitCode, 2);
  EXPECT_EQ(roadtune({"stop", run().string(), "--now"}).exitCode, 0);
  EXPECT_EQ(roadtune({"set", run().string(), "learning_rate=1"}).exitCode, 1);
  EXPECT_EQ(roadtune({"pause", run().string()}).exitCode, 1);
}

}  // namespace
}  // namespace roadtune::testing
