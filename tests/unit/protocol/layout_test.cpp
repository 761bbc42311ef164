// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

namespace roadtune::protocol {
namespace {

using testing::TempFolder;

TEST(RunLayout, NamesFilesByRankAndNode) {
  const RunLayout layout("/runs/a");
  EXPECT_EQ(layout.rankEvents(0), "/runs/a/events/rank-000.jsonl");
  EXPECT_EQ(layout.rankEvents(1234), "/runs/a/events/rank-1234.jsonl");
  EXPECT_EQ(layout.nodeEvents(3), "/runs/a/events/node-03.jsonl");
  EXPECT_EQ(layout.rankLog(12), "/runs/a/logs/rank-012.log");
  EXPECT_EQ(layout.checkpoint(800), "/runs/a/checkpoint-800");
}

TEST(RunLayout, KnowsARunWhenItSeesOne) {
  TempFolder folder;
  EXPECT_FALSE(RunLayout(folder.path()).isRun());
  folder.write("run.yaml", "seed: 1\n");
  EXPECT_FALSE(RunLayout(folder.path()).isRun());
  std::filesystem::create_directory(folder / "events");
  EXPECT_TRUE(RunLayout(folder.path()).isRun());
}

TEST(RunLayout, TrustsOnlyCheckpointsWithTheirMarker) {
  TempFolder folder;
  folder.write("checkpoint-100/COMPLETE", "");
  folder.write("checkpoint-1000/model.safetensors", "");
  folder.write("checkpoint-20/COMPLETE", "");
  folder.write("checkpoint-best/COMPLETE", "");
  folder.write("checkpoint-7", "a file");
  const RunLayout layout(folder.path());
  ASSERT_EQ(layout.checkpoints().size(), 3u);
  EXPECT_EQ(layout.checkpoints()[0].step, 20);
  EXPECT_FALSE(layout.checkpoints()[2].complete);
  EXPECT_EQ(layout.lastCompleteCheckpoint()->step, 100);
}

TEST(RunLayout, TheStepIsInTheFoldersName) {
  EXPECT_EQ(checkpointStep("checkpoint-40"), 40);
  for (const char* name : {"checkpoint-", "checkpoint-4x", "checkpoint--4", "checkpoint-best", "4", ""})
    EXPECT_FALSE(checkpointStep(name)) << name;
}

TEST(RunLayout, ListsFilesByNumber) {
  TempFolder folder;
  folder.write("events/rank-010.jsonl", "");
  folder.write("events/rank-002.jsonl", "");
  folder.write("events/rank-x.jsonl", "");
  folder.write("events/node-01.jsonl", "");
  folder.write("logs/rank-000.log", "");
  const RunLayout layout(folder.path());
  EXPECT_EQ(layout.ranksWithEvents(), (std::vector<int>{2, 10}));
  EXPECT_EQ(layout.nodesWithEvents(), (std::vector<int>{1}));
  EXPECT_EQ(layout.ranksWithLogs(), (std::vector<int>{0}));
}

Manifest sample() {
  Manifest manifest;
  manifest.runId = "20260131-081530-8f3a";
  manifest.name = "night walkers";
  manifest.created = 1769847330.5;
  manifest.model = "/models/p";
  manifest.method = "lora";
  manifest.command = {"roadtune", "train", "run.yaml"};
  manifest.worldSize = 4;
  ManifestNode first;
  first.host = "a";
  first.processes = 2;
  first.agentSocket = "/run/user/0/x.sock";
  first.agentPid = 4711;
  first.agentStart = 123456789;
  ManifestNode second;
  second.node = 1;
  second.host = "b";
  second.address = "10.0.0.2";
  manifest.nodes = {first, second};
  manifest.dataHashes = {{"/data/train.jsonl", "ab12"}};
  manifest.attributions = {"some licence line"};
  return manifest;
}

TEST(Manifest, ComesBackAsItWasWritten) {
  TempFolder folder;
  ASSERT_TRUE(writeManifest(folder / "manifest.json", sample()).ok());
  const auto back = readManifest(folder / "manifest.json");
  ASSERT_TRUE(back.ok()) << back.error().text();
  EXPECT_EQ(toJson(back.value()), toJson(sample()));
  EXPECT_EQ(back.value().nodes[0].agentStart, 123456789u);
  EXPECT_EQ(back.value().nodes[1].address, "10.0.0.2");
}

TEST(Manifest, KeepsFieldsItDoesNotKnow) {
  TempFolder folder;
  auto json = toJson(sample());
  json["later"] = {{"x", 1}};
  folder.write("manifest.json", json.dump());
  auto manifest = readManifest(folder / "manifest.json");
  ASSERT_TRUE(manifest.ok());
  manifest.value().attempt = 2;
  ASSERT_TRUE(writeManifest(folder / "manifest.json", manifest.value()).ok());
  const auto again = readManifest(folder / "manifest.json");
  EXPECT_EQ(again.value().other["later"]["x"], 1);
  EXPECT_EQ(again.value().attempt, 2);
}

TEST(Manifest, RefusesWhatItCannotUnderstand) {
  TempFolder folder;
  folder.write("m.json", "no json");
  EXPECT_EQ(readManifest(folder / "m.json").error().kind, ErrorKind::BadInput);
  folder.write("m.json", R"({"format": 2})");
  EXPECT_NE(readManifest(folder / "m.json").error().hint.find("newer"), std::string::npos);
  EXPECT_FALSE(readManifest(folder / "none.json").ok());
}

TEST(Manifest, RunIdsSortByTime) {
  EXPECT_LT(makeRunId(1769847330, 1), makeRunId(1769847331, 0));
  EXPECT_NE(makeRunId(1769847330, 1), makeRunId(1769847330, 2));
}

}  // namespace
}  // namespace roadtune::protocol
