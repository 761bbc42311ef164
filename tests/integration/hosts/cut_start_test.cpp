// SPDX-License-Identifier: GPL-3.0-or-later
// A launcher that is killed while it starts agents leaves nothing that its run's folder does not lead to.
#include "core/base/clock.h"
#include "core/base/subprocess.h"
#include "core/protocol/manifest.h"
#include "remote/agent/process_table.h"
#include "tests/integration/hosts/host_runs.h"

#include <gmock/gmock.h>

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

namespace roadtune::remote {
namespace {

using ::testing::HasSubstr;
using testing::TestNetwork;

class CutStart : public testing::HostRuns {
 protected:
  // Commands that start an agent there are done, and never say so.
  static void holdStarts(const TestNetwork& network, int host) {
    std::ofstream(network.home(host) / ".bashrc")
        << "case \"$BASH_EXECUTION_STRING\" in *--first-rank*) bash --norc -c \"$BASH_EXECUTION_STRING\"; sleep 600;; "
           "esac\n";
  }
  static void letStartsGo(const TestNetwork& network, int host) {
    std::filesystem::remove(network.home(host) / ".bashrc");
  }
  // Everything of ours that runs on a machine names its home.
  static std::vector<std::string> processesOn(const TestNetwork& network, int host) {
    std::vector<std::string> found;
    for (const auto& process : allProcesses())
      if (const std::string line = commandLineOf(process.id.pid);
          process.alive() && line.find((network.home(host) / ".roadtune/runs").string()) != std::string::npos &&
          line.find("bash") == std::string::npos && line.find("--stream") == std::string::npos)
        found.push_back(line);
    return found;
  }
  static bool eventually(const std::function<bool()>& condition) {
    for (const double deadline = monotonicSeconds() + 60; monotonicSeconds() < deadline; ::usleep(50'000))
      if (condition()) return true;
    return false;
  }
  // Kills it in the moment in which the last agent runs and nobody has written down who that is.
  static void killInTheWindow(const TestNetwork& network, std::vector<std::string> words, const std::string& run,
                              int lastHost) {
    words = prefixed(std::move(words));
    words[0] = testing::programPath("roadtune");
    const UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    SpawnOptions options{.command = words, .environment = {{"ROADTUNE_SSH_CONFIG", network.sshConfig()}}};
    options.output = options.error = Stream::given(nothing.get());
    Subprocess launcher = Subprocess::start(options).value();
    const bool ranks = eventually([&] { return processesOn(network, lastHost).size() >= 3; });
    ::kill(launcher.pid(), SIGKILL);
    [[maybe_unused]] const auto ended = launcher.wait();
    ASSERT_TRUE(ranks) << "agent, guardian and rank did not start";
    const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
    ASSERT_TRUE(manifest.ok());
    ASSERT_FALSE(manifest.value().nodes.back().agentPid > 0) << "too late: the agent is known";
  }
};

TEST_F(CutStart, StopEndsWhatNobodyHadWrittenDown) {
  TestNetwork network(2);
  const std::string run = folder() / "run";
  holdStarts(network, 1);
  killInTheWindow(network, trainWords(run, 5000, {"--hosts", network.hosts(), "--nproc-per-node", "1"}), run, 1);
  const auto stopped = roadtune(network, {"stop", run, "--now"});
  EXPECT_EQ(stopped.exitCode, 0) << stopped.out << stopped.err;
  EXPECT_THAT(stopped.out, HasSubstr("✓ node 0 (host1)"));
  EXPECT_THAT(stopped.out, HasSubstr("✓ node 1 (host2)"));
  for (const int host : {0, 1}) EXPECT_THAT(processesOn(network, host), ::testing::IsEmpty());
}

TEST_F(CutStart, AttachFindsTheRunThatGoesOn) {
  TestNetwork network(1);
  const std::string run = folder() / "run";
  holdStarts(network, 0);
  killInTheWindow(network, trainWords(run, 20, {"--hosts", "host1"}), run, 0);
  const auto followed = roadtune(network, {"attach", run, "--progress", "none"});
  EXPECT_EQ(followed.exitCode, 0) << followed.out << followed.err;
  EXPECT_THAT(followed.out, HasSubstr("finished"));
  EXPECT_EQ(lossesOf(run).size(), 20u);
}

TEST_F(CutStart, ASecondResumeMakesNoSecondCopy) {
  TestNetwork network(3);
  const std::string run = folder() / "run";
  const auto made = roadtune(network, trainWords(run, 2, {"--set", "save_steps=1", "--set", "num_train_epochs=1"}));
  ASSERT_EQ(made.exitCode, 0) << made.err;
  std::string yaml = testing::readAll(protocol::RunLayout(run).config());
  yaml.replace(yaml.find("max_steps: 2"), 12, "max_steps: 5000");
  std::ofstream(protocol::RunLayout(run).config()) << yaml;
  holdStarts(network, 2);
  killInTheWindow(network, {"resume", run, "--hosts", "host3", "--progress", "none"}, run, 2);
  letStartsGo(network, 2);
  const auto second = roadtune(network, {"resume", run, "--hosts", "host2", "--detach"});
  EXPECT_EQ(second.exitCode, 2) << second.out << second.err;
  EXPECT_THAT(second.err, HasSubstr("the run is going on"));
  EXPECT_THAT(processesOn(network, 1), ::testing::IsEmpty());
  EXPECT_EQ(roadtune(network, {"stop", run, "--now"}).exitCode, 0);
  EXPECT_THAT(processesOn(network, 2), ::testing::IsEmpty());
}

TEST_F(CutStart, WhereNothingHadStartedTheMachinesAreAskedAndTheRunStartsAgain) {
  TestNetwork network(1);
  const std::string run = folder() / "run";
  ASSERT_EQ(roadtune(network, trainWords(run, 2, {"--hosts", "host1"})).exitCode, 0);
  // As if the launcher of a start had been killed before its first agent.
  const auto file = protocol::RunLayout(run).manifest();
  auto manifest = protocol::readManifest(file).value();
  manifest.nodes[0].agentPid = 0;
  std::ofstream(std::filesystem::path(manifest.nodes[0].folder) / "manifest.json") << "{}";
  ASSERT_TRUE(protocol::writeManifest(file, manifest).ok());
  for (const char* part : {"events", "logs"}) std::filesystem::remove_all(std::filesystem::path(run) / part);
  for (const auto& one : protocol::RunLayout(run).checkpoints()) std::filesystem::remove_all(one.path);
  std::filesystem::create_directories(protocol::RunLayout(run).events());
  network.cable(0, false);
  const auto unknown = roadtune(network, {"stop", run});
  EXPECT_EQ(unknown.exitCode, 1) << unknown.out << unknown.err;
  EXPECT_THAT(unknown.out, ::testing::Not(HasSubstr("no process left")));
  network.cable(0, true);
  const auto stopped = roadtune(network, {"stop", run});
  EXPECT_EQ(stopped.exitCode, 0) << stopped.out << stopped.err;
  const auto followed = roadtune(network, {"attach", run, "--progress", "none"});
  EXPECT_EQ(followed.exitCode, 1) << followed.out;
  EXPECT_THAT(followed.err, HasSubstr("cut before anything ran"));
}

}  // namespace
}  // namespace roadtune::remote
