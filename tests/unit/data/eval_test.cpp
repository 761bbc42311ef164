// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "core/base/random.h"
#include "core/data/eval/assignment.h"
#include "core/data/eval/coco_metrics.h"
#include "core/data/eval/waymo_metrics.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace roadtune::data {
namespace {

using nlohmann::json;
using testing::TempFolder;

TEST(CocoMetrics, AreThoseOfPycocotoolsOnRandomProblems) {
  const TempFolder folder;
  constexpr int kProblems = 60;
  const auto made =
      testing::runProgram({testing::oraclePython(), ROADTUNE_SOURCE_DIR "/tests/integration/data/coco_reference.py",
                           folder.path().string(), std::to_string(kProblems), "20260131"});
  ASSERT_EQ(made.exitCode, 0) << made.err;
  for (int i = 0; i < kProblems; ++i) {
    const auto place = folder.path() / std::to_string(i);
    const auto truth = readGroundTruth(place / "gt.json");
    ASSERT_TRUE(truth.ok()) << truth.error().text();
    const auto detections = readDetections(place / "results.json", truth.value());
    ASSERT_TRUE(detections.ok()) << detections.error().text();
    const CocoMetrics m = cocoMetrics(truth.value(), detections.value());
    const json expected = json::parse(testing::readAll(place / "expected.json"));
    const std::vector<std::pair<const char*, double>> ours = {
        {"AP", m.ap},        {"AP50", m.ap50},   {"AP75", m.ap75},    {"APs", m.apSmall},
        {"APm", m.apMedium}, {"APl", m.apLarge}, {"AR1", m.ar1},      {"AR10", m.ar10},
        {"AR100", m.ar100},  {"ARs", m.arSmall}, {"ARm", m.arMedium}, {"ARl", m.arLarge}};
    for (const auto& [name, value] : ours)
      EXPECT_NEAR(value, expected.at(name).get<double>(), 1e-9) << "problem " << i << ", " << name;
  }
}

std::string truthText(const std::string& annotations) {
  return R"({"images":[{"id":1},{"id":2}],"categories":[{"id":1,"name":"vehicle"},{"id":2,"name":"pedestrian"}],)"
         R"("annotations":[)" +
         annotations + "]}";
}

TEST(EvalFiles, WhatIsWrongIsNamedWithItsPlace) {
  const TempFolder folder;
  const auto truthError = [&](const std::string& text) {
    const auto truth = readGroundTruth(folder.write("gt.json", text));
    EXPECT_FALSE(truth.ok()) << text;
    return truth.ok() ? std::string() : truth.error().text();
  };
  const auto unread = [&](const std::string& value) { return truthError("{\"images\":[{\"id\":" + value + "}]}"); };
  EXPECT_NE(unread("NaN").find("byte 18 (NaN is no value of JSON)"), std::string::npos) << unread("NaN");
  EXPECT_NE(unread("-Infinity").find("(Infinity is no value of JSON)"), std::string::npos) << unread("-Infinity");
  for (const char* odd : {"\"\xff\xfe\x01\"", "1 2", "\"open"}) {
    const std::string told = unread(odd);
    EXPECT_EQ(told.find("last read"), std::string::npos) << told;
    EXPECT_TRUE(std::ranges::all_of(told, [](unsigned char c) { return c >= ' ' && c < 127; })) << told;
  }
  EXPECT_NE(truthError("{\"images\": 3}").find("\"images\" is not an array"), std::string::npos);
  EXPECT_NE(truthError("[]").find("images"), std::string::npos);
  EXPECT_NE(truthError("{\"images\":[{\"id\":1}").find("byte"), std::string::npos);
  EXPECT_NE(truthError(truthText(R"({"id":1,"image_id":1,"category_id":1})")).find("annotation 0 has no \"bbox\""),
            std::string::npos);
  EXPECT_NE(
      truthError(truthText(R"({"id":1,"image_id":"a","category_id":1,"bbox":[1,2,3,4]})")).find("some are numbers"),
      std::string::npos);
  EXPECT_NE(truthError(truthText(R"({"id":1,"image_id":[],"category_id":1,"bbox":[1,2,3,4]})")).find("image_id"),
            std::string::npos);
  const auto truth = readGroundTruth(folder.write("gt.json", truthText(""))).value();
  const auto resultError = [&](const std::string& text) {
    const auto read = readDetections(folder.write("r.json", text), truth);
    EXPECT_FALSE(read.ok()) << text;
    return read.ok() ? std::string() : read.error().text();
  };
  EXPECT_NE(resultError("{}").find("array"), std::string::npos);
  EXPECT_NE(resultError("").find("empty"), std::string::npos);
  EXPECT_NE(resultError(R"([{"image_id":9,"category_id":1,"bbox":[0,0,1,1],"score":1}])").find("image 9"),
            std::string::npos);
  EXPECT_NE(resultError(R"([{"image_id":1,"category_id":1,"bbox":[0,0,1],"score":1}])").find("result 0"),
            std::string::npos);
  EXPECT_TRUE(readDetections(folder.write("r.json", "[]"), truth).ok());
}

TEST(EvalFiles, ClassesOfOneNameAreToldApart) {
  const TempFolder folder;
  const auto truth = readGroundTruth(
      folder.write("gt.json", R"({"images":[{"id":1}],"annotations":[],)"
                              R"("categories":[{"id":1,"name":"v"},{"id":2,"name":"v"},{"id":3,"name":"w"}]})"));
  ASSERT_TRUE(truth.ok()) << truth.error().text();
  std::vector<std::string> names;
  for (const auto& one : truth.value().categories) names.push_back(one.name);
  EXPECT_EQ(names, (std::vector<std::string>{"v (1)", "v (2)", "w"}));
}

TEST(Assignment, IsAsHeavyAsTheBestPermutation) {
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    const std::size_t rows = 1 + random.below(5), columns = 1 + random.below(5);
    std::vector<std::int64_t> weights(rows * columns);
    for (auto& w : weights) w = random.below(3) ? static_cast<std::int64_t>(random.below(100)) : 0;
    std::int64_t best = 0;
    const std::size_t n = std::max(rows, columns);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    do {
      std::int64_t sum = 0;
      for (std::size_t r = 0; r < rows; ++r)
        if (order[r] < columns) sum += weights[r * columns + order[r]];
      best = std::max(best, sum);
    } while (std::next_permutation(order.begin(), order.end()));
    std::int64_t ours = 0;
    std::vector<int> used;
    const auto assigned = heaviestAssignment(weights, rows, columns);
    for (std::size_t r = 0; r < rows; ++r) {
      if (assigned[r] < 0) continue;
      ours += weights[r * columns + static_cast<std::size_t>(assigned[r])];
      EXPECT_EQ(std::count(used.begin(), used.end(), assigned[r]), 0);
      used.push_back(assigned[r]);
    }
    EXPECT_EQ(ours, best);
  }
}

