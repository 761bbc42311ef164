// SPDX-License-Identifier: GPL-3.0-or-later
// A score threshold that moves over the detections of forty thousand images.
#include "core/base/random.h"
#include "core/data/eval/iou_pairs.h"

#include <benchmark/benchmark.h>

namespace roadtune::data {

namespace {

const IouPairs& manyPairs() {
  static const IouPairs pairs = [] {
    GroundTruth truth;
    std::vector<Detection> detections;
    Random random(4);
    truth.categories = {{1, "vehicle"}, {2, "pedestrian"}, {3, "cyclist"}};
    for (std::int64_t image = 0; image < 40'000; ++image) {
      truth.images.push_back(image);
      for (int i = 0; i < 12; ++i) {
        TruthBox box{.id = static_cast<std::int64_t>(truth.boxes.size()) + 1, .image = image};
        box.category = 1 + static_cast<std::int64_t>(random.below(3));
        box.box = {random.uniform(0, 1800), random.uniform(0, 1200), random.uniform(5, 120), random.uniform(5, 120)};
        truth.boxes.push_back(box);
        for (int k = 0; k < 2; ++k)
          detections.push_back(
              {image,
               box.category,
               {box.box.x + random.uniform(-4, 4), box.box.y + random.uniform(-4, 4), box.box.w, box.box.h},
               random.uniform()});
      }
    }
    return IouPairs(truth, detections);
  }();
  return pairs;
}

void thresholdBench(benchmark::State& state) {
  manyPairs();
  double score = 0;
  for (auto _ : state) {
    score = score > 0.8 ? 0.05 : score + 0.05;
    benchmark::DoNotOptimize(manyPairs().match(0.5, score));
  }
}

}  // namespace

void registerEvaluation() {
  benchmark::RegisterBenchmark("threshold over 40 000 images, 960 000 detections", thresholdBench)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime()
      ->MeasureProcessCPUTime();
}

}  // namespace roadtune::data
