// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "core/protocol/manifest.h"
#include "core/runs/run_catalogue.h"
#include "core/runs/tensorboard_writer.h"
#include "tests/unit/runs/fake_run.h"

#include <gtest/gtest.h>

namespace roadtune::runs {
namespace {

using testing::TempFolder;

std::vector<std::string> names(const std::vector<RunEntry>& runs) {
  std::vector<std::string> list;
  for (const RunEntry& run : runs) list.push_back(run.name);
  return list;
}

TEST(RunCatalogue, FindsRunsBelowARootNewestFirst) {
  TempFolder folder;
  FakeRun old(folder / "a/deep/old", 1000.0), fresh(folder / "b/fresh", 2000.0);
  old.hello();
  fresh.hello();
  old.close();
  fresh.close();
  folder.write("b/fresh/checkpoint-5/events/rank-000.jsonl", "");
  folder.write(".hidden/x/events/rank-000.jsonl", "");
  folder.write("c/notes.txt", "");
  EXPECT_EQ(names(findRuns({folder.path()})), (std::vector<std::string>{"fresh", "old"}));
  EXPECT_EQ(names(findRuns({folder / "b/fresh"})), (std::vector<std::string>{"fresh"}));
  EXPECT_EQ(findRuns({folder.path(), folder / "b"}).size(), 2u);
}

TEST(RunCatalogue, DescribesARunFromTheEndsOfItsFiles) {
  TempFolder folder;
  FakeRun run(folder / "r");
  protocol::Manifest manifest;
  manifest.runId = "20260101-000000-0001";
  manifest.name = "night walkers";
  manifest.method = "lora";
  manifest.model = "/models/p";
  run.hello(0, {{"total_params", 1000}, {"trainable_params", 10}});
  run.steps(1, 5000, 2.0);
  run.rank(0, "step", 5001, {{"loss", 0.5}, {"samples_per_s", 12.5}, {"tokens_per_s", 800.0}, {"total_steps", 6000}});
  run.rank(0, "bye", 5001, {{"reason", "finished"}});
  run.close();
  ASSERT_TRUE(protocol::writeManifest(run.layout().manifest(), manifest).ok());
  const auto entry = describeRun(folder / "r");
  ASSERT_TRUE(entry.ok());
  EXPECT_EQ(entry.value().id, "20260101-000000-0001");
  EXPECT_EQ(entry.value().name, "night walkers");
  EXPECT_EQ(entry.value().method, "lora");
  EXPECT_EQ(entry.value().state, RunState::Finished);
  EXPECT_EQ(entry.value().step, 5001);
  EXPECT_EQ(entry.value().totalSteps, 6000);
  EXPECT_EQ(entry.value().loss, 0.5);
  EXPECT_EQ(entry.value().samplesPerSecond, 12.5);
  EXPECT_EQ(entry.value().trainableParams, 10);
  EXPECT_EQ(entry.value().started, 1767225601.0);
}

TEST(RunCatalogue, AResumedRunRunsAgain) {
  TempFolder folder;
  FakeRun run(folder / "r", wallSeconds() - 300);
  run.hello();
  run.steps(1, 100, 1.0);
  run.rank(0, "bye", 100, {{"reason", "stopped"}});
  EXPECT_TRUE(run.path() == folder / "r");
  run.close();
  EXPECT_EQ(describeRun(folder / "r").value().state, RunState::Stopped);
  run.hello(100);
  run.close();
  CatalogueOptions options;
  options.now = run.now() + 1;
  EXPECT_EQ(describeRun(folder / "r", options).value().state, RunState::Running);
  options.now = run.now() + 100;
  EXPECT_EQ(describeRun(folder / "r", options).value().state, RunState::Lost);
}

TEST(RunCatalogue, TakesModelAndMethodFromTheConfigurationWhenNothingElseTells) {
  TempFolder folder;
  folder.write("r/run.yaml", "model:\n  model_name_or_path: /models/x   # ours\nmethod:\n  finetuning_type: qlora\n");
  folder.write("r/events/rank-000.jsonl", "");
  const auto entry = describeRun(folder / "r");
  ASSERT_TRUE(entry.ok());
  EXPECT_EQ(entry.value().model, "/models/x");
  EXPECT_EQ(entry.value().method, "qlora");
  EXPECT_EQ(entry.value().name, "r");
}

TEST(RunCatalogue, ListsTensorboardFoldersOfOtherPrograms) {
  TempFolder folder;
  {
    auto writer = TensorboardWriter::open(folder / "hf-out/runs/Nov21_host", 1000);
    ASSERT_TRUE(writer.value().add(1500, 30, {{"train/loss", 0.25f}}).ok());
  }
  const auto found = findRuns({folder.path()});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].foreign);
  EXPECT_EQ(found[0].name, "hf-out/Nov21_host");
  EXPECT_EQ(found[0].step, 30);
  EXPECT_EQ(found[0].loss, 0.25);
  CatalogueOptions options;
  options.foreignRuns = false;
  EXPECT_TRUE(findRuns({folder.path()}, options).empty());
}

TEST(RunCatalogue, SaysWhenAFolderHoldsNoRun) {
  TempFolder folder;
  EXPECT_NE(describeRun(folder.path()).error().text().find("holds no run"), std::string::npos);
  EXPECT_EQ(describeRun(folder / "none").error().kind, ErrorKind::BadInput);
}

TEST(RunCatalogue, FollowsNoLinksInCircles) {
  TempFolder folder;
  folder.write("a/x.txt", "");
  std::filesystem::create_directory_symlink(folder.path(), folder / "a/loop");
  EXPECT_TRUE(findRuns({folder.path()}).empty());
}

TEST(RunCatalogue, CanBeStopped) {
  TempFolder folder;
  for (int i = 0; i < 5; ++i) folder.write("r" + std::to_string(i) + "/events/rank-000.jsonl", "");
  CatalogueOptions options;
  int asked = 0;
  options.stop = [&] { return ++asked > 3; };
  EXPECT_LT(findRuns({folder.path()}, options).size(), 5u);
}

TEST(RunCatalogue, HundredsOfRunsAreAllListed) {
  TempFolder folder;
  std::string events;
  for (int i = 0; i < 300; ++i)
    events +=
        R"({"v":1,"seq":)" + std::to_string(i) + R"(,"t":1000.5,"mono":1,"rank":0,"step":)" + std::to_string(i) +
        R"(,"kind":"step","loss":1.25,"lr":1e-05,"step_s":0.5,"samples_per_s":12.5,"anatomy":{"wait":0.1,"forward":0.2}})"
        "\n";
  for (int i = 0; i < 300; ++i) folder.write("r" + std::to_string(i) + "/events/rank-000.jsonl", events);
  EXPECT_EQ(findRuns({folder.path()}).size(), 300u);
}

}  // namespace
}  // namespace roadtune::runs
