// SPDX-License-Identifier: GPL-3.0-or-later
// What goes wrong: each case has one clear message, the right exit code, and leaves nothing behind.
#include "core/base/clock.h"
#include "remote/agent/rank_plan.h"
#include "remote/launch/run_control.h"
#include "tests/integration/launch/launched_run.h"
#include "tests/support/small_disk.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <arpa/inet.h>
#include <csignal>
#include <netinet/in.h>
#include <sys/socket.h>

namespace roadtune::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

class Faults : public LaunchedRun {
 protected:
  int countOf(const std::string& text, const std::string& word) const {
    int count = 0;
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += word.size()) ++count;
    return count;
  }
};

TEST_F(Faults, TheFirstFailingRankIsNamedWithItsLastWords) {
  rank("steps=100000 only=1 crash=5");
  const auto result = roadtune({"train", config(), "--nproc-per-node", "2"});
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.err, HasSubstr("rank 1 failed first: killed by SIGABRT"));
  EXPECT_THAT(result.err, HasSubstr("something terrible happened at step 5"));
  const auto bye = last(nodeEvents(), "bye");
  EXPECT_EQ(bye->body["first_failed"]["rank"], 1);
  EXPECT_EQ(bye->body["left"], 0);
}

TEST_F(Faults, ARankThatIsKilledFromOutsideIsNamed) {
  rank("steps=100000 only=0 kill=5");
  const auto result = roadtune({"train", config(), "--nproc-per-node", "2"});
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.err, HasSubstr("rank 0 failed first: killed by SIGKILL"));
}

TEST_F(Faults, ARanksOwnExitCodeDecidesOurs) {
  rank("steps=100 exit=2:3");
  EXPECT_EQ(roadtune({"train", config()}).exitCode, 3);
  rank("early=2");
  const auto result = roadtune({"train", config(), "--set", "overwrite_output_dir=true"});
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_THAT(result.err, HasSubstr("the model folder is missing"));
}

TEST_F(Faults, DetachTellsWhenTheStartFails) {
  rank("early=1");
  const auto result = roadtune({"train", config(), "--detach"});
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.err, HasSubstr("the model folder is missing"));
}

TEST_F(Faults, ATrainerThatCannotBeExecutedIsSaidAtOnce) {
  variable("ROADTUNE_TRAINER", "/nowhere/trainer");
  const auto result = roadtune({"train", config()});
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_THAT(result.err, HasSubstr("/nowhere/trainer"));
}

TEST_F(Faults, KillingTheStarterHarmsNothing) {
  rank("steps=60 step_ms=20");
  auto program = startRoadtune({"train", config()});
  ASSERT_TRUE(reachesStep(3));
  ::kill(-program.pid(), SIGKILL);  // with its whole group, as a terminal that goes away
  program.wait();
  EXPECT_TRUE(remote::isAlive(run()));
  const auto attached = roadtune({"attach", run().string()});
  EXPECT_EQ(attached.exitCode, 0) << attached.err;
  EXPECT_THAT(attached.out, HasSubstr("finished after 60 of 60 steps"));
}

TEST_F(Faults, WhenTheAgentIsKilledRanksSaveAndNothingIsLeft) {
  rank("steps=100000");
  auto program = startRoadtune({"train", config(), "--nproc-per-node", "2"});
  ASSERT_TRUE(reachesStep(3));
  ::kill(agent(), SIGKILL);
  EXPECT_EQ(program.wait().code, 1);
  EXPECT_TRUE(isGone());
  EXPECT_TRUE(layout().lastCompleteCheckpoint().has_value());
  EXPECT_THAT(printed(), HasSubstr("the agent was ended from outside (killed by SIGKILL)"));
  EXPECT_THAT(printed(), HasSubstr("no process is left"));
  EXPECT_THAT(readAll(layout().nodeEvents(0)), HasSubstr("\"transient\":true")) << "it may be tried again";
}

TEST_F(Faults, WhenTheAgentIsKilledDeafRanksAreKilled) {
  variable("ROADTUNE_AGENT_OPTIONS", "--orphan-grace 0.3 --kill-grace 0.3");
  rank("steps=100000 deaf");
  auto program = startRoadtune({"train", config()});
  ASSERT_TRUE(reachesStep(2));
  ::kill(agent(), SIGKILL);
  EXPECT_EQ(program.wait().code, 1);
  EXPECT_TRUE(isGone());
  EXPECT_THAT(printed(), HasSubstr("had not saved and stopped"));
  EXPECT_THAT(printed(), HasSubstr("were killed; no process is left"));
  EXPECT_THAT(printed(), Not(HasSubstr("were told to save")));
}

