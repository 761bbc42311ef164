// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/run_store.h"

#include "core/protocol/manifest.h"
#include "core/runs/run_json.h"
#include "tests/unit/runs/fake_run.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <unistd.h>

namespace roadtune::runs {
namespace {

using nlohmann::json;
using testing::readAll;
using testing::TempFolder;

RunStore open(const fs::path& folder) {
  auto store = RunStore::open(folder);
  EXPECT_TRUE(store.ok());
  EXPECT_TRUE(store.value().refresh().ok());
  return std::move(store).value();
}

bool refreshed(RunStore& store) {
  const auto news = store.refresh();
  EXPECT_TRUE(news.ok()) << (news.ok() ? "" : news.error().text());
  return news.ok() && news.value();
}

TEST(RunStore, AFolderWithoutEventsIsARunThatHasNotStarted) {
  TempFolder folder;
  folder.write("run.yaml", "seed: 1\n");
  std::filesystem::create_directory(folder / "events");
  const RunStore store = open(folder.path());
  EXPECT_EQ(store.state(), RunState::Created);
  EXPECT_TRUE(store.metricNames().empty());
  EXPECT_EQ(store.end(), nullptr);
  EXPECT_EQ(store.configText(), "seed: 1\n");
}

TEST(RunStore, RefusesWhatIsNoFolder) {
  TempFolder folder;
  const auto missing = RunStore::open(folder / "none");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().kind, ErrorKind::BadInput);
  EXPECT_FALSE(RunStore::open(folder.write("file", "")).ok());
}

TEST(RunStore, NamesMetricsAsOtherToolsDo) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.rank(0, "step", 1,
           {{"loss", 2.0},
            {"lr", 1e-5},
            {"grad_norm", 0.5},
            {"samples_per_s", 8.0},
            {"tokens_per_s", 99.0},
            {"step_s", 0.5},
            {"mem_bytes", 7},
            {"epoch", 0.1},
            {"total_steps", 9},
            {"aux_loss", 3.0},
            {"anatomy", {{"wait", 0.1}, {"forward", 0.2}}}});
  run.rank(0, "eval", 1, {{"loss", 1.5}, {"eval_AP", 0.3}});
  run.node(0, "node", {{"cpu", 50.0}, {"gpus", {{{"index", 1}, {"util", 90}, {"throttle", {"thermal"}}}}}});
  run.node(1, "node", {{"cpu", 60.0}, {"mem_used", 5}});
  run.flush();
  const RunStore store = open(folder / "r");
  EXPECT_EQ(store.metricNames(),
            (std::vector<std::string>{"anatomy/forward", "anatomy/wait", "eval/AP", "eval/loss", "gpu/1/throttle",
                                      "gpu/1/throttle_thermal", "gpu/1/utilization", "node/1/system/cpu",
                                      "node/1/system/memory", "system/cpu", "train/aux_loss", "train/epoch",
                                      "train/grad_norm", "train/learning_rate", "train/loss", "train/memory_bytes",
                                      "train/samples_per_second", "train/step_seconds", "train/tokens_per_second"}));
  EXPECT_EQ(store.progress().totalSteps, 9);
}

TEST(RunStore, FollowsWithoutReadingTwice) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.steps(1, 10, 2.0);
  run.flush();
  RunStore store = open(folder / "r");
  EXPECT_EQ(store.series("train/loss")->size(), 10u);
  EXPECT_FALSE(refreshed(store));
  const auto revision = store.revision();
  run.steps(11, 15, 1.0);
  run.flush();
  EXPECT_TRUE(refreshed(store));
  EXPECT_GT(store.revision(), revision);
  EXPECT_EQ(store.series("train/loss")->size(), 15u);
  EXPECT_TRUE(store.series("train/loss")->superseded().empty());
}

