// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/agent_watch.h"

#include "core/base/host_name.h"
#include "core/protocol/event_writer.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/agent_lock.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

namespace roadtune::remote {
namespace {

TEST(WaitForStart, AnEarlierLifeThatSaidNoGoodbyeDoesNotCount) {
  const testing::TempFolder folder;
  const protocol::RunLayout layout(folder.path());
  protocol::Manifest manifest{.runId = "one"};
  manifest.nodes = {{.node = 0, .host = hostName()}};
  ASSERT_TRUE(protocol::writeManifest(layout.manifest(), manifest).ok());
  const auto greet = [&] {
    protocol::EventWriter::open(layout.nodeEvents(0), 0).value()->write("hello", 0, {{"host", hostName()}});
    protocol::EventWriter::open(layout.rankEvents(0), 0).value()->write("hello", 0, {{"host", hostName()}});
  };
  greet();
  protocol::EventReader before(layout.rankEvents(0));
  ASSERT_TRUE(before.pollFlat([](const protocol::FlatEvent&) {}).ok());
  const auto alive = AgentLock::take(folder.path(), 0);
  ASSERT_TRUE(alive.ok()) << alive.error().text();
  EXPECT_TRUE(waitForStart(folder.path(), 1).valueOr(false));
  EXPECT_FALSE(waitForStart(folder.path(), 0.2, before.tell()).valueOr(true));
  greet();
  EXPECT_TRUE(waitForStart(folder.path(), 1, before.tell()).valueOr(false));
}

TEST(AgentWatch, RanksThatLostThoseThatWereStoppedAreNoFailure) {
  for (const int late : {0, 1}) {
    const testing::TempFolder folder;
    const protocol::RunLayout layout(folder.path());
    protocol::Manifest manifest{.runId = "one"};
    for (const int node : {0, 1})
      manifest.nodes.push_back({.node = node, .host = "h", .address = "h" + std::to_string(node), .agentPid = 7});
    ASSERT_TRUE(protocol::writeManifest(layout.manifest(), manifest).ok());
    const auto speak = [&](int node, const nlohmann::json& bye) {
      const auto events = protocol::EventWriter::open(layout.nodeEvents(node), node);
      events.value()->write("hello", 0, {{"host", "h"}, {"pid", 7}});
      events.value()->write("bye", 0, bye);
    };
    speak(late, {{"reason", "failed"},
                 {"exit_code", 1},
                 {"message", "rank failed first"},
                 {"first_failed", {{"rank", late}, {"known", {{"advice", "look"}, {"consequence", true}}}}}});
    speak(1 - late, {{"reason", "stopped"}, {"exit_code", 130}, {"message", "stopped without saving"}});
    const auto told = AgentWatch(folder.path()).poll();
    ASSERT_TRUE(told.has_value());
    EXPECT_EQ(told->reason, "stopped");
    EXPECT_EQ(told->exitCode, 130);
  }
}

}  // namespace
}  // namespace roadtune::remote
