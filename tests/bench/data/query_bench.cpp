// SPDX-License-Identifier: GPL-3.0-or-later
// Questions to 990 000 images with 12 million boxes. Every answer is the first one of a fresh engine (nothing kept),
// unless the name says otherwise. `bench_data --columns DIR` writes the rows for compare.py instead.
#include "core/base/files.h"
#include "core/data/index/synth_index.h"
#include "core/data/query/query.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <unistd.h>

namespace roadtune::data {
void registerEvaluation();  // eval_bench.cpp

namespace {

fs::path indexFolder() {
  static const fs::path folder = [] {
    if (const char* given = std::getenv("ROADTUNE_BENCH_INDEX")) return fs::path(given);
    fs::path made = fs::temp_directory_path() / "roadtune-bench-index";
    SynthIndexOptions options;
    options.out = made;
    const auto quiet = makeProgressSink(ProgressStyle::None);
    if (!Index::looksLikeIndex(made) && !writeSynthIndex(options, *quiet).ok()) std::abort();
    return made;
  }();
  return folder;
}

std::shared_ptr<const Index> openIndex() {
  auto opened = Index::open(indexFolder());
  if (!opened.ok()) {
    std::fprintf(stderr, "%s\n", opened.error().text().c_str());
    std::exit(2);
  }
  return opened.value();
}

const std::shared_ptr<const Index>& sharedIndex() {
  static const std::shared_ptr<const Index> index = openIndex();
  return index;
}

double residentMegabytes() {
  std::ifstream statm("/proc/self/statm");
  double total = 0, resident = 0;
  statm >> total >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e6;
}

template <class F>
void freshly(benchmark::State& state, F&& ask) {
  for (auto _ : state) {
    state.PauseTiming();
    auto engine = std::make_unique<QueryEngine>(sharedIndex());
    state.ResumeTiming();
    ask(*engine);
    state.PauseTiming();
    engine.reset();
    state.ResumeTiming();
  }
}

Query queryOf(const char* text) { return Query::parse(text).value(); }

void addCount(const char* name, const char* text) {
  benchmark::RegisterBenchmark(name,
                               [text](benchmark::State& state) {
                                 const Query query = queryOf(text);
                                 std::size_t count = 0;
                                 freshly(state, [&](QueryEngine& engine) { count = engine.count(query).value(); });
                                 state.counters["count"] = static_cast<double>(count);
                               })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime()
      ->MeasureProcessCPUTime();
}

void addSort(const char* name, const char* text, bool again) {
  benchmark::RegisterBenchmark(
      name,
      [text, again](benchmark::State& state) {
        const Query query = queryOf(text);
        if (!again)
          return freshly(state, [&](QueryEngine& engine) { benchmark::DoNotOptimize(engine.run(query).value()); });
        QueryEngine engine(sharedIndex());
        benchmark::DoNotOptimize(engine.run(query).value());
        for (auto _ : state) benchmark::DoNotOptimize(engine.run(query).value());
      })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime()
      ->MeasureProcessCPUTime();
}

void addHistogram(const char* name, const char* text, Measure measure, double high) {
  benchmark::RegisterBenchmark(name,
                               [=](benchmark::State& state) {
                                 const Query query = queryOf(text);
                                 std::uint64_t total = 0;
                                 freshly(state, [&](QueryEngine& engine) {
                                   total = engine.histogram(query, measure, 64, 0, high, 448).value().total;
                                 });
                                 state.counters["count"] = static_cast<double>(total);
                               })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime()
      ->MeasureProcessCPUTime();
}

void addFacets(const char* name, const char* text) {
  benchmark::RegisterBenchmark(
      name,
      [text](benchmark::State& state) {
        const Query query = queryOf(text);
        freshly(state, [&](QueryEngine& engine) { benchmark::DoNotOptimize(engine.facets(query).value()); });
      })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime()
      ->MeasureProcessCPUTime();
}

void openBench(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(openIndex());
}

// A threshold that moves, never to where it was: all but one condition are known.
void sliderBench(benchmark::State& state) {
  QueryEngine engine(sharedIndex());
  int step = 0;
  for (auto _ : state) {
    const std::string text = "any(pedestrian, h<" + std::to_string(20 + 0.01 * (step++ % 6000)) + ", level=1)";
    benchmark::DoNotOptimize(engine.count(Query::parse(text).value()).value());
  }
}

void boxesBench(benchmark::State& state) {
  ImageId image = 0;
  for (auto _ : state)
    for (int i = 0; i < 60; ++i) {
      image = static_cast<ImageId>((image + 16127u) % sharedIndex()->imageCount());
      benchmark::DoNotOptimize(sharedIndex()->boxes(image));
    }
}

void memoryBench(benchmark::State& state) {
  QueryEngine engine(sharedIndex());
  for (auto _ : state)
    for (const char* text : {"any(pedestrian, h<50, level=1)", "any(area<400) and time=Night", "sort by min(h)"})
      benchmark::DoNotOptimize(engine.run(Query::parse(text).value()).value());
  state.counters["resident_mb"] = residentMegabytes();
}

void registerAll() {
  benchmark::RegisterBenchmark("open", openBench)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime()
      ->MeasureProcessCPUTime();
  addCount("filter: any(pedestrian, h<50, level=1)", "any(pedestrian, h<50, level=1)");
  benchmark::RegisterBenchmark("filter: moving one threshold", sliderBench)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime()
      ->MeasureProcessCPUTime();
  addCount("filter: count(vehicle)>=10", "count(vehicle)>=10");
  addCount("filter: any(area<400)", "any(area<400)");
  addCount("filter: any(aspect>3)", "any(aspect>3)");
  addCount("filter: any(truncated=true)", "any(truncated=true)");
  addCount("filter: any(h<5%)", "any(h<5%)");
  addCount("filter: min(h)<10", "min(h)<10");
  addCount("filter: camera=front and time=Night", "camera=front and time=Night");
  addFacets("facets: of any(pedestrian, h<50) and time=Night", "any(pedestrian, h<50) and time=Night");
  addHistogram("histogram: height, everything", "", Measure::BoxHeight, 640);
  addHistogram("histogram: model height, time=Night", "time=Night", Measure::ModelHeight, 224);
  addHistogram("histogram: area, everything", "", Measure::BoxArea, 40000);
  addSort("sort: n, everything", "sort by n desc", false);
  addSort("sort: min(h), everything", "sort by min(h)", false);
  addSort("sort: min(h), again", "sort by min(h)", true);
  addSort("sort: n of any(cyclist), limit 500", "any(cyclist) sort by n desc limit 500", false);
  benchmark::RegisterBenchmark("boxes of 60 images", boxesBench)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime()
      ->MeasureProcessCPUTime();
  registerEvaluation();
  benchmark::RegisterBenchmark("memory after three questions", memoryBench)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime()
      ->MeasureProcessCPUTime();
}

template <class T>
void append(const fs::path& file, const std::vector<T>& values) {
  std::ofstream out(file, std::ios::binary | std::ios::app);
  out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
}

// Raw columns: images (segment, camera, time of day) and boxes (image, class, level, x, y, w, h).
void writeColumns(const fs::path& folder) {
  fs::create_directories(folder);
  const Index& index = *sharedIndex();
  for (std::size_t s = 0; s < index.segmentCount(); ++s) {
    const Segment& segment = index.segment(s);
    const ImageColumns& images = segment.images();
    const std::string& time = segment.info().time;
    append(folder / "image.camera", std::vector<std::uint8_t>(images.camera.begin(), images.camera.end()));
    append(folder / "image.time", std::vector<std::uint8_t>(images.size(), time == "Night" ? 1
                                                                           : time == "Day" ? 0
                                                                                           : 2));
    append(folder / "image.segment", std::vector<std::uint16_t>(images.size(), static_cast<std::uint16_t>(s)));
    std::vector<std::uint32_t> owner;
    std::vector<float> x, y, w, h;
    std::vector<std::uint8_t> type, level;
    for (std::size_t row = 0; row < images.size(); ++row)
      for (std::size_t i = images.boxStart[row]; i < images.boxStart[row + 1]; ++i) {
        const Box box = segment.box(i);
        owner.push_back(static_cast<std::uint32_t>(index.firstImage(s) + row));
        x.push_back(static_cast<float>(box.x));
        y.push_back(static_cast<float>(box.y));
        w.push_back(static_cast<float>(box.w));
        h.push_back(static_cast<float>(box.h));
        type.push_back(box.type);
        level.push_back(static_cast<std::uint8_t>(cameraBoxLevel(box.detectionLevel)));
      }
    append(folder / "box.image", owner);
    append(folder / "box.x", x);
    append(folder / "box.y", y);
    append(folder / "box.w", w);
    append(folder / "box.h", h);
    append(folder / "box.class", type);
    append(folder / "box.level", level);
  }
}

}  // namespace
}  // namespace roadtune::data

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--columns") {
    roadtune::data::writeColumns(argv[2]);
    return 0;
  }
  roadtune::data::registerAll();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