TEST(RunStore, LiveAndReplayTellTheSame) {
  TempFolder folder;
  FakeRun run(folder / "r");
  RunStore live = [&] {
    std::filesystem::create_directories(folder / "r/events");
    return open(folder / "r");
  }();
  run.hello(0, {{"world_size", 2}});
  run.rank(1, "hello", 0, {{"host", "b"}, {"pid", 2}});
  for (int step = 1; step <= 40; ++step) {
    run.rank(0, "step", step, {{"loss", 1.0 / step}, {"step_s", 1.0}, {"anatomy", {{"wait", 0.1}}}});
    run.rank(1, "step", step, {{"step_s", 1.5}, {"anatomy", {{"wait", 0.2}}}});
    if (step % 10 == 0) run.rank(0, "eval", step, {{"loss", 0.5}});
    if (step == 20) run.rank(0, "phase", step, {{"name", "saving"}});
    run.node(0, "node", {{"cpu", 1.0 * step}});
    run.flush();
    refreshed(live);
  }
  run.rank(0, "bye", 40, {{"reason", "finished"}});
  run.rank(1, "bye", 40, {{"reason", "finished"}});
  run.close();
  refreshed(live);
  const RunStore replay = open(folder / "r");
  EXPECT_EQ(toJsonWithSeries(live), toJsonWithSeries(replay));
  EXPECT_EQ(replay.state(), RunState::Finished);
  EXPECT_EQ(replay.series("rank/1/step_seconds")->last().value, 1.5);
}

TEST(RunStore, ReadsInPortionsToTheSameContent) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.steps(1, 20000, 1.0);
  run.close();
  auto store = RunStore::open(folder / "r").value();
  int rounds = 0;
  do {
    ASSERT_TRUE(store.refresh(100000).ok());
    ++rounds;
  } while (!store.caughtUp() && rounds < 1000);
  EXPECT_GT(rounds, 2);
  EXPECT_EQ(store.series("train/loss")->size(), 20000u);
}

TEST(RunStore, AResumedRunContinuesItsLinesWithoutGapOrDuplicate) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.steps(1, 85, 2.0);
  run.rank(0, "eval", 84, {{"loss", 9.0}});
  run.close();
  RunStore live = open(folder / "r");
  run.hello(80, {{"pid", 2}});
  run.rank(0, "phase", 80, {{"name", "training"}});
  run.steps(81, 90, 1.0);
  run.close();
  refreshed(live);
  for (const RunStore& store : {open(folder / "r")}) {
    const Series& loss = *store.series("train/loss");
    ASSERT_EQ(loss.size(), 90u);
    for (std::size_t i = 0; i < 90; ++i) EXPECT_EQ(loss.steps()[i], static_cast<std::int64_t>(i) + 1);
    EXPECT_EQ(loss.at(79).value, 2.0);
    EXPECT_EQ(loss.at(80).value, 1.0);
    EXPECT_EQ(loss.superseded()[0].points.size(), 5u);
    EXPECT_TRUE(store.series("eval/loss")->empty());  // an evaluation of the abandoned part
    EXPECT_EQ(store.series("eval/loss")->superseded()[0].points[0].value, 9.0);
    EXPECT_EQ(store.start()->pid, 2);
    EXPECT_EQ(toJsonWithSeries(store), toJsonWithSeries(live));
  }
}

TEST(RunStore, AResumeThatDoesNotTellItsStepIsSeenByTheSteps) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.steps(1, 85, 2.0);
  run.rank(0, "eval", 84, {{"loss", 9.0}});
  run.hello(0);
  run.rank(0, "step", 81, {{"loss", 1.0}, {"anatomy", {{"forward", 0.5}}}});
  run.steps(82, 83, 1.0);
  run.close();
  const RunStore store = open(folder / "r");
  ASSERT_EQ(store.series("anatomy/forward")->size(), 1u);
  EXPECT_EQ(store.series("anatomy/forward")->last().step, 81);
  EXPECT_EQ(store.series("train/loss")->size(), 83u);
  EXPECT_TRUE(store.series("eval/loss")->empty());
}

