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
