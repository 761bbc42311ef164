// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/eval/coco_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace roadtune::data {

namespace {

constexpr std::size_t kIous = 10, kRecalls = 101, kAreas = 4, kCuts = 3;
constexpr std::array<std::size_t, kCuts> kMaxDetections = {1, 10, 100};
constexpr std::array<std::array<double, 2>, kAreas> kAreaRanges = {
    {{0, 1e10}, {0, 32.0 * 32}, {32.0 * 32, 96.0 * 96}, {96.0 * 96, 1e10}}};

// The thresholds as evenly spaced numbers are computed in double precision.
std::array<double, kIous> iouThresholds() {
  std::array<double, kIous> values{};
  const double step = (0.95 - 0.5) / (kIous - 1);
  for (std::size_t i = 0; i < kIous; ++i) values[i] = static_cast<double>(i) * step + 0.5;
  values[kIous - 1] = 0.95;
  return values;
}

std::array<double, kRecalls> recallThresholds() {
  std::array<double, kRecalls> values{};
  for (std::size_t i = 0; i < kRecalls; ++i) values[i] = static_cast<double>(i) * (1.0 / (kRecalls - 1));
  values[kRecalls - 1] = 1;
  return values;
}

struct Pair {
  std::vector<const TruthBox*> truths;
  std::vector<const Detection*> detections;  // best first, at most the largest maxDets
};

// One image and class under one area range.
struct Evaluated {
  std::size_t detections = 0, counted = 0;  // truths that are not ignored
  std::vector<double> scores;
  std::array<std::vector<std::uint8_t>, kIous> matched, ignored;  // per detection
};

bool outside(double area, std::size_t range) { return area < kAreaRanges[range][0] || area > kAreaRanges[range][1]; }

class PairEvaluator {
 public:
  explicit PairEvaluator(const Pair& pair) : m_pair(pair) {
    for (const Detection* d : pair.detections)
      for (const TruthBox* g : pair.truths) m_ious.push_back(boxIou(d->box, g->box, g->crowd));
  }

  Evaluated run(std::size_t range) const {
    const std::size_t nd = m_pair.detections.size(), ng = m_pair.truths.size();
    std::vector<std::uint8_t> ignore(ng);
    for (std::size_t g = 0; g < ng; ++g) ignore[g] = m_pair.truths[g]->crowd || outside(m_pair.truths[g]->area, range);
    std::vector<std::size_t> order(ng);  // those that count first
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ignore[a] < ignore[b]; });

    Evaluated result;
    result.detections = nd;
    result.counted = static_cast<std::size_t>(std::count(ignore.begin(), ignore.end(), 0));
    for (const Detection* d : m_pair.detections) result.scores.push_back(d->score);
    static const auto thresholds = iouThresholds();
    for (std::size_t t = 0; t < kIous; ++t)
      match(thresholds[t], range, order, ignore, result.matched[t], result.ignored[t]);
    return result;
  }

 private:
  void match(double threshold, std::size_t range, const std::vector<std::size_t>& order,
             const std::vector<std::uint8_t>& ignore, std::vector<std::uint8_t>& matched,
             std::vector<std::uint8_t>& ignored) const {
    constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();
    const std::size_t nd = m_pair.detections.size(), ng = m_pair.truths.size();
    std::vector<std::uint8_t> taken(ng);
    matched.assign(nd, 0);
    ignored.assign(nd, 0);
    for (std::size_t d = 0; d < nd; ++d) {
      double best = std::min(threshold, 1 - 1e-10);
      std::size_t found = kNobody;
      for (const std::size_t g : order) {
        if (taken[g] && !m_pair.truths[g]->crowd) continue;
        if (found != kNobody && !ignore[found] && ignore[g]) break;
        const double iou = m_ious[d * ng + g];
        if (iou < best) continue;
        best = iou;
        found = g;
      }
      if (found != kNobody) {
        taken[found] = 1;
        ignored[d] = ignore[found];
        matched[d] = m_pair.truths[found]->id != 0;
      }
      const EvalBox& box = m_pair.detections[d]->box;
      if (!matched[d] && outside(box.w * box.h, range)) ignored[d] = 1;
    }
  }

  const Pair& m_pair;
  std::vector<double> m_ious;  // detection major
};

// Precision at the recall points and the recall reached, for one class, area range and maxDets.
struct Curve {
  bool measured = false;
  std::array<std::array<double, kRecalls>, kIous> precision{};
  std::array<double, kIous> recall{};
};

