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

}  // namespace
}  // namespace roadtune::remote
