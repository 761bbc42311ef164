// SPDX-License-Identifier: GPL-3.0-or-later
// One command trains on several machines: real sshd in network namespaces, real ranks with Gloo between them.
#include "core/base/clock.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/process_table.h"
#include "tests/integration/hosts/host_runs.h"
#include "tests/support/held_process.h"

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <fstream>
#include <future>
#include <map>
#include <thread>

namespace roadtune::remote {
namespace {

using testing::ProgramResult;
using testing::readAll;
using testing::runProgram;
using testing::TestNetwork;

struct HostsTest : testing::HostRuns {
  static std::vector<std::string> train(const std::filesystem::path& output, int steps,
                                        const std::vector<std::string>& more) {
    return prefixed(trainWords(output, steps, more));
  }
  // What the ranks have written over there lies here as well, byte for byte.
  static void expectRankEventsOnBothSides(const std::filesystem::path& run) {
    const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
    ASSERT_TRUE(manifest.ok());
    for (const auto& node : manifest.value().nodes)
      EXPECT_EQ(readAll(protocol::RunLayout(run).rankEvents(node.node)),
                readAll(protocol::RunLayout(node.folder).rankEvents(node.node)))
          << "events of rank " << node.node;
  }
};

TEST_F(HostsTest, ThreeMachinesLearnAsOneMachineWithThreeRanks) {
  TestNetwork network(3);
  const auto far = runProgram(train(folder() / "far", 6, {"--hosts", network.hosts(), "--nproc-per-node", "1"}),
                              {.environment = {{"ROADTUNE_SSH_CONFIG", network.sshConfig()}}, .timeoutSeconds = 150});
  ASSERT_EQ(far.exitCode, 0) << far.out << far.err;
  const auto near = runProgram(train(folder() / "near", 6, {"--nproc-per-node", "3"}), {.timeoutSeconds = 150});
  ASSERT_EQ(near.exitCode, 0) << near.out << near.err;
  const auto farLosses = lossesOf(folder() / "far"), nearLosses = lossesOf(folder() / "near");
  ASSERT_EQ(farLosses.size(), 6u);
  ASSERT_EQ(nearLosses.size(), 6u);
  for (const auto& [step, loss] : nearLosses) EXPECT_NEAR(farLosses.at(step), loss, 1e-4 * loss) << "step " << step;

  expectRankEventsOnBothSides(folder() / "far");
  const auto manifest = protocol::readManifest(protocol::RunLayout(folder() / "far").manifest());
  ASSERT_TRUE(manifest.ok());
  ASSERT_EQ(manifest.value().nodes.size(), 3u);
  for (const auto& node : manifest.value().nodes) {
    const protocol::RunLayout here(folder() / "far"), there(node.folder);
    EXPECT_EQ(readAll(here.nodeEvents(node.node)), readAll(there.nodeEvents(node.node)))
        << "events of node " << node.node;
  }
  EXPECT_EQ(runProgram({"roadtune", "stop", (folder() / "far").string()},
                       {.environment = {{"ROADTUNE_SSH_CONFIG", network.sshConfig()}}})
                .exitCode,
            0)
      << "the proof that nothing is left";
}

TEST_F(HostsTest, AnUnknownMachineIsNotTrustedSilently) {
  TestNetwork network(1);
  network.forgetHostKey(0);
  const auto result = runProgram(train(folder() / "run", 2, {"--hosts", "host1"}),
                                 {.environment = {{"ROADTUNE_SSH_CONFIG", network.sshConfig()}}});
  EXPECT_EQ(result.exitCode, 2) << result.err;
  EXPECT_NE(result.err.find("unknown host key"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("SHA256:"), std::string::npos) << result.err;
  EXPECT_FALSE(std::filesystem::exists(folder() / "run")) << "nothing is written for a run that cannot start";
}

TEST_F(HostsTest, ARunSurvivesACutCableAndItsCopyIsCompleteAfterwards) {
  TestNetwork network(1);
  const std::map<std::string, std::string> environment{{"ROADTUNE_SSH_CONFIG", network.sshConfig()}};
  auto training = std::async(std::launch::async, [&] {
    return runProgram(train(folder() / "run", 60, {"--hosts", "host1", "--nproc-per-node", "1"}),
                      {.environment = environment, .timeoutSeconds = 280});
  });
  const double deadline = monotonicSeconds() + 90;
  const protocol::RunLayout layout(folder() / "run");
  while (monotonicSeconds() < deadline &&
         (!std::filesystem::exists(layout.rankEvents(0)) || lossesOf(folder() / "run").empty()))
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  network.cable(0, false);
  std::this_thread::sleep_for(std::chrono::seconds(60));
  network.cable(0, true);
  const ProgramResult result = training.get();
  EXPECT_EQ(result.exitCode, 0) << result.out << result.err;
  const auto manifest = protocol::readManifest(layout.manifest());
  ASSERT_TRUE(manifest.ok());
  const protocol::RunLayout there(manifest.value().nodes.at(0).folder);
  EXPECT_EQ(readAll(layout.rankEvents(0)), readAll(there.rankEvents(0)));
  EXPECT_EQ(readAll(layout.nodeEvents(0)), readAll(there.nodeEvents(0)));
  EXPECT_EQ(lossesOf(folder() / "run").size(), 60u) << "no step is missing";
  const auto shown =
      runProgram({"roadtune", "runs", "show", (folder() / "run").string()}, {.environment = environment});
  EXPECT_NE(shown.out.find("system/clock_offset"), std::string::npos) << shown.out;
}

TEST_F(HostsTest, AMachineBehindTwoOthersIsReachedThroughThem) {
  TestNetwork network(3);
  network.closeWay(2, -1);
  network.closeWay(2, 0);
  const auto direct = runProgram({"timeout", "2", "bash", "-c", "exec 3<>/dev/tcp/" + network.address(2) + "/22"});
  ASSERT_NE(direct.exitCode, 0) << "the direct way is open, the test shows nothing";
  std::ofstream(network.sshConfig(), std::ios::app) << "\nHost host3\n  ProxyJump host1,host2\n";
  const auto result =
      runProgram(train(folder() / "run", 4, {"--hosts", "host3", "--nproc-per-node", "1"}),
                 {.environment = {{"ROADTUNE_SSH_CONFIG", network.sshConfig()}}, .timeoutSeconds = 200});
  EXPECT_EQ(result.exitCode, 0) << result.out << result.err;
  EXPECT_EQ(lossesOf(folder() / "run").size(), 4u);
}

TEST_F(HostsTest, ALongAndLossyWayCostsNothingButTime) {
  TestNetwork network(2);
  for (const int host : {0, 1})
    if (!network.impair(host, {"delay", "40ms", "5ms", "loss", "1%"})) GTEST_SKIP() << "this kernel has no netem";
  const auto result =
      runProgram(train(folder() / "run", 8, {"--hosts", network.hosts(), "--nproc-per-node", "1"}),
                 {.environment = {{"ROADTUNE_SSH_CONFIG", network.sshConfig()}}, .timeoutSeconds = 200});
  EXPECT_EQ(result.exitCode, 0) << result.out << result.err;
  EXPECT_EQ(lossesOf(folder() / "run").size(), 8u);
  expectRankEventsOnBothSides(folder() / "run");
}

TEST_F(HostsTest, LostPacketsCostNothingButTime) {
  TestNetwork network(2);
  for (const int host : {0, 1})
    if (!network.losePackets(host, 2)) GTEST_SKIP() << "no nft, or a kernel that does not let it drop at random";
  const std::map<std::string, std::string> environment{{"ROADTUNE_SSH_CONFIG", network.sshConfig()}};
  const auto result = runProgram(train(folder() / "run", 8, {"--hosts", network.hosts(), "--nproc-per-node", "1"}),
                                 {.environment = environment, .timeoutSeconds = 300});
  EXPECT_EQ(result.exitCode, 0) << result.out << result.err;
  EXPECT_EQ(lossesOf(folder() / "run").size(), 8u);
  expectRankEventsOnBothSides(folder() / "run");
}

TEST_F(HostsTest, StopReachesAMachineFarAwayAndProvesThatNothingIsLeft) {
  TestNetwork network(2);
  const std::map<std::string, std::string> environment{{"ROADTUNE_SSH_CONFIG", network.sshConfig()}};
  const std::string run = folder() / "run";
  const auto started = runProgram(train(run, 5000, {"--hosts", network.hosts(), "--nproc-per-node", "1", "--detach"}),
                                  {.environment = environment, .timeoutSeconds = 150});
  ASSERT_EQ(started.exitCode, 0) << started.err;
  const auto stopped = runProgram({"roadtune", "stop", run}, {.environment = environment, .timeoutSeconds = 120});
  EXPECT_EQ(stopped.exitCode, 0) << stopped.out << stopped.err;
  EXPECT_NE(stopped.out.find("✓ node 0"), std::string::npos) << stopped.out;
  EXPECT_NE(stopped.out.find("✓ node 1"), std::string::npos) << stopped.out;
}

TEST_F(HostsTest, StopNowEndsFarAwayWhatOutlivedItsAgent) {
  TestNetwork network(1);
  const std::string run = folder() / "run";
  ASSERT_EQ(roadtune(network, trainWords(run, 5000, {"--hosts", "host1", "--detach"})).exitCode, 0);
  const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
  ASSERT_TRUE(manifest.ok());
  const auto agent = lookUpProcess(static_cast<pid_t>(manifest.value().nodes.at(0).agentPid));
  ASSERT_TRUE(agent.has_value());
  const auto ranks = descendantsOf(agent->id.pid);
  ASSERT_FALSE(ranks.empty());
  std::vector<testing::HeldProcess> deaf;  // to the end of their agent
  for (const auto& rank : ranks) deaf.emplace_back(rank.id.pid);
  if (!deaf.front().error().empty()) {
    roadtune(network, {"stop", run, "--now"});
    GTEST_SKIP() << deaf.front().error();
  }
  for (const pid_t pid : {agent->parent, agent->id.pid}) ::kill(pid, SIGKILL);  // the parent is its guardian
  for (const pid_t pid : {agent->parent, agent->id.pid})
    while (lookUpProcess(pid) && lookUpProcess(pid)->alive()) ::usleep(1000);

  const auto looked = roadtune(network, {"stop", run});
  EXPECT_EQ(looked.exitCode, 1) << looked.out << looked.err;
  EXPECT_NE(looked.out.find("✗ node 0 (host1)"), std::string::npos) << looked.out;
  EXPECT_NE(looked.err.find("--now ends what is left"), std::string::npos) << looked.err;
  for (const auto& rank : ranks) EXPECT_TRUE(isAlive(rank.id)) << "only looked at";

  const auto ended = roadtune(network, {"stop", run, "--now"});
  EXPECT_EQ(ended.exitCode, 0) << ended.out << ended.err;
  EXPECT_NE(ended.out.find("✓ node 0 (host1)"), std::string::npos) << ended.out;
  for (const auto& rank : ranks) EXPECT_FALSE(isAlive(rank.id));
}

TEST_F(HostsTest, DataThatIsNotThereIsNamedBeforeAnythingStarts) {
  TestNetwork network(1);
  auto words = train(folder() / "run", 2, {"--hosts", "host1", "--set", "model_name_or_path=/models/not-there"});
  const auto result = runProgram(words, {.environment = {{"ROADTUNE_SSH_CONFIG", network.sshConfig()}}});
  EXPECT_EQ(result.exitCode, 2) << result.err;
  EXPECT_NE(result.err.find("/models/not-there"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("host1"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace roadtune::remote
