// SPDX-License-Identifier: GPL-3.0-or-later
// Whose word tells how a run ended, and with which machine.
#include "core/protocol/manifest.h"
#include "core/runs/diagnosis.h"
#include "core/runs/end_words.h"
#include "core/runs/run_catalogue.h"
#include "core/runs/run_store.h"
#include "tests/unit/runs/fake_run.h"
#include "tests/unit/runs/opened_run.h"

#include <gtest/gtest.h>

namespace roadtune::runs {
namespace {

using testing::TempFolder;

TEST(RunEnd, TheRankThatFailedFirstSaysWhy) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello(0, {{"world_size", 2}});
  run.rank(1, "bye", 3, {{"reason", "failed"}, {"exit_code", 1}, {"message", "out of memory"}});
  run.rank(0, "bye", 3, {{"reason", "failed"}, {"exit_code", 1}, {"message", "a peer is gone"}});
  run.close();
  const RunStore store = open(folder / "r");
  EXPECT_EQ(store.state(), RunState::Failed);
  EXPECT_EQ(store.end()->message, "out of memory");
}

TEST(RunEnd, TheAgentSpeaksForRanksThatWereKilled) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.node(0, "hello", {{"host", "a"}, {"pid", 5}});
  run.node(0, "process", {{"local_rank", 0}, {"rank_of_process", 0}, {"pid", 6}, {"state", "started"}});
  run.hello();
  run.steps(1, 3, 1.0);
  run.node(
      0, "process",
      {{"local_rank", 0}, {"rank_of_process", 0}, {"pid", 6}, {"state", "exited"}, {"exit_code", 137}, {"signal", 9}});
  run.node(0, "bye", {{"reason", "failed"}, {"exit_code", 1}, {"message", "rank 0 failed first: killed by SIGKILL"}});
  run.close();
  const RunStore store = open(folder / "r");
  EXPECT_EQ(store.state(), RunState::Failed);
  EXPECT_EQ(store.end()->message, "rank 0 failed first: killed by SIGKILL");
  EXPECT_EQ(store.processes()[0].signal, 9);
}

TEST(RunEnd, RanksThatStoppedBecauseAnAgentDiedFailed) {
  TempFolder folder;
  FakeRun run(folder / "r");
  for (const int node : {0, 1}) run.node(node, "hello", {{"host", "a"}, {"pid", 5}});
  run.hello();
  run.rank(0, "bye", 3, {{"reason", "stopped"}});
  run.node(0, "bye", {{"reason", "stopped"}});
  run.node(1, "bye", {{"reason", "failed"}, {"exit_code", 1}, {"message", "the agent was ended from outside"}});
  run.close();
  const RunStore store = open(folder / "r");
  EXPECT_EQ(store.state(), RunState::Failed);
  EXPECT_EQ(store.end()->message, "the agent was ended from outside");
}

// Two machines with a rank each; the agent of the second one was killed, and so was its guardian.
void loseTheSecondAgent(FakeRun& run) {
  for (const int node : {0, 1}) run.node(node, "hello", {{"host", "a"}, {"pid", 5 + node}});
  run.hello(0, {{"world_size", 2}});
  run.rank(1, "hello", 0, {{"node", 1}, {"host", "a"}});
  run.steps(1, 3, 1.0);
  run.rank(0, "bye", 3, {{"reason", "stopped"}});
  run.rank(1, "bye", 3, {{"reason", "lost"}, {"message", "its agent was killed"}});
  run.node(0, "bye", {{"reason", "stopped"}});
  protocol::Manifest manifest;
  manifest.runId = "id";
  for (const int node : {0, 1})
    manifest.nodes.push_back(
        {.node = node, .host = "a", .address = "host" + std::to_string(node + 1), .agentPid = 5 + node});
  ASSERT_TRUE(protocol::writeManifest(run.layout().manifest(), manifest).ok());
}

TEST(RunEnd, ALostRunWithACheckpointCanGoOn) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.rank(0, "checkpoint", 2, {{"path", "checkpoint-2"}, {"bytes", 8.0}});
  loseTheSecondAgent(run);
  run.close();
  EXPECT_EQ(diagnose(open(folder / "r")).verdicts[0].advice,
            "roadtune resume goes on from the last complete checkpoint");
}

TEST(RunEnd, ARunThatLostAnAgentIsLostAndNamesTheMachine) {
  TempFolder folder;
  FakeRun run(folder / "r");
  loseTheSecondAgent(run);
  run.flush();
  RunStore store = open(folder / "r");
  EXPECT_EQ(store.state(), RunState::Lost);
  EXPECT_EQ(store.end()->message, "host2: its agent was killed");
  const Diagnosis diagnosis = diagnose(store);
  ASSERT_FALSE(diagnosis.verdicts.empty());
  EXPECT_EQ(diagnosis.verdicts[0].title, "The run has lost its agent");
  EXPECT_EQ(diagnosis.verdicts[0].evidence, "host2: its agent was killed");
  EXPECT_EQ(diagnosis.verdicts[0].advice, "there is no checkpoint yet: start it again with overwrite_output_dir: true");
  EXPECT_EQ(describeRun(folder / "r").value().state, RunState::Lost);
  EXPECT_EQ(describeRun(folder / "r").value().reason, "host2: its agent was killed");
  const double took = store.progress().elapsedSeconds;
  run.node(1, "bye", {{"reason", "lost"}, {"message", "the machine was restarted"}});
  run.close();
  ASSERT_TRUE(store.refresh().ok());
  EXPECT_EQ(store.progress().elapsedSeconds, took) << "that is said afterwards, and no part of the run";
  EXPECT_EQ(store.end()->message, "host2: the machine was restarted") << "who looked afterwards knows more";
}