TEST(WaymoAveragePrecision, FollowsItsRules) {
  EXPECT_DOUBLE_EQ(waymoAveragePrecision({1}, {0}), 0);  // nothing was found
  EXPECT_DOUBLE_EQ(waymoAveragePrecision({1}, {1}), 1);  // everything was
  EXPECT_NEAR(waymoAveragePrecision({0.5}, {0.6}), 0.3, 1e-9);
  // Precision is the largest one to the right: 0.2 at recall 0.3 becomes 0.8.
  EXPECT_NEAR(waymoAveragePrecision({0.2, 0.8}, {0.3, 0.6}), 0.48, 1e-9);
  // From 0.5 (precision 0.5) back to 0.2 (1.0) in steps of 0.05: only the last step is a slope.
  EXPECT_NEAR(waymoAveragePrecision({1.0, 0.5}, {0.2, 0.5}), 0.2 + 0.25 * 0.5 + 0.05 * 0.75, 1e-9);
  // Cut-offs of one recall are one point, of the highest precision: the slope from 0.5 ends there.
  EXPECT_NEAR(waymoAveragePrecision({0.6, 1.0, 0.5}, {0.48, 0.48, 0.5}), 0.48 + 0.02 * 0.75, 1e-9);
  // A gap of just 0.05 is no gap: one trapezoid.
  EXPECT_NEAR(waymoAveragePrecision({1.0, 0.5}, {0.45, 0.5}), 0.45 + 0.05 * 0.75, 1e-9);
}

