// SPDX-License-Identifier: GPL-3.0-or-later
// How fast runs are read and drawn: events per second, and the decimation of ten million points to a screen's width.
#include "core/protocol/event.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/event_writer.h"
#include "core/runs/run_store.h"
#include "core/runs/series.h"
#include "core/runs/smoothing.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

namespace roadtune {
namespace {

constexpr int kEvents = 100000;
constexpr std::int64_t kPoints = 10000000;

// A full step event: thirteen numbers and the anatomy.
std::string stepLine(int step) {
  protocol::Event event;
  event.seq = static_cast<std::uint64_t>(step);
  event.t = 1767225600.0 + step;
  event.step = step;
  event.kind = "step";
  event.body = {{"loss", 1.2345678 + 1e-6 * step},
                {"lr", 1e-5},
                {"grad_norm", 0.73421},
                {"samples", 64},
                {"tokens", 16400},
                {"target_tokens", 900},
                {"step_s", 0.51234},
                {"samples_per_s", 124.3},
                {"tokens_per_s", 32000.5},
                {"epoch", 0.1234},
                {"total_steps", kEvents},
                {"mem_bytes", 12345678901},
                {"anatomy",
                 {{"wait", 0.01},
                  {"decode", 0.02},
                  {"forward", 0.2},
                  {"backward", 0.25},
                  {"comm", 0.01},
                  {"optimizer", 0.03},
                  {"other", 0.001}}}};
  return protocol::encode(event) + "\n";
}

// Made once, and gone with the program.
struct EventFolder {
  fs::path path = makeTemporaryFolder("roadtune-bench-").value();
  EventFolder() {
    fs::create_directories(path / "events");
    std::ofstream out(path / "events/rank-000.jsonl", std::ios::binary);
    for (int i = 0; i < kEvents; ++i) out << stepLine(i);
  }
  ~EventFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

const fs::path& eventFolder() {
  static const EventFolder folder;
  return folder.path;
}

const runs::Series& tenMillionPoints() {
  static const runs::Series series = [] {
    runs::Series made;
    for (std::int64_t i = 0; i < kPoints; ++i)
      made.append({i, 0.5 * static_cast<double>(i), std::sin(1e-5 * static_cast<double>(i))});
    return made;
  }();
  return series;
}

void readEvents(benchmark::State& state) {
  eventFolder();
  for (auto _ : state) {
    protocol::EventReader reader(eventFolder() / "events/rank-000.jsonl");
    double sum = 0;
    const Status status =
        reader.pollFlat([&](const protocol::FlatEvent& event) { sum += event.members.numberOr("loss", 0); });
    if (!status.ok()) state.SkipWithError(status.error().text().c_str());
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * kEvents);
}
BENCHMARK(readEvents)->Unit(benchmark::kMillisecond);

void openRun(benchmark::State& state) {
  eventFolder();
  for (auto _ : state) {
    auto store = runs::RunStore::open(eventFolder()).value();
    if (!store.refresh().ok()) state.SkipWithError("cannot read");
    benchmark::DoNotOptimize(store.series("train/loss")->size());
  }
  state.SetItemsProcessed(state.iterations() * kEvents);
}
BENCHMARK(openRun)->Unit(benchmark::kMillisecond);

// What a training step pays for telling about itself.
void writeOneEvent(benchmark::State& state) {
  const fs::path folder = makeTemporaryFolder("roadtune-bench-").value();
  {
    auto writer = protocol::EventWriter::open(folder / "e.jsonl", 0).value();
    std::int64_t step = 0;
    for (auto _ : state) {
      writer->write("step", ++step, {{"loss", 1.25}, {"lr", 1e-5}, {"step_s", 0.5}, {"samples_per_s", 124.3}});
      if (step % 1000 == 0) {
        state.PauseTiming();
        writer->flush();
        state.ResumeTiming();
      }
    }
  }
  fs::remove_all(folder);
}
BENCHMARK(writeOneEvent);

void appendPoint(benchmark::State& state) {
  for (auto _ : state) {
    runs::Series series;
    for (std::int64_t i = 0; i < 1000000; ++i) series.append({i, static_cast<double>(i), 1.0});
    benchmark::DoNotOptimize(series.size());
  }
  state.SetItemsProcessed(state.iterations() * 1000000);
}
BENCHMARK(appendPoint)->Unit(benchmark::kMillisecond);

// One repaint: the whole line, then ever smaller stretches of it, at 1,500 columns.
void drawColumns(benchmark::State& state) {
  const runs::Series& series = tenMillionPoints();
  const double width = static_cast<double>(kPoints) / static_cast<double>(state.range(0));
  for (auto _ : state)
    benchmark::DoNotOptimize(
        series.columns(runs::Axis::Step, 1234567, std::min(1234567 + width, static_cast<double>(kPoints)), 1500));
}
BENCHMARK(drawColumns)->Arg(1)->Arg(10)->Arg(1000)->Unit(benchmark::kMicrosecond);

void smoothColumns(benchmark::State& state) {
  std::vector<double> values(1500);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(0.01 * static_cast<double>(i));
  for (auto _ : state) benchmark::DoNotOptimize(runs::smooth(values, 0.6));
}
BENCHMARK(smoothColumns)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace roadtune
