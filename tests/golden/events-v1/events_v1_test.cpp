// SPDX-License-Identifier: GPL-3.0-or-later
// Format version 1, byte for byte. The files under run/ are what programs in the field have written: they never change.
#include "core/protocol/control.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/event_writer.h"
#include "core/protocol/manifest.h"
#include "core/runs/run_store.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace roadtune {
namespace {

using nlohmann::json;
using testing::readAll;
using testing::TempFolder;

const fs::path kRun = fs::path(ROADTUNE_SOURCE_DIR) / "tests/golden/events-v1/run";

struct Line {
  const char* kind;
  std::int64_t step;
  json body;
};

std::vector<Line> rankLines() {
  const json anatomy = {{"wait", 0.02}, {"decode", 0.3},     {"forward", 0.15}, {"backward", 0.3},
                        {"comm", 0.01}, {"optimizer", 0.02}, {"other", 0.0}};
  return {
      {"hello",
       0,
       {{"version", "0.1.0"},
        {"host", "node-a"},
        {"pid", 4711},
        {"device", "cpu"},
        {"world_size", 1},
        {"local_rank", 0},
        {"node", 0},
        {"config_hash", "ab12"},
        {"total_steps", 4},
        {"total_params", 2934765296},
        {"trainable_params", 11298816}}},
      {"phase", 0, {{"name", "training"}}},
      {"step",
       1,
       {{"loss", 2.5},
        {"lr", 2e-5},
        {"grad_norm", 1.25},
        {"samples", 8},
        {"tokens", 2200},
        {"target_tokens", 120},
        {"step_s", 0.5},
        {"samples_per_s", 16.0},
        {"tokens_per_s", 4400.0},
        {"epoch", 0.25},
        {"total_steps", 4},
        {"mem_bytes", 1500000000},
        {"anatomy", anatomy}}},
      {"receipt", 1, {{"ok", true}, {"updated", {"language_model.layers.0: 14 of 14"}}, {"mismatch", json::array()}}},
      {"step", 2, {{"loss", NAN}, {"lr", 1.5e-5}, {"grad_norm", INFINITY}, {"step_s", 0.5}}},
      {"warning",
       2,
       {{"message", "the loss is \"nan\"\nand so on"}, {"where", "batch 2"}, {"hint", "lower learning_rate"}}},
      {"metric", 2, {{"name", "probe/AP"}, {"value", 0.125}}},
      {"eval", 2, {{"loss", 1.75}, {"samples", 32}, {"seconds", 1.5}, {"AP", 0.25}}},
      {"checkpoint", 2, {{"path", "checkpoint-2"}, {"seconds", 0.75}, {"bytes", 45000000}}},
      {"edit", 2, {{"learning_rate", 1e-5}}},
      {"heartbeat", 2, json::object()},
      {"bye",
       2,
       {{"reason", "stopped"},
        {"exit_code", 130},
        {"message", "saved and stopped"},
        {"summary",
         {{"train_runtime", 2.5},
          {"train_samples_per_second", 6.4},
          {"train_steps_per_second", 0.8},
          {"train_loss", 2.5},
          {"epoch", 0.5}}}}},
  };
}

std::vector<Line> nodeLines() {
  const json gpu = {{"index", 0},       {"util", 97.0},   {"mem_used", 20000000000}, {"mem_total", 80000000000},
                    {"power_w", 412.5}, {"temp_c", 61.0}, {"sm_mhz", 1755.0},        {"throttle", {"power cap"}}};
  return {
      {"hello",
       0,
       {{"host", "node-a"},
        {"pid", 4700},
        {"cpus", 16},
        {"memory", 64000000000},
        {"gpus", {{{"index", 0}, {"name", "Some GPU"}, {"memory", 80000000000}}}}}},
      {"process", 0, {{"local_rank", 0}, {"rank_of_process", 0}, {"pid", 4711}, {"state", "started"}}},
      {"node",
       0,
       {{"cpu", 42.5},
        {"mem_used", 12000000000},
        {"mem_total", 64000000000},
        {"disk_read_bps", 1000000.0},
        {"disk_write_bps", 0.0},
        {"net_rx_bps", 1200.0},
        {"net_tx_bps", 800.0},
        {"disk_free", 500000000000},
        {"load", 3.5},
        {"gpus", {gpu}}}},
      {"process",
       0,
       {{"local_rank", 0},
        {"rank_of_process", 0},
        {"pid", 4711},
        {"state", "exited"},
        {"exit_code", 130},
        {"signal", 0}}},
      {"bye", 0, {{"reason", "stopped"}, {"exit_code", 130}, {"message", "saved and stopped"}}},
  };
}

std::string written(const std::vector<Line>& lines) {
  TempFolder folder;
  protocol::EventWriterOptions options;
  double wall = 1767225600.0, mono = 812.5;
  options.wallClock = [&] { return wall += 0.125; };
  options.monotonicClock = [&] { return mono += 0.125; };
  {
    auto writer = protocol::EventWriter::open(folder / "events.jsonl", 0, options);
    for (const Line& line : lines) writer.value()->write(line.kind, line.step, line.body);
  }
  return readAll(folder / "events.jsonl");
}

TEST(EventsV1, TheWriterWritesTheSameBytes) {
  EXPECT_EQ(written(rankLines()), readAll(kRun / "events/rank-000.jsonl"));
  EXPECT_EQ(written(nodeLines()), readAll(kRun / "events/node-00.jsonl"));
}

TEST(EventsV1, TheReaderGivesBackEveryEvent) {
  protocol::EventReader reader(kRun / "events/rank-000.jsonl");
  const auto events = reader.poll();
  ASSERT_TRUE(events.ok()) << events.error().text();
  const auto lines = rankLines();
  ASSERT_EQ(events.value().size(), lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(events.value()[i].kind, lines[i].kind);
    EXPECT_EQ(events.value()[i].step, lines[i].step);
    EXPECT_EQ(events.value()[i].seq, i);
  }
  EXPECT_TRUE(std::isnan(protocol::numberOr(events.value()[4].body, "loss", 0)));
  EXPECT_EQ(reader.counts().missing + reader.counts().garbage, 0u);
}

TEST(EventsV1, TheStoreUnderstandsTheRun) {
  auto store = runs::RunStore::open(kRun);
  ASSERT_TRUE(store.ok());
  ASSERT_TRUE(store.value().refresh().ok());
  const runs::RunStore& run = store.value();
  EXPECT_EQ(run.id(), "20260101-000000-8f3a");
  EXPECT_EQ(run.state(), runs::RunState::Stopped);
  ASSERT_NE(run.series("train/loss"), nullptr);
  EXPECT_EQ(run.series("train/loss")->at(0).value, 2.5);
  EXPECT_TRUE(std::isnan(run.series("train/loss")->at(1).value));
  EXPECT_EQ(run.series("train/grad_norm")->at(1).value, INFINITY);
  EXPECT_EQ(run.series("eval/AP")->last().value, 0.25);
  EXPECT_EQ(run.series("probe/AP")->last().value, 0.125);
  EXPECT_EQ(run.series("gpu/0/power")->last().value, 412.5);
  EXPECT_EQ(run.series("gpu/0/throttle")->last().value, 1);
  EXPECT_EQ(run.series("system/cpu")->last().value, 42.5);
  EXPECT_EQ(*run.anatomy().forward, 0.15);
  EXPECT_EQ(run.start()->trainableParams, 11298816);
  EXPECT_TRUE(run.receipt()->ok);
  EXPECT_EQ(run.checkpoints()[0].path, "checkpoint-2");
  EXPECT_EQ(run.notices()[0].hint, "lower learning_rate");
  EXPECT_EQ(run.processes()[0].exitCode, 130);
  EXPECT_EQ(*run.end()->trainRuntime, 2.5);
}

TEST(EventsV1, ControlLinesAreStillUnderstood) {
  std::vector<std::string> words;
  protocol::LineFollower follower(kRun / "control");
  ASSERT_TRUE(follower
                  .poll([&](std::string_view line, std::uint64_t) {
                    const auto command = protocol::parseControlLine(line);
                    words.emplace_back(command.ok() ? protocol::name(command.value().word) : command.error().text());
                    return true;
                  })
                  .ok());
  EXPECT_EQ(words, (std::vector<std::string>{"save", "set", "stop", "stop-now", "pause", "resume", "set"}));
}

TEST(EventsV1, TheManifestIsStillUnderstood) {
  const auto manifest = protocol::readManifest(kRun / "manifest.json");
  ASSERT_TRUE(manifest.ok()) << manifest.error().text();
  EXPECT_EQ(manifest.value().method, "lora");
  EXPECT_EQ(manifest.value().nodes.at(0).agentPid, 4700);
  EXPECT_EQ(manifest.value().other["later_field"], "kept");
}

}  // namespace
}  // namespace roadtune
