// SPDX-License-Identifier: GPL-3.0-or-later
// A disk that fills up while a run goes on: how it ended is said all the same, and why.
#include "remote/launch/run_control.h"
#include "tests/integration/launch/launched_run.h"
#include "tests/support/small_disk.h"

#include <gmock/gmock.h>

#include <csignal>

namespace roadtune::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct FullDisk : LaunchedRun {};

TEST_F(FullDisk, TheEndIsWrittenIntoTheRoomThatWasKeptForIt) {
  const SmallDisk disk(run(), "size=2m");
  if (!disk.mounted()) GTEST_SKIP() << "mounting a file system needs root";
  rank("steps=100000 exit=60:1");
  auto program = startRoadtune({"train", config()});
  ASSERT_TRUE(reachesStep(5));
  disk.fill();
  EXPECT_EQ(program.wait().code, 1);
  EXPECT_THAT(printed(), HasSubstr("rank 0 failed first: exit code 1: No space left on device. The disk is full"));
  EXPECT_THAT(printed(), HasSubstr("what to do: free some space"));
  ASSERT_TRUE(last(nodeEvents(), "bye").has_value());
  const auto looked = roadtune({"doctor", run().string()});
  EXPECT_THAT(looked.out.substr(looked.out.find('[')), HasSubstr("The disk is full"));
  EXPECT_THAT(roadtune({"runs", "ls", run().string()}).out, HasSubstr("failed"));
}

TEST_F(FullDisk, AnEndThatNobodyCouldWriteIsToldAsTheDisks) {
  const SmallDisk disk(run(), "size=2m");
  if (!disk.mounted()) GTEST_SKIP() << "mounting a file system needs root";
  rank("steps=100000 save_every=10");
  auto program = startRoadtune({"train", config()});
  ASSERT_TRUE(reachesStep(12));
  disk.fill();
  const pid_t watcher = guardian(), led = agent(), trained = static_cast<pid_t>(rankEvents().front().body["pid"]);
  for (const pid_t pid : {watcher, led, trained}) ::kill(pid, SIGKILL);
  EXPECT_EQ(program.wait().code, 1);
  EXPECT_THAT(printed(), HasSubstr("the disk of the run was full, and how it ended could not be written"));
  EXPECT_THAT(printed(), HasSubstr("what to do: free some space, then roadtune resume"));
  EXPECT_THAT(printed(), Not(HasSubstr("was killed")));
  const auto isLost = [this] { return roadtune({"runs", "ls", run().string()}).out.find("lost") != std::string::npos; };
  ASSERT_TRUE(eventually(isLost));
  const auto looked = roadtune({"doctor", run().string()});
  const auto first = looked.out.substr(std::min(looked.out.size(), looked.out.find('[')));
  EXPECT_THAT(first.substr(0, first.find('\n')), HasSubstr("disk of the run is full")) << looked.out;
}

}  // namespace
}  // namespace roadtune::testing
