// SPDX-License-Identifier: GPL-3.0-or-later
// What lies in a folder when the machine died while a run was loading, and when it makes room for the next start.
#include "remote/launch/run_folder.h"

#include "core/base/host_name.h"
#include "core/protocol/event_writer.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/agent_lock.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>

#include <unistd.h>

namespace roadtune::remote {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kNobody = 5'000'000;  // more than Linux numbers

class LostStart : public ::testing::Test {
 protected:
  LostStart() {
    m_folder.write("run.yaml", "max_steps: 3\n");
    m_folder.write("logs/rank-000.log", "loading\n");
    manifest.runId = "lost";
    manifest.nodes = {{.node = 0, .host = hostName(), .processes = 2, .agentPid = kNobody, .agentStart = 1}};
    say(layout().nodeEvents(0), "hello", {{"host", hostName()}});
    for (int rank = 0; rank < 2; ++rank) begin(ProcessId{static_cast<pid_t>(kNobody), 1});
    say(layout().rankEvents(0), "hello", {{"host", hostName()}});
  }

  protocol::RunLayout layout() const { return protocol::RunLayout(m_folder.path()); }
  static void say(const std::filesystem::path& file, const std::string& kind, const nlohmann::json& body) {
    protocol::EventWriter::open(file, 0).value()->write(kind, 0, body);
  }
  void begin(const ProcessId& id) const {
    say(layout().nodeEvents(0), "process", {{"pid", id.pid}, {"start_ticks", id.startTicks}, {"state", "started"}});
  }

  // Empty when the folder is free.
  std::string refusal(bool overwrite = false) const {
    if (!manifest.runId.empty()) EXPECT_TRUE(protocol::writeManifest(layout().manifest(), manifest).ok());
    const Status free = checkFolderFree(m_folder.path(), overwrite);
    return free.ok() ? "" : free.error().text();
  }

  testing::TempFolder m_folder;
  protocol::Manifest manifest;  // written unless it has no id
};

TEST_F(LostStart, MakesRoom) { EXPECT_EQ(refusal(), ""); }

TEST_F(LostStart, WithoutAnAgentMayHaveOnlyBegun) {
  manifest.nodes[0].agentPid = 0;
  EXPECT_THAT(refusal(), HasSubstr("already holds a run"));
  manifest.nodes.clear();
  EXPECT_THAT(refusal(), HasSubstr("already holds a run"));
}

TEST_F(LostStart, WithoutAManifestBelongsToNobodyKnown) {
  manifest.runId.clear();
  EXPECT_THAT(refusal(), HasSubstr("already holds a run"));
}

TEST_F(LostStart, OfAnotherMachineIsNotKnownToBeOver) {
  for (const bool reached : {true, false}) {
    (reached ? manifest.nodes[0].address : manifest.nodes[0].host) = "node7";
    EXPECT_THAT(refusal(), HasSubstr("already holds a run (try: see on node7 whether it still goes on,")) << reached;
    manifest.nodes[0].address.clear();
  }
}

TEST_F(LostStart, OfAnotherMachineIsNotJudgedByTheProcessesOfThisOne) {
  manifest.nodes[0].address = "node7";
  begin(lookUpProcess(::getpid())->id);
  EXPECT_THAT(refusal(), HasSubstr("already holds a run"));
}

TEST_F(LostStart, OfAnotherMachineIsOverwrittenOnlyWhenItHasEnded) {
  manifest.nodes[0].address = "node7";
  EXPECT_THAT(refusal(true), HasSubstr("a run goes on in this folder, as far as is known here, on node7"));
  say(layout().nodeEvents(0), "hello", {{"host", "node7"}, {"pid", kNobody}});
  say(layout().nodeEvents(0), "bye", {{"reason", "finished"}, {"exit_code", 0}});
  say(layout().rankEvents(0), "step", {{"loss", 1.0}});
  EXPECT_EQ(refusal(true), "");
  EXPECT_THAT(refusal(), HasSubstr("already holds a run"));
}

TEST_F(LostStart, WithAnAgentThatLivesKeepsItsFolder) {
  const auto self = lookUpProcess(::getpid());
  ASSERT_TRUE(self.has_value());
  manifest.nodes[0].agentPid = self->id.pid;
  manifest.nodes[0].agentStart = self->id.startTicks;
  EXPECT_THAT(refusal(), HasSubstr("already holds a run"));
}

TEST_F(LostStart, WithALockThatIsHeldIsGoingOn) {
  const auto lock = AgentLock::take(m_folder.path(), 0);
  ASSERT_TRUE(lock.ok());
  EXPECT_THAT(refusal(), HasSubstr("a run is going on in this folder"));
}

TEST_F(LostStart, WithARankThatLivesKeepsItsFolder) {
  begin(lookUpProcess(::getpid())->id);
  EXPECT_THAT(refusal(), HasSubstr("its agent is gone, but not process " + std::to_string(::getpid())));
}

TEST_F(LostStart, WithARankThatNobodyNamedKeepsItsFolder) {
  manifest.nodes[0].processes = 3;
  EXPECT_THAT(refusal(), HasSubstr("already holds a run"));
  manifest.nodes[0].processes = 2;
  say(layout().nodeEvents(0), "hello", {{"host", hostName()}});  // started again, and lost at once
  EXPECT_THAT(refusal(), HasSubstr("already holds a run"));
}

TEST_F(LostStart, WithAStepKeepsItsFolder) {
  say(layout().rankEvents(0), "step", {{"loss", 1.0}});
  EXPECT_THAT(refusal(), HasSubstr("already holds a run"));
}

TEST_F(LostStart, WithACheckpointKeepsItsFolder) {
  std::filesystem::create_directories(layout().checkpoint(2));
  EXPECT_THAT(refusal(), HasSubstr("already holds a run"));
}

}  // namespace
}  // namespace roadtune::remote
