// SPDX-License-Identifier: GPL-3.0-or-later
// The end of runs far away: machines that cannot be reached hold up none of the others, and Ctrl-C keeps what was made.
#include "core/base/clock.h"
#include "core/base/subprocess.h"
#include "core/protocol/manifest.h"
#include "remote/agent/process_table.h"
#include "tests/integration/hosts/host_runs.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <fstream>
#include <unistd.h>

namespace roadtune::remote {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::TestNetwork;

struct FarStop : testing::HostRuns {};

TEST_F(FarStop, StopNowEndsWhatItReachesWhereTheFirstMachineIsCutOff) {
  TestNetwork network(2);
  const std::string run = folder() / "run";
  const auto started = roadtune(network, trainWords(run, 100000, {"--hosts", network.hosts(), "--detach"}));
  ASSERT_EQ(started.exitCode, 0) << started.err;
  const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
  ASSERT_TRUE(manifest.ok());
  network.cable(0, false);
  const auto stopped = roadtune(network, {"stop", run, "--now"});
  EXPECT_EQ(stopped.exitCode, 1) << stopped.err;
  EXPECT_THAT(stopped.out, HasSubstr("✗ node 0 (host1): cannot be asked"));
  EXPECT_THAT(stopped.out, HasSubstr("✓ node 1 (host2): no process left"));
  const auto agent = lookUpProcess(static_cast<pid_t>(manifest.value().nodes.at(1).agentPid));
  EXPECT_FALSE(agent && agent->alive());
  network.cable(0, true);
  const auto again = roadtune(network, {"stop", run, "--now"});
  EXPECT_EQ(again.exitCode, 0) << again.out << again.err;
}

TEST_F(FarStop, StopNowEndsAnAgentThatHangs) {
  TestNetwork network(2);
  const std::string run = folder() / "run";
  ASSERT_EQ(roadtune(network, trainWords(run, 100000, {"--hosts", network.hosts(), "--detach"})).exitCode, 0);
  const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
  ASSERT_TRUE(manifest.ok());
  const auto agent = lookUpProcess(static_cast<pid_t>(manifest.value().nodes.at(1).agentPid));
  ASSERT_TRUE(agent.has_value());
  for (const pid_t pid : {agent->parent, agent->id.pid}) ::kill(pid, SIGSTOP);
  const auto stopped = roadtune(network, {"stop", run, "--now", "--timeout", "120"});
  EXPECT_EQ(stopped.exitCode, 0) << stopped.out << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("no goodbye yet: ending its processes from outside"));
  EXPECT_THAT(stopped.out, HasSubstr("✓ node 1 (host2): no process left"));
  EXPECT_FALSE(isAlive(agent->id));
  EXPECT_EQ(nlohmann::json::parse(roadtune(network, {"runs", "show", run, "--json"}).out)["state"], "stopped");
}

TEST_F(FarStop, AStopThatCannotBeAgreedUponSaysWhatItWaitsForAndWhatEndsIt) {
  TestNetwork network(2);
  const std::string run = folder() / "run";
  ASSERT_EQ(roadtune(network, trainWords(run, 100000, {"--hosts", network.hosts(), "--detach"})).exitCode, 0);
  network.cable(0, false);
  const auto stopped = roadtune(network, {"stop", run, "--timeout", "24"});
  EXPECT_EQ(stopped.exitCode, 1) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("host1 cannot be asked; waiting for the others"));
  EXPECT_THAT(stopped.err,
              HasSubstr("still waiting for node 1 (host2): to save, all ranks must come to the end of a step"));
  EXPECT_THAT(stopped.err, HasSubstr("roadtune stop " + run + " --now"));
  network.cable(0, true);
  EXPECT_EQ(roadtune(network, {"stop", run, "--now"}).exitCode, 0);
}

TEST_F(FarStop, CtrlCBringsHomeWhatTheRunHasMade) {
  TestNetwork network(1);
  const std::string run = folder() / "run";
  auto words = prefixed(trainWords(run, 100000, {"--hosts", "host1"}));
  words[0] = testing::programPath("roadtune");
  auto program = Subprocess::start({.command = words, .environment = {{"ROADTUNE_SSH_CONFIG", network.sshConfig()}}});
  ASSERT_TRUE(program.ok()) << program.error().text();
  for (const double deadline = monotonicSeconds() + 90; monotonicSeconds() < deadline && lossesOf(run).size() < 3;)
    ::usleep(100'000);
  ::kill(program.value().pid(), SIGINT);
  EXPECT_EQ(program.value().wait().code, 130);
  const protocol::RunLayout here(run);
  EXPECT_TRUE(std::filesystem::exists(here.allResults()));
  EXPECT_TRUE(here.lastCompleteCheckpoint().has_value());
}

TEST_F(FarStop, AShellThatGreetsItsUserChangesNothing) {
  TestNetwork network(2);
  std::ofstream(network.home(1) / ".bashrc") << "echo '*** Welcome ***'; printf 'to this machine'; echo noise >&2\n";
  const std::string run = folder() / "run";
  const auto trained = roadtune(network, trainWords(run, 3, {"--hosts", network.hosts()}));
  EXPECT_EQ(trained.exitCode, 0) << trained.err;
  const auto checked = roadtune(network, {"fleet", "check", "--hosts", network.hosts()});
  EXPECT_EQ(checked.exitCode, 0) << checked.out;
  EXPECT_THAT(checked.out + trained.err, Not(HasSubstr("Welcome")));
}

}  // namespace
}  // namespace roadtune::remote
