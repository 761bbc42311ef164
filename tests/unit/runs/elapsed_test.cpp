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

}  // namespace
}  // namespace roadtune::runs