TEST_F(Faults, WhoeverDoesNotWaitForRanksWithoutAgentSaysNow) {
  rank("steps=100000 deaf");
  const auto orphaned = [this] {
    EXPECT_EQ(roadtune({"train", config(), "--set", "overwrite_output_dir=true", "--detach"}).exitCode, 0);
    EXPECT_TRUE(reachesStep(2));
    const pid_t guard = guardian();
    ::kill(agent(), SIGKILL);
    ::usleep(300'000);
    EXPECT_FALSE(isGone()) << "it has a quarter of an hour";
    return guard;
  };
  orphaned();
  const double began = monotonicSeconds();
  EXPECT_EQ(roadtune({"stop", run().string(), "--now"}).exitCode, 0);
  EXPECT_LT(monotonicSeconds() - began, 10);
  EXPECT_TRUE(isGone());
  ::kill(orphaned(), SIGTERM);
  EXPECT_TRUE(eventually([this] { return isGone(); }));
}

TEST_F(Faults, RanksThatOutliveAgentAndGuardianAreNotDoubledAndCanBeEnded) {
  rank("steps=100000 step_ms=20 deaf");
  ASSERT_EQ(roadtune({"train", config(), "--detach"}).exitCode, 0);
  ASSERT_TRUE(eventually([this] { return layout().lastCompleteCheckpoint().has_value() || reachesStep(12); }));
  ::kill(guardian(), SIGKILL);
  ::kill(agent(), SIGKILL);
  ASSERT_TRUE(eventually([this] { return !remote::isAlive(run()); }));
  ASSERT_FALSE(isGone()) << "the rank lives on";

  const auto resumed = roadtune({"resume", run().string()});
  EXPECT_EQ(resumed.exitCode, 2) << resumed.err;
  EXPECT_THAT(resumed.err, HasSubstr("its agent is gone, but not process"));
  setting("overwrite_output_dir: true");
  const auto overwritten = roadtune({"train", config()});
  EXPECT_EQ(overwritten.exitCode, 2) << overwritten.err;
  EXPECT_THAT(overwritten.err, HasSubstr("--now"));

  const auto looked = roadtune({"stop", run().string()});
  EXPECT_EQ(looked.exitCode, 1);
  EXPECT_THAT(looked.out, HasSubstr("1 left")) << "each process once";
  EXPECT_THAT(looked.err, HasSubstr("--now ends what is left"));
  const auto ended = roadtune({"stop", run().string(), "--now"});
  EXPECT_EQ(ended.exitCode, 0) << ended.out << ended.err;
  EXPECT_TRUE(isGone());
}

TEST_F(Faults, WithoutItsGuardianAnAgentGoesOn) {
  rank("steps=100000");
  ASSERT_EQ(roadtune({"train", config(), "--detach"}).exitCode, 0);
  ::kill(guardian(), SIGKILL);
  EXPECT_TRUE(remote::isAlive(run()));
  EXPECT_EQ(roadtune({"stop", run().string()}).exitCode, 0);
  EXPECT_TRUE(layout().lastCompleteCheckpoint().has_value());
}

TEST_F(Faults, ASignalToTheAgentSavesAndStops) {
  rank("steps=100000");
  ASSERT_EQ(roadtune({"train", config(), "--detach"}).exitCode, 0);
  ASSERT_TRUE(reachesStep(2));
  ::kill(agent(), SIGTERM);
  EXPECT_TRUE(eventually([this] { return isGone(); }));
  EXPECT_TRUE(layout().lastCompleteCheckpoint().has_value());
  EXPECT_EQ(last(nodeEvents(), "bye")->body["reason"], "stopped");
}

TEST_F(Faults, OneSignalThatComesTwoWaysSavesAndStops) {
  rank("steps=100000 save_ms=800");
  folder().write("out/run.yaml", readAll(config()));
  auto program = start("roadtune-agent", {"--run", run().string(), "--trainer",
                                          std::string(ROADTUNE_BIN_DIR) + "/../fakes/fake-rank", "--foreground"});
  ASSERT_TRUE(reachesStep(2));
  ::kill(-program.pid(), SIGTERM);  // the agent and its guardian, which passes it on
  ::usleep(150'000);                // on a busy machine
  ::kill(agent(), SIGTERM);
  EXPECT_EQ(program.wait().code, 130);
  EXPECT_TRUE(layout().lastCompleteCheckpoint().has_value());
  EXPECT_EQ(last(nodeEvents(), "bye")->body["message"], "saved and stopped");
  EXPECT_EQ(last(nodeEvents(), "control")->body["word"], "stop");
}

TEST_F(Faults, ARunStoppedBeforeItsFirstStepDoesNotSaySaved) {
  rank("steps=100000 start_ms=1500");
  ASSERT_EQ(roadtune({"train", config(), "--detach"}).exitCode, 0);
  EXPECT_EQ(roadtune({"stop", run().string()}).exitCode, 0);
  EXPECT_FALSE(layout().lastCompleteCheckpoint().has_value());
  EXPECT_EQ(last(nodeEvents(), "bye")->body["message"], "stopped before its first step");
}

TEST_F(Faults, ASecondSignalALittleLaterStopsNow) {
  rank("steps=100000 save_ms=60000");
  ASSERT_EQ(roadtune({"train", config(), "--detach"}).exitCode, 0);
  ASSERT_TRUE(reachesStep(2));
  const pid_t pid = agent();
  ::kill(pid, SIGTERM);
  ::usleep(700'000);
  ::kill(pid, SIGTERM);
  EXPECT_TRUE(eventually([this] { return isGone(); }));
  EXPECT_FALSE(layout().lastCompleteCheckpoint().has_value());
  EXPECT_EQ(last(nodeEvents(), "bye")->body["message"], "stopped without saving");
}

TEST_F(Faults, ASignalToARankStopsTheRunPolitely) {
  rank("steps=100000");
  auto program = startRoadtune({"train", config(), "--nproc-per-node", "2"});
  ASSERT_TRUE(reachesStep(2));
  ::kill(static_cast<pid_t>(rankEvents(1).front().body["pid"]), SIGTERM);
  EXPECT_EQ(program.wait().code, 130);
}

TEST_F(Faults, DeafAndStalledRanksAreKilledByStopNow) {
  rank("steps=100000 only=1 stall=2");
  ASSERT_EQ(roadtune({"train", config(), "--nproc-per-node", "2", "--detach"}).exitCode, 0);
  ASSERT_TRUE(reachesStep(2, 1));
  const auto result = roadtune({"stop", run().string(), "--now"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_TRUE(isGone());
}

TEST_F(Faults, AnImpatientStopEndsRanksThatDoNotAnswer) {
  variable("ROADTUNE_AGENT_OPTIONS", "--stop-grace 0.5 --kill-grace 0.5");
  rank("steps=100000 deaf");
  ASSERT_EQ(roadtune({"train", config(), "--detach"}).exitCode, 0);
  EXPECT_EQ(roadtune({"stop", run().string()}).exitCode, 0);
  const auto process = last(nodeEvents(), "process");
  EXPECT_EQ(process->body["state"], "killed");
  EXPECT_EQ(process->body["signal"], SIGKILL);
  EXPECT_THAT(last(nodeEvents(), "bye")->body["message"], ::testing::StartsWith("ended without saving"));
}

TEST_F(Faults, WhatARankLeavesBehindIsFoundAndEnded) {
  rank("steps=10 child");
  const auto result = roadtune({"train", config()});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_EQ(last(nodeEvents(), "bye")->body["left"], 0);
  for (const auto& process : remote::allProcesses())
    EXPECT_NE(remote::commandLineOf(process.id.pid), "sleep 1000") << "left by a rank, in a session of its own";
}

TEST_F(Faults, AFloodOfOutputHurtsNobody) {
  rank("steps=50 step_ms=2 babble=400000");
  const auto result = roadtune({"train", config()});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_GT(fs::file_size(layout().rankLog(0)), 10'000'000U);
}

TEST_F(Faults, WithoutTheSocketTheControlFileWorks) {
  rank("steps=100000");
  ASSERT_EQ(roadtune({"train", config(), "--detach"}).exitCode, 0);
  for (const auto& item : fs::directory_iterator(folder() / "roadtune")) fs::remove(item);
  const auto result = roadtune({"stop", run().string()});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_TRUE(layout().lastCompleteCheckpoint().has_value());
}

TEST_F(Faults, ABusyPortIsOneClearMessage) {
  const UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int port = remote::findFreePort().value();
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  ASSERT_EQ(::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(fd.get(), 1), 0);
  setting("master_port: " + std::to_string(port));
  const auto result = roadtune({"train", config()});
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_THAT(result.err, HasSubstr("port " + std::to_string(port) + " is in use"));
  EXPECT_EQ(countOf(result.err, "\n"), 1) << result.err;
  EXPECT_FALSE(fs::exists(run())) << "nothing is made for a run that cannot start";
}

TEST_F(Faults, AReadOnlyOutputFolderIsSaidBeforeAnythingStarts) {
  const SmallDisk disk(folder() / "readonly", "size=1m", MS_RDONLY);
  if (!disk.mounted()) GTEST_SKIP() << "mounting a file system needs root";
  const auto result = roadtune({"train", config(), "--set", "output_dir=" + (folder() / "readonly/out").string()});
  EXPECT_THAT(result.exitCode, ::testing::AnyOf(1, 2));
  EXPECT_THAT(result.err, HasSubstr("/readonly"));
  EXPECT_THAT(result.err, ::testing::AnyOf(HasSubstr("ead-only"), HasSubstr("ermission"), HasSubstr("writ")));
}

TEST_F(Faults, ANameThatNoFolderCanHaveIsAMistakeInOutputDir) {
  fs::create_directory_symlink("nowhere", folder() / "link");
  const std::string tooLong = folder() / std::string(256, 'n'), link = folder() / "link", kernels = "/proc/x";
  for (const std::string& name : {tooLong, link, kernels}) {
    const auto result = roadtune({"train", config(), "--set", "output_dir=" + name});
    EXPECT_EQ(result.exitCode, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr("output_dir"));
    EXPECT_THAT(result.err, HasSubstr(name));
  }
  const auto told = roadtune({"train", config(), "--set", "output_dir=" + link, "--progress", "json"});
  EXPECT_THAT(told.err, ::testing::StartsWith("{\"command\":\"train\",\"error\":"));
}

TEST_F(Faults, AFullDiskDoesNotEndARun) {
  const SmallDisk disk(run(), "size=100k");
  if (!disk.mounted()) GTEST_SKIP() << "mounting a file system needs root";
  variable("ROADTUNE_AGENT_OPTIONS", "--sample-interval 0.05");
  rank("steps=60 step_ms=20 babble=20000");
  const auto result = roadtune({"train", config()});
  // Neither the ranks nor the agent fall over what cannot be written; how it ended may not be written either.
  EXPECT_THAT(result.err, Not(HasSubstr("SIGPIPE")));
  EXPECT_THAT(result.err, Not(HasSubstr("failed first")));
  EXPECT_TRUE(eventually([this] { return isGone(); }));
}

TEST_F(Faults, NoRoomForTheRunIsSaidBeforeAnythingStarts) {
  const SmallDisk disk(folder() / "full", "size=4k");
  if (!disk.mounted()) GTEST_SKIP() << "mounting a file system needs root";
  const auto result = roadtune({"train", config(), "--set", "output_dir=" + (folder() / "full/out").string()});
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.err, HasSubstr("No space left on device"));
}

TEST_F(Faults, AnEmptyListOfMachinesIsNotThisMachine) {
  for (const char* option : {"--hosts", "--fleet"}) {
    const auto result = roadtune({"train", config(), option, ""});
    EXPECT_EQ(result.exitCode, 2) << option;
    EXPECT_THAT(result.err, HasSubstr("names no machine"));
  }
  EXPECT_FALSE(fs::exists(run()));
}

TEST_F(Faults, BadConfigurationsTellEverythingAtOnce) {
  setting("learning_rat: 1");
  setting("max_grad_norm: many");
  const auto result = roadtune({"train", config()});
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_THAT(result.err, HasSubstr("learning_rat"));
  EXPECT_THAT(result.err, HasSubstr("learning_rate"));
  EXPECT_THAT(result.err, HasSubstr("max_grad_norm"));
  EXPECT_FALSE(fs::exists(run()));
}

}  // namespace
}  // namespace roadtune::testing
