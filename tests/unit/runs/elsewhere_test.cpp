// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on other machines, of which only a copy of their files is here.
#include "core/base/clock.h"
#include "core/base/file_lock.h"
#include "core/base/host_name.h"
#include "core/protocol/manifest.h"
#include "core/runs/run_catalogue.h"
#include "core/runs/run_json.h"
#include "core/runs/run_store.h"
#include "tests/unit/runs/fake_run.h"
#include "tests/unit/runs/opened_run.h"

#include <gtest/gtest.h>

#include <unistd.h>

namespace roadtune::runs {
namespace {

using testing::TempFolder;

TEST(RunElsewhere, SilenceOfARunElsewhereMeansNothingUnlessSomebodyFollowsIt) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.steps(1, 3, 1.0);
  run.flush();
  protocol::Manifest manifest;
  manifest.runId = "id";
  manifest.nodes = {{.node = 0, .host = "far", .address = "host1", .agentPid = 17}};
  ASSERT_TRUE(protocol::writeManifest(run.layout().manifest(), manifest).ok());
  RunStore store = open(folder / "r");
  EXPECT_EQ(store.state(run.now() + 3600), RunState::Running);
  ASSERT_TRUE(store.asOf().has_value());
  EXPECT_NEAR(*store.asOf(), run.now(), 2);
  EXPECT_NE(toJson(store).find("\"as_of\": 1"), std::string::npos);
  CatalogueOptions options;
  options.now = run.now() + 3600;
  EXPECT_EQ(describeRun(folder / "r", options).value().state, RunState::Running);
  EXPECT_TRUE(describeRun(folder / "r", options).value().asOf.has_value());
  {
    const auto mirror = tryLock(run.layout().mirrorLock(0));
    ASSERT_TRUE(mirror.ok() && mirror.value());
    EXPECT_EQ(store.state(run.now() + 3600), RunState::Lost);
    EXPECT_FALSE(describeRun(folder / "r", options).value().asOf.has_value());
  }
  run.rank(0, "bye", 3, {{"reason", "finished"}});
  run.flush();
  ASSERT_TRUE(store.refresh().ok());
  EXPECT_EQ(store.state(), RunState::Finished);
  EXPECT_FALSE(store.asOf().has_value());
}

TEST(RunElsewhere, AMachineOfOurNameIsNotThisOneAndItsClockMayBeBehind) {
  TempFolder folder;
  FakeRun run(folder / "r");  // its clock is far behind
  run.node(0, "hello", {{"host", hostName()}, {"pid", ::getpid()}});
  run.hello(0, {{"host", hostName()}, {"pid", ::getpid()}});
  run.steps(1, 3, 1.0);
  run.flush();
  protocol::Manifest manifest;
  manifest.runId = "id";
  manifest.nodes = {{.node = 0, .host = hostName(), .address = "host1", .agentPid = ::getpid()}};
  ASSERT_TRUE(protocol::writeManifest(run.layout().manifest(), manifest).ok());
  const auto mirror = tryLock(run.layout().mirrorLock(0));
  ASSERT_TRUE(mirror.ok() && mirror.value());
  const RunStore store = open(folder / "r");
  CatalogueOptions options;
  EXPECT_EQ(store.state(), RunState::Running) << "heard of a moment ago";
  EXPECT_EQ(describeRun(folder / "r", options).value().state, RunState::Running);
  options.now = wallSeconds() + 3600;
  EXPECT_EQ(store.state(options.now), RunState::Lost) << "that this process lives means nothing";
  EXPECT_EQ(describeRun(folder / "r", options).value().state, RunState::Lost);
}

TEST(RunElsewhere, AnEndFromBeforeItWasStartedAgainIsNotItsEnd) {
  TempFolder folder;
  FakeRun run(folder / "r");
  const auto live = [&run](int agent, const char* end) {
    run.node(0, "hello", {{"host", "far"}, {"pid", agent}});
    run.hello(0, {{"pid", agent + 1}});
    run.steps(1, 3, 1.0);
    for (int i = 0; i < 1000; ++i) run.node(0, "node", {{"cpu", 50}, {"mem_used", 123456789}});
    run.rank(0, "bye", 3, {{"reason", end}});
    run.node(0, "bye", {{"reason", end}});
    run.flush();
  };
  live(17, "stopped");
  protocol::Manifest manifest;
  manifest.runId = "id";
  manifest.nodes = {{.node = 0, .host = "far", .address = "host1", .agentPid = 17}};
  ASSERT_TRUE(protocol::writeManifest(run.layout().manifest(), manifest).ok());
  EXPECT_EQ(open(folder / "r").state(), RunState::Stopped);
  EXPECT_EQ(describeRun(folder / "r").value().state, RunState::Stopped);

  manifest.nodes[0].agentPid = 27;
  ASSERT_TRUE(protocol::writeManifest(run.layout().manifest(), manifest).ok());
  const RunStore again = open(folder / "r");
  EXPECT_EQ(again.state(), RunState::Running);
  EXPECT_EQ(again.end(), nullptr);
  ASSERT_TRUE(again.asOf().has_value());
  EXPECT_GT(*again.asOf(), run.now()) << "that it goes on is known since it was started";
  EXPECT_EQ(again.machines(), std::vector<std::string>{"host1"});
  const RunEntry entry = describeRun(folder / "r").value();
  EXPECT_EQ(entry.state, RunState::Running);
  EXPECT_TRUE(entry.asOf.has_value());

  live(27, "finished");
  EXPECT_EQ(open(folder / "r").state(), RunState::Finished);
  EXPECT_EQ(describeRun(folder / "r").value().state, RunState::Finished) << "its hello lies in the middle of the file";
}

}  // namespace
}  // namespace roadtune::runs