GroundTruth vehicles(std::vector<int> levels) {
  GroundTruth truth;
  truth.images = {1};
  truth.categories = {{1, "vehicle"}, {2, "pedestrian"}};
  for (std::size_t i = 0; i < levels.size(); ++i)
    truth.boxes.push_back(
        {static_cast<std::int64_t>(i + 1), 1, 1, {100.0 * static_cast<double>(i), 0, 50, 50}, 2500, false, levels[i]});
  return truth;
}

TEST(WaymoMetrics, LevelOneForgivesMissedHardBoxes) {
  const GroundTruth truth = vehicles({1, 2});
  const std::vector<Detection> easyOnly = {{1, 1, {0, 0, 50, 50}, 0.9}};
  EXPECT_NEAR(waymoMetrics(truth, easyOnly, 1).ap, 1, 1e-9);
  EXPECT_NEAR(waymoMetrics(truth, easyOnly, 2).ap, 0.5, 1e-9);
  const std::vector<Detection> hardOnly = {{1, 1, {100, 0, 50, 50}, 0.9}};
  EXPECT_NEAR(waymoMetrics(truth, hardOnly, 1).ap, 0.5, 1e-9);  // the hit on the hard box counts, the easy miss too
}

TEST(WaymoMetrics, VehiclesNeedMoreOverlapThanPedestrians) {
  GroundTruth truth = vehicles({1});
  truth.boxes.push_back({2, 1, 2, {0, 100, 50, 50}, 2500, false, 1});
  const std::vector<Detection> loose = {{1, 1, {0, 0, 50, 30}, 0.9}, {1, 2, {0, 100, 50, 30}, 0.9}};  // IoU 0.6
  const WaymoMetrics metrics = waymoMetrics(truth, loose, 2);
  EXPECT_DOUBLE_EQ(metrics.perClass.at("vehicle"), 0);
  EXPECT_DOUBLE_EQ(metrics.perClass.at("pedestrian"), 1);
  EXPECT_DOUBLE_EQ(metrics.ap, 0.5);
}

TEST(WaymoMetrics, CountWhatTheListedImagesShow) {
  GroundTruth truth = vehicles({1, 1});
  truth.boxes.push_back({3, 99, 1, {0, 0, 50, 50}, 2500, false, 1});  // pycocotools passes this one over, too
  truth.boxes.push_back({4, 99, 2, {0, 0, 50, 50}, 2500, false, 1});
  const std::vector<Detection> both = {
      {1, 1, {0, 0, 50, 50}, 0.9}, {1, 1, {100, 0, 50, 50}, 0.8}, {98, 1, {0, 0, 50, 50}, 0.95}};
  const WaymoMetrics metrics = waymoMetrics(truth, both, 2);
  EXPECT_EQ(metrics.perClass, (std::map<std::string, double>{{"vehicle", 1}}));
}

