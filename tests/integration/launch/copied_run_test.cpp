// SPDX-License-Identifier: GPL-3.0-or-later
// A copy of a run's folder names the processes of the original, and has none of its own.
#include "core/base/files.h"
#include "remote/launch/run_control.h"
#include "tests/integration/launch/launched_run.h"

#include <gmock/gmock.h>

namespace roadtune::testing {
namespace {

using ::testing::HasSubstr;

struct CopiedRun : LaunchedRun {};

TEST_F(CopiedRun, StoppingItLeavesTheOriginalAlone) {
  rank("steps=100000 save_every=5 child");
  ASSERT_EQ(roadtune({"train", config(), "--detach"}).exitCode, 0);
  ASSERT_TRUE(reachesStep(12));
  const std::string copy = folder() / "copy";
  std::filesystem::copy(run(), copy, std::filesystem::copy_options::recursive);

  const auto stopped = roadtune({"stop", copy, "--now"});
  EXPECT_EQ(stopped.exitCode, 0) << stopped.out << stopped.err;
  EXPECT_THAT(stopped.out, HasSubstr("no process left"));
  EXPECT_THAT(stopped.err, HasSubstr("the run is not going on; this is a copy of " + run().string() + ", which is"));
  EXPECT_TRUE(remote::isAlive(run()));
  const std::int64_t step = rankEvents().back().step;
  EXPECT_TRUE(reachesStep(step + 5)) << "its rank goes on";

  const auto resumed = roadtune({"resume", copy, "--detach"});
  EXPECT_EQ(resumed.exitCode, 0) << resumed.err;
  EXPECT_TRUE(remote::isAlive(copy));
  EXPECT_EQ(roadtune({"stop", copy, "--now"}).exitCode, 0);
  EXPECT_TRUE(remote::isAlive(run()));
  EXPECT_EQ(roadtune({"stop", run().string(), "--now"}).exitCode, 0);
}

TEST_F(CopiedRun, ARunThatIsMovedWhileItGoesOnKeepsItsProcesses) {
  rank("steps=100000 deaf");
  ASSERT_EQ(roadtune({"train", config(), "--detach"}).exitCode, 0);
  ASSERT_TRUE(reachesStep(3));
  const std::string moved = folder() / "moved";
  std::filesystem::rename(run(), moved);
  ASSERT_TRUE(remote::isAlive(moved));
  const auto stopped = roadtune({"stop", moved, "--now", "--timeout", "10"});
  EXPECT_EQ(stopped.exitCode, 0) << stopped.out << stopped.err;
  EXPECT_TRUE(eventually([this] { return isGone(); }));
}

TEST_F(CopiedRun, WhatAMovedRunSavedWhereItBeganIsFound) {
  rank("steps=100000");
  ASSERT_EQ(roadtune({"train", config(), "--detach"}).exitCode, 0);
  ASSERT_TRUE(reachesStep(3));
  const std::string moved = folder() / "moved";
  std::filesystem::rename(run(), moved);
  ASSERT_EQ(roadtune({"stop", moved}).exitCode, 0);
  const auto saved = layout().lastCompleteCheckpoint();
  ASSERT_TRUE(saved.has_value()) << "the rank goes by the path that it was told";
  const auto refused = roadtune({"resume", moved});
  EXPECT_EQ(refused.exitCode, 2) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("the run went on to save where it began, last as " + saved->path.string()));
  std::filesystem::rename(saved->path, moved / saved->path.filename());
  const auto resumed = roadtune({"resume", moved, "--detach"});
  EXPECT_EQ(resumed.exitCode, 0) << resumed.err;
  EXPECT_EQ(roadtune({"stop", moved, "--now"}).exitCode, 0);
}

}  // namespace
}  // namespace roadtune::testing
