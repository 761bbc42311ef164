// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/run_store.h"
#include "tests/unit/runs/fake_run.h"

#include <gtest/gtest.h>

namespace roadtune::runs {
namespace {

TEST(ElapsedTime, LeavesOutTheTimeBetweenTwoLives) {
  testing::TempFolder folder;
  {
    FakeRun first(folder / "r", 1767225600.0);
    first.hello();
    first.steps(1, 10, 1.0);
  }
  {
    FakeRun again(folder / "r", 1767225600.0 + 1000);
    again.hello(10, {{"pid", 2}});
    again.hello(10, {{"pid", 2}});  // once it knows its model
    again.steps(11, 20, 1.0);
  }
  auto store = RunStore::open(folder / "r");
  ASSERT_TRUE(store.ok() && store.value().refresh().ok());
  EXPECT_DOUBLE_EQ(store.value().progress().elapsedSeconds, 10 + 11);
}

// The agent's word that it has started the ranks may be read before they say hello.
TEST(ElapsedTime, LeavesItOutWhoeverSpeaksFirst) {
  testing::TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.steps(1, 10, 1.0);
  run.close();
  RunStore store = RunStore::open(folder / "r").value();
  ASSERT_TRUE(store.refresh().ok());
  FakeRun again(folder / "r", run.now() + 1000);
  again.node(0, "process", {{"local_rank", 0}, {"rank_of_process", 0}, {"pid", 2}, {"state", "started"}});
  again.close();
  ASSERT_TRUE(store.refresh().ok());
  again.hello(10, {{"pid", 2}});
  again.steps(11, 20, 1.0);
  again.close();
  ASSERT_TRUE(store.refresh().ok());
  EXPECT_DOUBLE_EQ(store.progress().elapsedSeconds, 10 + 10);
}

TEST(RunStore, AnAttemptWithoutAStepTakesNoPaceAway) {
  testing::TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.steps(1, 20, 1.0);
  run.rank(0, "hello", 20, {{"pid", 2}, {"total_steps", 20}});
  run.close();
  RunStore store = RunStore::open(folder / "r").value();
  ASSERT_TRUE(store.refresh().ok());
  EXPECT_DOUBLE_EQ(store.progress().secondsPerStep.value_or(0), 1);
}

TEST(RunStore, ARunThatGoesOnStandsWhereItStoodUntilItsCheckpointIsRead) {
  testing::TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  for (int step = 1; step <= 85; ++step)
    run.rank(0, "step", step, {{"loss", 1.0}, {"total_steps", 100}, {"epoch", step / 10.0}});
  run.rank(0, "hello", 0, {{"pid", 2}});
  run.rank(0, "phase", 0, {{"name", "loading"}});
  run.close();
  RunStore store = RunStore::open(folder / "r").value();
  ASSERT_TRUE(store.refresh().ok());
  EXPECT_EQ(store.progress().step, 85);
  EXPECT_EQ(store.progress().epoch, 8.5);
  run.rank(0, "hello", 80, {{"pid", 2}, {"total_steps", 100}});
  run.close();
  ASSERT_TRUE(store.refresh().ok());
  EXPECT_EQ(store.progress().step, 80);
  EXPECT_EQ(store.progress().epoch, 8.0);
}

}  // namespace
}  // namespace roadtune::runs