// One assignment over all boxes of the image at each of the 101 cut-offs, as the protocol says it.
double wholeImagePrecision(const GroundTruth& truth, std::vector<Detection> detections, int level) {
  std::stable_sort(detections.begin(), detections.end(),
                   [](const Detection& a, const Detection& b) { return a.score > b.score; });
  std::vector<double> precisions, recalls;
  for (int cutoff = 0; cutoff <= 100; ++cutoff) {
    const auto low = static_cast<float>(cutoff / 100.0);
    std::vector<std::int64_t> weights;
    std::size_t active = 0;
    for (; active < detections.size() && static_cast<float>(detections[active].score) >= low; ++active)
      for (const TruthBox& box : truth.boxes) {
        const double iou = boxIou(detections[active].box, box.box);
        weights.push_back(iou >= 0.7 ? std::llround(iou * 1e6) : 0);
      }
    double hits = 0, missed = 0;
    std::vector<char> found(truth.boxes.size(), 0);
    for (const int g : heaviestAssignment(weights, active, truth.boxes.size())) {
      if (g < 0) continue;
      ++hits;
      found[static_cast<std::size_t>(g)] = 1;
    }
    for (std::size_t g = 0; g < found.size(); ++g) missed += !found[g] && truth.boxes[g].level <= level;
    recalls.push_back(hits + missed > 0 ? hits / (hits + missed) : 0);
    precisions.push_back(hits > 0 ? hits / static_cast<double>(active) : 1);
  }
  return waymoAveragePrecision(std::move(precisions), std::move(recalls));
}

TEST(WaymoMetrics, ImagesTakenApartAreMatchedAsWhole) {
  Random random(11);
  for (int round = 0; round < 25; ++round) {
    const double crowded = random.uniform(20, 400);  // from one heap to single boxes
    const auto someBox = [&] {
      return EvalBox{random.uniform(0, crowded), random.uniform(0, crowded), random.uniform(20, 60),
                     random.uniform(20, 60)};
    };
    GroundTruth truth = vehicles(std::vector<int>(random.below(30) + 1, 1));
    std::vector<Detection> detections;
    for (TruthBox& box : truth.boxes) {
      box.box = someBox();
      box.level = 1 + static_cast<int>(random.below(2));
      for (std::uint64_t copies = random.below(4); copies > 0; --copies) {
        EvalBox near = box.box;
        near.x += random.uniform(-6, 6);
        near.w += random.uniform(-6, 6);
        detections.push_back({1, 1, near, random.uniform(0, 1)});
      }
      detections.push_back({1, 1, someBox(), random.uniform(0, 1)});
    }
    for (const int level : {1, 2})
      EXPECT_EQ(waymoMetrics(truth, detections, level).ap, wholeImagePrecision(truth, detections, level));
  }
}

TEST(WaymoMetrics, ManyBoxesInOneImageTakeNoLongTime) {
  Random random(12);
  GroundTruth truth = vehicles(std::vector<int>(600, 1));
  std::vector<Detection> detections;
  for (TruthBox& box : truth.boxes) {
    box.box = {random.uniform(0, 1900), random.uniform(0, 1200), random.uniform(10, 80), random.uniform(10, 80)};
    for (int i = 0; i < 2; ++i) {
      EvalBox near = box.box;
      near.x += random.uniform(-5, 5);
      detections.push_back({1, 1, near, random.uniform(0, 1)});
    }
  }
  const double began = monotonicSeconds();
  EXPECT_GT(waymoMetrics(truth, detections, 2).ap, 0.1);
  EXPECT_LT(monotonicSeconds() - began, 5);  // as a whole: many times that
}

TEST(WaymoMetrics, MatchesForTheLargestSumNotForTheBestScore) {
  // The better scored detection overlaps both boxes; taking the first box greedily would cost the second detection.
  GroundTruth truth;
  truth.images = {1};
  truth.categories = {{2, "pedestrian"}};
  truth.boxes = {{1, 1, 2, {0, 0, 100, 10}, 1000, false, 1}, {2, 1, 2, {30, 0, 100, 10}, 1000, false, 1}};
  const std::vector<Detection> detections = {{1, 2, {14, 0, 100, 10}, 0.9}, {1, 2, {0, 0, 100, 10}, 0.8}};
  EXPECT_NEAR(waymoMetrics(truth, detections, 2).ap, 1, 1e-9);
}

}  // namespace
}  // namespace roadtune::data
