// SPDX-License-Identifier: GPL-3.0-or-later
// One command trains on several machines: real sshd in network namespaces, real ranks with Gloo between them.
#include "core/base/clock.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "tests/support/program.h"
#include "tests/support/test_network.h"

#include <gtest/gtest.h>

#include <cmath>
#include <future>
#include <map>
#include <thread>

namespace roadtune::remote {
namespace {

using testing::ProgramResult;
using testing::readAll;
using testing::runProgram;
using testing::TempFolder;
using testing::TestNetwork;

std::map<std::int64_t, double> losses(const std::filesystem::path& run) {
  std::map<std::int64_t, double> values;
  protocol::EventReader reader(protocol::RunLayout(run).rankEvents(0));
  EXPECT_TRUE(reader
                  .pollFlat([&](const protocol::FlatEvent& event) {
                    if (event.kind == "step") values[event.step] = event.members.numberOr("loss", NAN);
                  })
                  .ok());
  return values;
}

class HostsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!TestNetwork::available()) return;
    s_demo = new TempFolder;
    const auto made =
        runProgram({"roadtune", "demo", "--out", s_demo->path().string(), "--prepare-only", "--progress", "none"});
    ASSERT_EQ(made.exitCode, 0) << made.err;
  }
  static void TearDownTestSuite() { delete std::exchange(s_demo, nullptr); }

  void SetUp() override {
    if (!TestNetwork::available()) GTEST_SKIP() << "network namespaces and a throw-away sshd need root";
  }

  std::vector<std::string> train(const std::filesystem::path& output, int steps,
                                 const std::vector<std::string>& more) const {
    std::vector<std::string> words{"roadtune",
                                   "train",
                                   (*s_demo / "demo.yaml").string(),
                                   "--progress",
                                   "none",
                                   "--set",
                                   "output_dir=" + output.string(),
                                   "--set",
                                   "max_steps=" + std::to_string(steps),
                                   "--set",
                                   "logging_steps=1",
                                   "--set",
                                   "per_device_train_batch_size=2"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  static TempFolder* s_demo;
  TempFolder m_folder;
};

TempFolder* HostsTest::s_demo = nullptr;

TEST_F(HostsTest, ThreeMachinesLearnAsOneMachineWithThreeRanks) {
  TestNetwork network(3);
  const auto far = runProgram(train(m_folder / "far", 6, {"--hosts", network.hosts(), "--nproc-per-node", "1"}),
                              {.environment = {{"ROADTUNE_SSH_CONFIG", network.sshConfig()}}, .timeoutSeconds = 150});
  ASSERT_EQ(far.exitCode, 0) << far.out << far.err;
  const auto near = runProgram(train(m_folder / "near", 6, {"--nproc-per-node", "3"}), {.timeoutSeconds = 150});
  ASSERT_EQ(near.exitCode, 0) << near.out << near.err;
  const auto farLosses = losses(m_folder / "far"), nearLosses = losses(m_folder / "near");
  ASSERT_EQ(farLosses.size(), 6u);
  ASSERT_EQ(nearLosses.size(), 6u);
  for (const auto& [step, loss] : nearLosses) EXPECT_NEAR(farLosses.at(step), loss, 1e-4 * loss) << "step " << step;

  const auto manifest = protocol::readManifest(protocol::RunLayout(m_folder / "far").manifest());
  ASSERT_TRUE(manifest.ok());
  ASSERT_EQ(manifest.value().nodes.size(), 3u);
  for (const auto& node : manifest.value().nodes) {
    const protocol::RunLayout here(m_folder / "far"), there(node.folder);
    EXPECT_EQ(readAll(here.nodeEvents(node.node)), readAll(there.nodeEvents(node.node)))
        << "events of node " << node.node;
    EXPECT_EQ(readAll(here.rankEvents(node.node)), readAll(there.rankEvents(node.node)))
        << "events of rank " << node.node;
  }
  EXPECT_EQ(runProgram({"roadtune", "stop", (m_folder / "far").string()},
                       {.environment = {{"ROADTUNE_SSH_CONFIG", network.sshConfig()}}})
                .exitCode,
            0)
      << "the proof that nothing is left";
}

TEST_F(HostsTest, AnUnknownMachineIsNotTrustedSilently) {
  TestNetwork network(1);
  network.forgetHostKey(0);
  const auto result = runProgram(train(m_folder / "run", 2, {"--hosts", "host1"}),
                                 {.environment = {{"ROADTUNE_SSH_CONFIG", network.sshConfig()}}});
  EXPECT_EQ(result.exitCode, 2) << result.err;
  EXPECT_NE(result.err.find("unknown host key"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("SHA256:"), std::string::npos) << result.err;
  EXPECT_FALSE(std::filesystem::exists(m_folder / "run")) << "nothing is written for a run that cannot start";
}

TEST_F(HostsTest, ARunSurvivesACutCableAndItsCopyIsCompleteAfterwards) {
  TestNetwork network(1);
  const std::map<std::string, std::string> environment{{"ROADTUNE_SSH_CONFIG", network.sshConfig()}};
  auto training = std::async(std::launch::async, [&] {
    return runProgram(train(m_folder / "run", 60, {"--hosts", "host1", "--nproc-per-node", "1"}),
                      {.environment = environment, .timeoutSeconds = 200});
  });
  const double deadline = monotonicSeconds() + 90;
  const protocol::RunLayout layout(m_folder / "run");
  while (monotonicSeconds() < deadline &&
         (!std::filesystem::exists(layout.rankEvents(0)) || losses(m_folder / "run").empty()))
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  network.cable(0, false);
  std::this_thread::sleep_for(std::chrono::seconds(8));
  network.cable(0, true);
  const ProgramResult result = training.get();
  EXPECT_EQ(result.exitCode, 0) << result.out << result.err;
  const auto manifest = protocol::readManifest(layout.manifest());
  ASSERT_TRUE(manifest.ok());
  const protocol::RunLayout there(manifest.value().nodes.at(0).folder);
  EXPECT_EQ(readAll(layout.rankEvents(0)), readAll(there.rankEvents(0)));
  EXPECT_EQ(readAll(layout.nodeEvents(0)), readAll(there.nodeEvents(0)));
  EXPECT_EQ(losses(m_folder / "run").size(), 60u) << "no step is missing";
}

TEST_F(HostsTest, StopReachesAMachineFarAwayAndProvesThatNothingIsLeft) {
  TestNetwork network(2);
  const std::map<std::string, std::string> environment{{"ROADTUNE_SSH_CONFIG", network.sshConfig()}};
  const std::string run = m_folder / "run";
  const auto started = runProgram(train(run, 5000, {"--hosts", network.hosts(), "--nproc-per-node", "1", "--detach"}),
                                  {.environment = environment, .timeoutSeconds = 150});
  ASSERT_EQ(started.exitCode, 0) << started.err;
  const auto stopped = runProgram({"roadtune", "stop", run}, {.environment = environment, .timeoutSeconds = 120});
  EXPECT_EQ(stopped.exitCode, 0) << stopped.out << stopped.err;
  EXPECT_NE(stopped.out.find("✓ node 0"), std::string::npos) << stopped.out;
  EXPECT_NE(stopped.out.find("✓ node 1"), std::string::npos) << stopped.out;
}

TEST_F(HostsTest, DataThatIsNotThereIsNamedBeforeAnythingStarts) {
  TestNetwork network(1);
  auto words = train(m_folder / "run", 2, {"--hosts", "host1", "--set", "model_name_or_path=/models/not-there"});
  const auto result = runProgram(words, {.environment = {{"ROADTUNE_SSH_CONFIG", network.sshConfig()}}});
  EXPECT_EQ(result.exitCode, 2) << result.err;
  EXPECT_NE(result.err.find("/models/not-there"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("host1"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace roadtune::remote