TEST(RunStore, ForgetsAFileThatWasReplaced) {
  TempFolder folder;
  {
    FakeRun run(folder / "r");
    run.hello();
    run.steps(1, 50, 2.0);
  }
  RunStore store = open(folder / "r");
  std::filesystem::remove(folder / "r/events/rank-000.jsonl");
  {
    FakeRun run(folder / "r", 1767300000.0);
    run.hello();
    run.steps(1, 3, 7.0);
  }
  EXPECT_TRUE(refreshed(store));
  ASSERT_EQ(store.series("train/loss")->size(), 3u);
  EXPECT_TRUE(store.series("train/loss")->superseded().empty());
  EXPECT_EQ(store.series("train/loss")->last().value, 7.0);
}

TEST(RunStore, GarbageAndGapsBecomeNotices) {
  TempFolder folder;
  folder.write("r/events/rank-000.jsonl", R"({"v":1,"seq":0,"t":10,"kind":"hello"})"
                                          "\nnot json\n"
                                          R"({"v":1,"seq":5,"t":11,"step":1,"kind":"step","loss":1})"
                                          "\n");
  const RunStore store = open(folder / "r");
  ASSERT_EQ(store.notices().size(), 2u);
  EXPECT_NE(store.notices()[0].where.find("rank-000.jsonl, byte 38"), std::string::npos) << store.notices()[0].where;
  EXPECT_EQ(store.notices()[1].message, "4 events are missing before number 5");
}

TEST(RunStore, PhasesFollowEachOther) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  for (const char* phase : {"loading", "training", "saving"}) run.rank(0, "phase", 0, {{"name", phase}});
  run.rank(0, "bye", 0, {{"reason", "stopped"}, {"exit_code", 130}});
  run.close();
  const RunStore store = open(folder / "r");
  ASSERT_EQ(store.phases().size(), 3u);
  EXPECT_EQ(store.phases()[1].name, "training");
  EXPECT_EQ(*store.phases()[1].end, store.phases()[2].begin);
  EXPECT_TRUE(store.phases()[2].end.has_value());
  EXPECT_EQ(store.state(), RunState::Stopped);
}

TEST(RunStore, ASecondHelloOfTheSameProcessOnlyAddsToTheFirst) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello(0, {{"total_steps", 0}});
  run.rank(0, "phase", 0, {{"name", "preparing"}});
  run.hello(0, {{"trainable_params", 7}});
  run.rank(0, "phase", 0, {{"name", "training"}});
  run.close();
  const RunStore store = open(folder / "r");
  EXPECT_EQ(store.start()->trainableParams, 7);
  EXPECT_EQ(store.start()->time, 1767225601.0);
  ASSERT_EQ(store.phases().size(), 2u);
  EXPECT_EQ(*store.phases()[0].end, store.phases()[1].begin);
}

TEST(RunStore, TellsRunningFromLost) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.steps(1, 3, 1.0);
  run.flush();
  RunStore store = open(folder / "r");
  EXPECT_EQ(store.state(run.now() + 5), RunState::Running);
  EXPECT_EQ(store.state(run.now() + 60), RunState::Lost);
  EXPECT_EQ(store.state(run.now() + 60, 120), RunState::Running);

  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  protocol::Manifest manifest;
  manifest.runId = "id";
  protocol::ManifestNode node;
  node.host = host.data();
  node.agentPid = ::getpid();
  manifest.nodes = {node};
  ASSERT_TRUE(protocol::writeManifest(run.layout().manifest(), manifest).ok());
  refreshed(store);
  EXPECT_EQ(store.state(run.now() + 1e6), RunState::Running) << "its agent is alive";
  manifest.nodes[0].agentStart = 1;  // the same number, another process
  std::filesystem::remove(run.layout().manifest());
  ASSERT_TRUE(protocol::writeManifest(run.layout().manifest(), manifest).ok());
  refreshed(store);
  EXPECT_EQ(store.state(run.now() + 10), RunState::Lost);
}

