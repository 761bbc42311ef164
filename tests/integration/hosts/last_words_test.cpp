// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of a rank that died: with the real trainer.
#include "core/base/clock.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/manifest.h"
#include "remote/agent/agent_lock.h"
#include "remote/agent/process_table.h"
#include "tests/integration/hosts/host_runs.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <future>
#include <unistd.h>

namespace roadtune::remote {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using testing::runProgram;

struct LastWords : testing::HostRuns {};

std::int64_t pidOf(const std::filesystem::path& run, int rank, std::int64_t atStep) {
  protocol::EventReader events(protocol::RunLayout(run).rankEvents(rank));
  std::int64_t pid = 0, step = 0;
  for (const double deadline = monotonicSeconds() + 60; monotonicSeconds() < deadline; ::usleep(20'000)) {
    [[maybe_unused]] const auto read = events.pollFlat([&](const protocol::FlatEvent& event) {
      if (event.kind == "hello") pid = event.members.integerOr("pid", 0);
      step = event.step;
    });
    if (pid > 0 && step >= atStep) return pid;
  }
  return 0;
}

TEST_F(LastWords, AKilledRankIsShownWithItsLastExchange) {
  const auto run = folder() / "out";
  auto ending = std::async(std::launch::async, [&] {
    return runProgram(prefixed(trainWords(run, 2000, {"--nproc-per-node", "2"})), {.timeoutSeconds = 150});
  });
  const auto pid = pidOf(run, 1, 3);
  ASSERT_GT(pid, 0);
  ::kill(static_cast<pid_t>(pid), SIGKILL);
  const auto result = ending.get();
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.err, HasSubstr("rank 1 failed first: killed by SIGKILL"));
  EXPECT_THAT(result.err, HasSubstr("last exchange with other ranks: "));
  const auto at = result.err.find("last exchange with other ranks: ");
  EXPECT_THAT(
      result.err.substr(at, result.err.find('\n', at) - at),
      MatchesRegex("last exchange with other ranks: (sum|highest) no\\. [0-9,]+ of .* begun .* before the end and "
                   "(not )?finished"));
}

TEST_F(LastWords, RanksThatLoseTheirAgentAndItsGuardianSaveAndEnd) {
  const auto run = folder() / "out";
  ASSERT_EQ(runProgram(prefixed(trainWords(run, 100000, {"--nproc-per-node", "2", "--detach"}))).exitCode, 0);
  const auto first = pidOf(run, 0, 3), second = pidOf(run, 1, 3);
  ASSERT_GT(first, 0);
  const auto ranks = {lookUpProcess(static_cast<pid_t>(first)), lookUpProcess(static_cast<pid_t>(second))};
  const auto agent = AgentLock::holder(run, 0);
  ASSERT_TRUE(agent.has_value());
  const pid_t guardian = lookUpProcess(agent->pid)->parent;
  for (const pid_t pid : {guardian, agent->pid}) ::kill(pid, SIGKILL);
  for (const double deadline = monotonicSeconds() + 60; monotonicSeconds() < deadline; ::usleep(50'000))
    if (std::none_of(ranks.begin(), ranks.end(), [](const auto& rank) { return rank && isAlive(rank->id); })) break;
  for (const auto& rank : ranks) EXPECT_FALSE(rank && isAlive(rank->id));
  const auto checkpoint = protocol::RunLayout(run).lastCompleteCheckpoint();
  ASSERT_TRUE(checkpoint.has_value());
  EXPECT_GE(checkpoint->step, 3);
  EXPECT_THAT(testing::readAll(protocol::RunLayout(run).rankEvents(0)),
              HasSubstr("the agent that led this rank is gone"));
  const auto attached = runProgram({"roadtune", "attach", run.string(), "--progress", "none"});
  EXPECT_EQ(attached.exitCode, 1);
  EXPECT_THAT(attached.err, HasSubstr("it was killed, or the machine was restarted"));
  const auto shown = runProgram({"roadtune", "runs", "show", run.string()});
  EXPECT_THAT(shown.out, HasSubstr("end         lost: the agent of this run was killed; the run saved and ended"));
  const auto resumed = runProgram({"roadtune", "resume", run.string(), "--detach"});
  EXPECT_EQ(resumed.exitCode, 0) << resumed.err;
  EXPECT_EQ(runProgram({"roadtune", "stop", run.string(), "--now"}).exitCode, 0);
}

TEST_F(LastWords, ARunThatLosesTheAgentOfOneMachineIsLostAndSaysWhichMachine) {
  testing::TestNetwork network(2);
  const auto run = folder() / "run";
  ASSERT_EQ(roadtune(network, trainWords(run, 100000, {"--hosts", network.hosts(), "--detach"})).exitCode, 0);
  const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
  ASSERT_TRUE(manifest.ok());
  auto ending = roadtuneInBackground(network, {"attach", run.string(), "--progress", "none"});
  ASSERT_GT(pidOf(run, 1, 3), 0);
  const auto agent = lookUpProcess(static_cast<pid_t>(manifest.value().nodes.at(1).agentPid));
  ASSERT_TRUE(agent.has_value());
  for (const pid_t pid : {agent->parent, agent->id.pid}) ::kill(pid, SIGKILL);
  const auto ended = ending.get();
  EXPECT_EQ(ended.exitCode, 1);
  EXPECT_THAT(ended.err, HasSubstr("host2: the agent was killed, and what watches over it as well"));
  const auto shown = roadtune(network, {"runs", "show", run.string()});
  EXPECT_THAT(shown.out, HasSubstr("end         lost: host2: the agent was killed"));
  const auto resumed = roadtune(network, {"resume", run.string(), "--detach"});
  EXPECT_EQ(resumed.exitCode, 0) << resumed.err;
  EXPECT_EQ(roadtune(network, {"stop", run.string(), "--now"}).exitCode, 0);
}

TEST_F(LastWords, ARunWhoseMachineVanishesIsStartedAgainWhenThatMachineIsBack) {
  testing::TestNetwork network(2);
  const auto run = folder() / "run";
  auto training = roadtuneInBackground(network, trainWords(run, 80,
                                                           {"--hosts", network.hosts(), "--set", "save_steps=10",
                                                            "--set", "max_restarts=1", "--set", "peer_timeout=5"}));
  const auto rank = pidOf(run, 1, 12);
  ASSERT_GT(rank, 0);
  const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
  ASSERT_TRUE(manifest.ok());
  const auto agent = lookUpProcess(static_cast<pid_t>(manifest.value().nodes.at(1).agentPid));
  ASSERT_TRUE(agent.has_value());
  network.cable(1, false);  // before they can say goodbye: as if the power were gone
  for (const auto pid : {static_cast<std::int64_t>(agent->parent), static_cast<std::int64_t>(agent->id.pid), rank})
    ::kill(static_cast<pid_t>(pid), SIGKILL);
  EXPECT_EQ(training.wait_for(std::chrono::seconds(70)), std::future_status::timeout) << "it waits for the machine";
  network.cable(1, true);
  const auto result = training.get();
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr(network.address(1) + ": another machine does not answer any more, for 5 s now"));
  EXPECT_THAT(result.err, HasSubstr("host2 cannot be reached, and what came of the run there is not known"));
  EXPECT_THAT(result.err, HasSubstr("waiting for host2: the run is started again when nothing of it is left there"));
  EXPECT_THAT(result.err, HasSubstr("checkpoint-10 (1 of 1 restarts)"));
  EXPECT_EQ(lossesOf(run).size(), 80u);
}

TEST_F(LastWords, ARankThatIsStoppedForAWhileIsNotTakenForAMachineThatIsGone) {
  testing::TestNetwork network(2);
  const auto run = folder() / "run";
  auto training =
      roadtuneInBackground(network, trainWords(run, 30, {"--hosts", network.hosts(), "--set", "peer_timeout=3"}));
  const auto rank = static_cast<pid_t>(pidOf(run, 1, 5));
  ASSERT_GT(rank, 0);
  ::kill(rank, SIGSTOP);
  EXPECT_EQ(training.wait_for(std::chrono::seconds(15)), std::future_status::timeout);
  ::kill(rank, SIGCONT);
  const auto result = training.get();
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_EQ(lossesOf(run).size(), 30u);
}

TEST_F(LastWords, TheQueueWaitsForAMachineThatIsGoneAtNoRetrysCost) {
  testing::TestNetwork network(2);
  const auto run = folder() / "out";
  auto words = trainWords(run, 80, {"--hosts", network.hosts(), "--set", "save_steps=10", "--retries", "1"});
  words.erase(words.begin() + 2, words.begin() + 4);  // --progress: nobody looks on
  words.front() = "add";
  const auto added = queue(network, words);
  ASSERT_EQ(added.exitCode, 0) << added.err;
  auto worked = std::async(std::launch::async, [&] { return queue(network, {"run", "--until-empty"}); });
  const auto rank = pidOf(run, 1, 12);
  ASSERT_GT(rank, 0);
  ::kill(static_cast<pid_t>(rank), SIGKILL);
  const auto says = [&](const char* part) {
    for (const double deadline = monotonicSeconds() + 90; monotonicSeconds() < deadline; ::usleep(200'000))
      if (queue(network, {"ls", "--json"}).out.find(part) != std::string::npos) return true;
    return false;
  };
  ASSERT_TRUE(says("\"failures\": 1"));
  network.closeWay(1, -1);  // within the pause before the next try
  EXPECT_TRUE(says("waits for host2, which cannot be reached and may still run it"));
  network.openWay(1, -1);
  const auto result = worked.get();
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_TRUE(says("\"failures\": 1")) << "the one that it was";
  EXPECT_EQ(lossesOf(run).size(), 80u);
}

TEST_F(LastWords, TheQueueWaitsForAMachineThatIsOffWhenItsTurnComes) {
  testing::TestNetwork network(1);
  auto words = trainWords(folder() / "out", 3, {"--hosts", network.hosts()});
  words.erase(words.begin() + 2, words.begin() + 4);  // --progress: nobody looks on
  words.front() = "add";
  ASSERT_EQ(queue(network, words).exitCode, 0);
  network.closeWay(0, -1);
  auto worked = std::async(std::launch::async, [&] { return queue(network, {"run", "--until-empty"}); });
  const auto says = [&](const char* part) {
    for (const double deadline = monotonicSeconds() + 60; monotonicSeconds() < deadline; ::usleep(200'000))
      if (queue(network, {"ls", "--json"}).out.find(part) != std::string::npos) return true;
    return false;
  };
  EXPECT_TRUE(says("\"waits for "));
  EXPECT_TRUE(says("\"failures\": 0"));
  network.openWay(0, -1);
  EXPECT_EQ(worked.get().exitCode, 0) << "it has no retries, and needed none";
  EXPECT_EQ(lossesOf(folder() / "out").size(), 3u);
}

TEST_F(LastWords, WantOfMemoryIsExplainedByPart) {
  auto words = trainWords(folder() / "out", 3, {"--set", "per_device_train_batch_size=96"});
  std::string line = "ulimit -v 1000000; exec " + testing::programPath("roadtune");
  for (const auto& word : words) line += " '" + word + "'";
  const auto result = runProgram({"bash", "-c", line}, {.timeoutSeconds = 150});
  EXPECT_EQ(result.exitCode, 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr("The machine ran out of memory"));
  EXPECT_THAT(result.err, HasSubstr("by plan a rank holds "));
  EXPECT_THAT(result.err, HasSubstr("activations, language model"));
}

}  // namespace
}  // namespace roadtune::remote
