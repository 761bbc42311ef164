// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on other machines, of which only a copy of their files is here.
#include "core/base/file_lock.h"
#include "core/protocol/manifest.h"
#include "core/runs/run_catalogue.h"
#include "core/runs/run_json.h"
#include "core/runs/run_store.h"
#include "tests/unit/runs/fake_run.h"
#include "tests/unit/runs/opened_run.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace roadtune::runs