TEST(RunStore, EstimatesTheTimeThatIsLeft) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.steps(1, 30, 1.0);  // one a second
  run.flush();
  const RunStore store = open(folder / "r");
  EXPECT_NEAR(*store.progress().secondsPerStep, 1.0, 1e-6);
  EXPECT_NEAR(*store.progress().etaSeconds, 70.0, 1e-4);
  EXPECT_EQ(store.progress().step, 30);
}

TEST(RunStore, KnowsWhichCheckpointsAreStillThere) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  for (const int step : {10, 20, 30})
    run.rank(0, "checkpoint", step, {{"path", "checkpoint-" + std::to_string(step)}, {"bytes", 100}, {"seconds", 1}});
  run.close();
  folder.write("r/checkpoint-20/COMPLETE", "");
  folder.write("r/checkpoint-30/model.safetensors", "");
  const RunStore store = open(folder / "r");
  ASSERT_EQ(store.checkpoints().size(), 3u);
  EXPECT_FALSE(store.checkpoints()[0].onDisk);
  EXPECT_TRUE(store.checkpoints()[0].removed) << "it ran here";
  EXPECT_TRUE(store.checkpoints()[1].complete);
  EXPECT_TRUE(store.checkpoints()[2].onDisk);
  EXPECT_FALSE(store.checkpoints()[2].complete);
}

TEST(RunStore, KnowsWhereTheCheckpointsOfARunThatMovedLie) {
  TempFolder folder;
  FakeRun run(folder / "r");
  protocol::Manifest manifest;
  manifest.runId = "id";
  manifest.nodes = {{.node = 0, .host = "b", .address = "gpu2", .folder = "/there"}};
  manifest.earlier = {{"gpu1", "/before", 20}};
  run.hello();
  ASSERT_TRUE(protocol::writeManifest(run.layout().manifest(), manifest).ok());
  const auto save = [&run](int step, std::vector<std::string> removed) {
    run.rank(0, "checkpoint", step, {{"path", "checkpoint-" + std::to_string(step)}, {"removed", std::move(removed)}});
  };
  save(10, {});
  save(20, {});
  save(30, {});
  save(40, {"checkpoint-30"});
  save(50, {});
  run.close();
  folder.write("r/checkpoint-20/COMPLETE", "");
  const RunStore store = open(folder / "r");
  ASSERT_EQ(store.checkpoints().size(), 5u);
  const auto& all = store.checkpoints();
  EXPECT_EQ(all[0].place, "gpu1:/before/checkpoint-10");
  EXPECT_EQ(all[1].place, (folder / "r/checkpoint-20").string());
  EXPECT_TRUE(all[1].machine.empty());
  EXPECT_TRUE(all[2].removed) << "nobody sees it, but the run told";
  EXPECT_TRUE(all[2].machine.empty());
  EXPECT_EQ(all[4].place, "gpu2:/there/checkpoint-50");
  EXPECT_EQ(all[4].machine, "gpu2");
  EXPECT_FALSE(all[4].removed);
}

TEST(RunStore, ShowsTheEndOfLogsAsATerminalWould) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.flush();
  folder.write("r/logs/rank-000.log", "loading\n 10%\r 50%\r100%\nready\npart");
  RunStore store = open(folder / "r");
  EXPECT_EQ(store.logTail(0), (std::vector<std::string>{"loading", "100%", "ready"}));
  std::ofstream(folder / "r/logs/rank-000.log", std::ios::app) << "ial\n";
  EXPECT_TRUE(refreshed(store));
  EXPECT_EQ(store.logTail(0, 1), (std::vector<std::string>{"partial"}));
  EXPECT_TRUE(store.logTail(7).empty());
}

TEST(RunStore, BeginsLateInALongLog) {
  TempFolder folder;
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "line " + std::to_string(i) + "\n";
  folder.write("r/logs/rank-000.log", text);
  folder.write("r/events/rank-000.jsonl", "");
  const RunStore store = open(folder / "r");
  EXPECT_EQ(store.logTail(0, 1), (std::vector<std::string>{"line 99999"}));
  EXPECT_TRUE(store.logTail(0, 100000).front().starts_with("line "));
}

}  // namespace
}  // namespace roadtune::runs
