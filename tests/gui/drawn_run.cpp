// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/drawn_run.h"

#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/protocol/event_writer.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

namespace roadtune::testing {
namespace {

using nlohmann::json;

constexpr char kYaml[] =
    "# Night walkers, small boxes first\n"
    "model:\n  model_name_or_path: /models/paligemma2-3b-pt-224\n"
    "data:\n  train_data: /data/waymo-night       # 1,284 images\n  task: detect\n"
    "method:\n  finetuning_type: lora\n  r: 8\n  lora_alpha: 8\n"
    "train:\n  per_device_train_batch_size: 16\n  gradient_accumulation_steps: 4\n  learning_rate: 2.0e-5\n  "
    "max_steps: 400\n"
    "output:\n  output_dir: /runs/night-walkers\n";

double noise(int step) {
  return std::sin(step * 12.9898) * 43758.5453 - std::floor(std::sin(step * 12.9898) * 43758.5453) - 0.5;
}

}  // namespace

double drawnLoss(int step) { return 0.62 + 3.1 * std::exp(-step / 70.0) + 0.28 * noise(step); }

struct LiveRun::Writers {
  double clock = 0;
  std::unique_ptr<protocol::EventWriter> rank, node;
};

LiveRun::LiveRun(const DrawnRun& run) : m_run(run), m_writers(std::make_unique<Writers>()) {
  const protocol::RunLayout layout(run.folder);
  EXPECT_TRUE(makeFolders(layout.logs()).ok());
  EXPECT_TRUE(writeFileAtomically(layout.config(), kYaml).ok());
  protocol::Manifest manifest;
  manifest.runId = "20260131-081530-8f3a";
  manifest.name = run.folder.filename().string();
  manifest.model = "paligemma2-3b-pt-224";
  manifest.method = "lora";
  // A run that goes on has its last event about now.
  manifest.created =
      wallSeconds() - (run.finished ? run.totalSteps : run.totalSteps * 62 / 100) * run.secondsPerStep - 8;
  EXPECT_TRUE(protocol::writeManifest(layout.manifest(), manifest).ok());
  Writers& w = *m_writers;
  w.clock = manifest.created;
  protocol::EventWriterOptions options;
  options.wallClock = [&w] { return w.clock; };
  options.monotonicClock = [&w] { return w.clock; };
  w.rank = protocol::EventWriter::open(layout.rankEvents(0), 0, options).value();
  w.node = protocol::EventWriter::open(layout.nodeEvents(0), 0, options).value();
  json gpus = json::array();
  for (int i = 0; i < run.gpus; ++i) gpus.push_back({{"index", i}, {"name", "NVIDIA H200"}, {"memory", 150e9}});
  w.node->write("hello", 0, {{"host", "atlas-07"}, {"pid", 4711}, {"cpus", 32}, {"memory", 256e9}, {"gpus", gpus}});
  w.rank->write("hello", 0,
                {{"version", "0.1.0"},
                 {"host", "atlas-07"},
                 {"pid", 4712},
                 {"device", run.gpus > 0 ? "cuda:0" : "cpu"},
                 {"world_size", 1},
                 {"config_hash", "7c1e"},
                 {"total_steps", run.totalSteps},
                 {"total_params", 2934765296},
                 {"trainable_params", 11298816}});
  w.rank->write("phase", 0, {{"name", "loading"}});
  w.clock += 5;
  w.rank->write("phase", 0, {{"name", "preparing"}});
  w.clock += 3;
  w.rank->write("phase", 0, {{"name", "training"}});
  std::ofstream(layout.rankLog(0))
      << "reading /models/paligemma2-3b-pt-224\nlora r=8 on 182 modules\ntraining on 1,284 samples\n";
}

LiveRun::~LiveRun() = default;

void LiveRun::step(int count, double pace) {
  Writers& w = *m_writers;
  std::ofstream log(protocol::RunLayout(m_run.folder).rankLog(0), std::ios::app);
  for (int i = 0; i < count; ++i) {
    const int s = ++m_step;
    w.clock += m_run.secondsPerStep;
    const double loss = s == m_run.nanStep ? std::numeric_limits<double>::quiet_NaN() : drawnLoss(s);
    const double speed = pace * (128 + 9 * noise(s * 7));
    w.rank->write("step", s,
                  {{"loss", loss},
                   {"lr", 2e-5 * std::min(1.0, s / 20.0) * (1 - s / double(m_run.totalSteps + 1))},
                   {"grad_norm", 0.9 + 0.4 * noise(s * 3) + 2 * std::exp(-s / 30.0)},
                   {"grad_norm_projector", 0.3 + 0.1 * noise(s * 7) + 0.6 * std::exp(-s / 30.0)},
                   {"grad_norm_language_model", 0.8 + 0.3 * noise(s * 3) + 1.8 * std::exp(-s / 30.0)},
                   {"tflops_per_s", speed * 12.6},
                   {"mfu", speed * 12.6 / (m_run.gpus * 9.89)},
                   {"samples", 64},
                   {"tokens", 64 * 270},
                   {"step_s", 64 / speed},
                   {"samples_per_s", speed},
                   {"tokens_per_s", speed * 270},
                   {"epoch", s / 200.0},
                   {"total_steps", m_run.totalSteps},
                   {"mem_bytes", 61e9 + 2e9 * noise(s * 5)},
                   {"anatomy",
                    {{"wait", 0.012},
                     {"read", 0.006},
                     {"decode", 0.02},
                     {"tokenise", 0.002},
                     {"copy", 0.008},
                     {"forward", 0.16},
                     {"backward", 0.25},
                     {"optimizer", 0.03},
                     {"other", 0.01}}}});
    json gpus = json::array();
    for (int g = 0; g < m_run.gpus; ++g) {
      gpus.push_back({{"index", g},
                      {"util", 93 + 6 * noise(s + g)},
                      {"mem_used", 66e9 + g * 1e9},
                      {"mem_total", 150e9},
                      {"power_w", 640.0},
                      {"temp_c", 61.0},
                      {"sm_mhz", 1980.0}});
    }
    w.node->write("node", s,
                  {{"cpu", 34 + 12 * noise(s * 2)},
                   {"mem_used", 48e9 + 1e9 * noise(s)},
                   {"mem_total", 256e9},
                   {"disk_read_bps", 210e6},
                   {"disk_write_bps", 3e6},
                   {"disk_free", 2.1e12},
                   {"load", 11.2},
                   {"gpus", gpus}});
    if (s % 40 == 0) {
      w.rank->write("eval", s,
                    {{"loss", 0.7 + 2.6 * std::exp(-s / 70.0)},
                     {"samples", 256},
                     {"seconds", 2.0},
                     {"AP", 0.41 * (1 - std::exp(-s / 120.0))},
                     {"AP50", 0.63 * (1 - std::exp(-s / 90.0))},
                     {"malformed", 0.6 * std::exp(-s / 60.0)}});
      log << "step " << s << " loss " << loss << " " << speed << " samples/s\n";
    }
    if (s == 100)
      w.rank->write("warning", s,
                    {{"message", "3 samples were left out because their images cannot be read"},
                     {"where", "segment-1024"},
                     {"hint", "see problems.jsonl of the index"}});
    if (s == 1)
      w.rank->write(
          "receipt", s,
          {{"ok", true}, {"updated", {"182 of 182 adapters", "0 of 603 base tensors"}}, {"mismatch", json::array()}});
    if (s == 200) w.rank->write("checkpoint", s, {{"path", "checkpoint-200"}, {"seconds", 1.4}, {"bytes", 45.2e6}});
  }
  EXPECT_TRUE(w.rank->flush());
  EXPECT_TRUE(w.node->flush());
}

void LiveRun::finish() {
  Writers& w = *m_writers;
  w.rank->write("phase", m_step, {{"name", "saving"}});
  w.clock += 1;
  w.rank->write("bye", m_step,
                {{"reason", "finished"},
                 {"exit_code", 0},
                 {"message", ""},
                 {"summary", {{"train_runtime", 201.0}, {"train_loss", 0.71}}}});
  w.node->write("bye", m_step, {{"reason", "finished"}});
  EXPECT_TRUE(w.rank->flush());
  EXPECT_TRUE(w.node->flush());
}

void drawRun(const DrawnRun& run) {
  LiveRun live(run);
  live.step(run.finished ? run.totalSteps : run.totalSteps * 62 / 100);
  if (run.finished) live.finish();
}

}  // namespace roadtune::testing