// Of two attempts the second one failed before its rank said anything.
TEST(RunEnd, IsThatOfTheLatestAttemptAlone) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.node(0, "hello", {{"host", "a"}, {"pid", 5}});
  run.hello(0, {{"world_size", 1}});
  run.rank(0, "bye", 3, {{"reason", "failed"}, {"exit_code", 1}, {"message", "Connection closed by peer"}});
  const std::string before = "[gloo] Connection closed by peer [10.0.0.2]:19\n";
  folder.write("r/logs/rank-000.log", before + "output_dir: there is no such folder\n");
  run.node(0, "hello", {{"host", "a"}, {"pid", 6}});
  run.node(0, "process", {{"rank_of_process", 0}, {"pid", 7}, {"state", "started"}, {"log_begin", before.size()}});
  run.node(0, "bye", {{"reason", "failed"}, {"exit_code", 2}, {"message", "rank 0 failed first: exit code 2"}});
  run.close();
  const RunStore store = open(folder / "r");
  EXPECT_EQ(store.end()->message, "rank 0 failed first: exit code 2");
  const Diagnosis diagnosis = diagnose(store);
  ASSERT_FALSE(diagnosis.verdicts.empty());
  EXPECT_EQ(diagnosis.verdicts[0].id, "failed") << diagnosis.verdicts[0].title;
  EXPECT_EQ(store.logTail(0).size(), 2u) << "all of it can still be read";
}

TEST(RunEnd, FailuresOfRunsOnSeveralMachinesNameTheMachine) {
  TempFolder folder;
  FakeRun run(folder / "r");
  loseTheSecondAgent(run);
  run.rank(1, "bye", 3, {{"reason", "failed"}, {"exit_code", 1}, {"message", "out of memory"}});
  run.flush();
  RunStore store = open(folder / "r");
  EXPECT_EQ(store.state(), RunState::Failed);
  EXPECT_EQ(store.end()->message, "rank 1 on host2 failed first: out of memory");
  EXPECT_EQ(plainEnd(store.end()->message, 2), "process 2 of 2 on host2 failed first: out of memory");
}

constexpr const char* kLostPeer = "[pair.cc:547] Connection closed by peer [10.0.0.2]:19";

// Two machines: the word to stop reached the agent of `there` when the ranks of `here` had lost theirs already.
void stopOneBeforeTheOther(FakeRun& run, int here, int there) {
  for (const int node : {0, 1}) run.node(node, "hello", {{"host", "a"}, {"pid", 5 + node}});
  run.hello(0, {{"world_size", 2}});
  run.rank(1, "hello", 0, {{"node", 1}, {"host", "a"}});
  run.steps(1, 3, 1.0);
  run.rank(here, "bye", 3, {{"reason", "failed"}, {"exit_code", 1}, {"message", kLostPeer}});
  run.node(here, "bye",
           {{"reason", "failed"},
            {"message", "rank failed first: exit code 1: " + std::string(kLostPeer)},
            {"first_failed", {{"rank", here}}}});
  run.node(there, "bye", {{"reason", "stopped"}, {"message", "stopped without saving"}});
  run.flush();
}

TEST(RunEnd, RanksThatLostThoseThatWereStoppedAreNoFailure) {
  for (const int late : {0, 1}) {
    TempFolder folder;
    FakeRun run(folder / "r");
    stopOneBeforeTheOther(run, late, 1 - late);
    const RunStore store = open(folder / "r");
    EXPECT_EQ(store.state(), RunState::Stopped);
    ASSERT_TRUE(store.end());
    EXPECT_EQ(store.end()->message, "stopped without saving");
    EXPECT_EQ(describeRun(folder / "r").value().state, RunState::Stopped);
  }
}

TEST(RunEnd, AFailureOfItsOwnIsOneThoughOthersWereStopped) {
  TempFolder folder;
  FakeRun run(folder / "r");
  stopOneBeforeTheOther(run, 0, 1);
  run.rank(1, "bye", 3, {{"reason", "failed"}, {"exit_code", 1}, {"message", "out of memory"}});
  run.close();
  const RunStore store = open(folder / "r");
  EXPECT_EQ(store.state(), RunState::Failed);
  EXPECT_EQ(store.end()->message, "out of memory");
}

}  // namespace
}  // namespace roadtune::runs