Curve accumulate(const std::vector<Evaluated>& images, std::size_t most) {
  Curve curve;
  std::size_t counted = 0;
  std::vector<double> scores;
  std::vector<std::pair<const Evaluated*, std::size_t>> places;
  for (const Evaluated& image : images) {
    counted += image.counted;
    for (std::size_t d = 0; d < std::min(image.detections, most); ++d) {
      scores.push_back(image.scores[d]);
      places.emplace_back(&image, d);
    }
  }
  if (counted == 0) return curve;
  curve.measured = true;
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  static const auto recalls = recallThresholds();
  std::vector<double> precision(order.size()), recall(order.size());
  for (std::size_t t = 0; t < kIous; ++t) {
    double tp = 0, fp = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto [image, d] = places[order[i]];
      const bool ignored = image->ignored[t][d], matched = image->matched[t][d];
      tp += matched && !ignored;
      fp += !matched && !ignored;
      recall[i] = tp / static_cast<double>(counted);
      precision[i] = tp / (fp + tp + std::numeric_limits<double>::epsilon());
    }
    curve.recall[t] = order.empty() ? 0 : recall.back();
    for (std::size_t i = order.size(); i > 1; --i) precision[i - 2] = std::max(precision[i - 2], precision[i - 1]);
    for (std::size_t r = 0; r < kRecalls; ++r) {
      const auto at = std::lower_bound(recall.begin(), recall.end(), recalls[r]) - recall.begin();
      curve.precision[t][r] = static_cast<std::size_t>(at) < order.size() ? precision[static_cast<std::size_t>(at)] : 0;
    }
  }
  return curve;
}

// Mean over what was measured; -1 when nothing was.
struct Mean {
  double sum = 0;
  std::size_t count = 0;
  void add(double value) {
    sum += value;
    ++count;
  }
  double value() const { return count ? sum / static_cast<double>(count) : -1; }
};

struct ClassCurves {
  std::array<std::array<Curve, kCuts>, kAreas> curves;
};

double meanPrecision(const std::vector<ClassCurves>& classes, std::size_t area, int iou) {
  Mean mean;
  for (const ClassCurves& c : classes) {
    const Curve& curve = c.curves[area][kCuts - 1];
    if (!curve.measured) continue;
    for (std::size_t t = 0; t < kIous; ++t)
      if (iou < 0 || t == static_cast<std::size_t>(iou))
        for (const double p : curve.precision[t]) mean.add(p);
  }
  return mean.value();
}

double meanRecall(const std::vector<ClassCurves>& classes, std::size_t area, std::size_t cut) {
  Mean mean;
  for (const ClassCurves& c : classes)
    if (c.curves[area][cut].measured)
      for (const double r : c.curves[area][cut].recall) mean.add(r);
  return mean.value();
}

// Truths and detections of one class by image, images in order of their ids.
std::vector<Pair> pairsOf(const GroundTruth& truth, const std::vector<Detection>& detections, std::int64_t category) {
  std::unordered_map<std::int64_t, std::size_t> position;
  for (std::size_t i = 0; i < truth.images.size(); ++i) position[truth.images[i]] = i;
  std::vector<Pair> pairs(truth.images.size());
  for (const TruthBox& box : truth.boxes)
    if (const auto at = position.find(box.image); box.category == category && at != position.end())
      pairs[at->second].truths.push_back(&box);
  for (const Detection& detection : detections)
    if (const auto at = position.find(detection.image); detection.category == category && at != position.end())
      pairs[at->second].detections.push_back(&detection);
  for (Pair& pair : pairs) {
    std::stable_sort(pair.detections.begin(), pair.detections.end(),
                     [](const Detection* a, const Detection* b) { return a->score > b->score; });
    if (pair.detections.size() > kMaxDetections.back()) pair.detections.resize(kMaxDetections.back());
  }
  return pairs;
}

ClassCurves evaluateClass(const GroundTruth& truth, const std::vector<Detection>& detections, std::int64_t category) {
  std::array<std::vector<Evaluated>, kAreas> images;
  for (const Pair& pair : pairsOf(truth, detections, category)) {
    if (pair.truths.empty() && pair.detections.empty()) continue;
    const PairEvaluator evaluator(pair);
    for (std::size_t area = 0; area < kAreas; ++area) images[area].push_back(evaluator.run(area));
  }
  ClassCurves result;
  for (std::size_t area = 0; area < kAreas; ++area)
    for (std::size_t cut = 0; cut < kCuts; ++cut)
      result.curves[area][cut] = accumulate(images[area], kMaxDetections[cut]);
  return result;
}

}  // namespace

CocoMetrics cocoMetrics(const GroundTruth& truth, const std::vector<Detection>& detections) {
  CocoMetrics metrics;
  std::vector<ClassCurves> classes;
  for (const GroundTruth::Category& category : truth.categories) {
    classes.push_back(evaluateClass(truth, detections, category.id));
    metrics.apPerClass[category.name] = meanPrecision({classes.back()}, 0, -1);
  }
  metrics.ap = meanPrecision(classes, 0, -1);
  metrics.ap50 = meanPrecision(classes, 0, 0);
  metrics.ap75 = meanPrecision(classes, 0, 5);
  metrics.apSmall = meanPrecision(classes, 1, -1);
  metrics.apMedium = meanPrecision(classes, 2, -1);
  metrics.apLarge = meanPrecision(classes, 3, -1);
  metrics.ar1 = meanRecall(classes, 0, 0);
  metrics.ar10 = meanRecall(classes, 0, 1);
  metrics.ar100 = meanRecall(classes, 0, 2);
  metrics.arSmall = meanRecall(classes, 1, 2);
  metrics.arMedium = meanRecall(classes, 2, 2);
  metrics.arLarge = meanRecall(classes, 3, 2);
  return metrics;
}

}  // namespace roadtune::data
