// SPDX-License-Identifier: GPL-3.0-or-later
// The disk of a machine fills up while a run goes on there: nobody waits for ever, and the disk is what is told.
#include "core/base/clock.h"
#include "core/base/subprocess.h"
#include "core/base/unique_fd.h"
#include "core/protocol/manifest.h"
#include "remote/agent/process_table.h"
#include "tests/integration/hosts/host_runs.h"

#include <gmock/gmock.h>

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace roadtune::remote {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::TestNetwork;

struct FarFullDisk : testing::HostRuns {
  // A run on the first machine, whose runs lie on a disk of their own; it has made a few steps.
  void begin(const TestNetwork& network, int steps = 300, int saveEvery = 40) {
    const auto runs = network.home(0) / ".roadtune/runs";
    std::filesystem::create_directories(runs);
    network.mountThere(0, runs, "size=20m");
    const auto words =
        trainWords(run(), steps, {"--hosts", "host1", "--set", "save_steps=" + std::to_string(saveEvery), "--detach"});
    const auto started = roadtune(network, words);
    ASSERT_EQ(started.exitCode, 0) << started.err;
    m_attached = roadtuneInBackground(network, {"attach", run().string(), "--progress", "none"});
    for (const double deadline = monotonicSeconds() + 60; monotonicSeconds() < deadline; ::usleep(50'000))
      if (lossesOf(run()).size() >= 3) return;
    FAIL() << "no steps";
  }

  std::filesystem::path run() const { return folder() / "run"; }

  void fill(const TestNetwork& network) {
    network.onDisk(
        0, {"sh", "-c", "cat /dev/zero > " + (network.home(0) / ".roadtune/runs/ballast").string() + " || true"});
  }

  // How following it ended; fails where it does not.
  testing::ProgramResult ended() {
    EXPECT_EQ(m_attached.wait_for(std::chrono::seconds(90)), std::future_status::ready);
    return m_attached.get();
  }

 private:
  std::future<testing::ProgramResult> m_attached;
};

TEST_F(FarFullDisk, TheEndIsToldWithItsCause) {
  const TestNetwork network(1);
  begin(network);
  fill(network);
  const auto result = ended();
  EXPECT_EQ(result.exitCode, 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr("The disk is full"));
  EXPECT_THAT(result.err, HasSubstr("what to do: free some space"));
  const auto again = roadtune(network, {"attach", run().string(), "--progress", "none"});
  EXPECT_EQ(again.exitCode, 1);
  EXPECT_THAT(again.err, HasSubstr("The disk is full"));
}

TEST_F(FarFullDisk, AStopArrivesWhereNoWordCanBeWritten) {
  const TestNetwork network(1);
  begin(network, 100000, 100000);
  fill(network);
  const auto stopped = roadtune(network, {"stop", run().string(), "--now", "--timeout", "60"});
  EXPECT_EQ(stopped.exitCode, 0) << stopped.err;
  EXPECT_THAT(stopped.out, HasSubstr("✓ node 0 (host1): no process left"));
  EXPECT_THAT(stopped.err, Not(HasSubstr("ending its processes from outside")));
  EXPECT_THAT(ended().out, HasSubstr("stopped after"));
}

TEST_F(FarFullDisk, AnAgentThatIsKilledThereIsTold) {
  const TestNetwork network(1);
  begin(network);
  fill(network);
  const auto manifest = protocol::readManifest(protocol::RunLayout(run()).manifest());
  ASSERT_TRUE(manifest.ok());
  const auto agent = lookUpProcess(static_cast<pid_t>(manifest.value().nodes.at(0).agentPid));
  ASSERT_TRUE(agent.has_value());
  network.onDisk(0, {"sh", "-c", "rm -f " + (network.home(0) / ".roadtune/runs").string() + "/*/n0/.spare-00"});
  fill(network);
  for (const pid_t pid : {agent->parent, agent->id.pid}) ::kill(pid, SIGKILL);
  const auto result = ended();
  EXPECT_EQ(result.exitCode, 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr("the disk of the run was full, and how it ended could not be written"));
  EXPECT_THAT(result.err, HasSubstr("free some space, then roadtune resume"));
  EXPECT_THAT(result.err, Not(HasSubstr("was killed")));
}

}  // namespace
}  // namespace roadtune::remote
