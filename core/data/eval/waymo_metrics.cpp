// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/eval/waymo_metrics.h"

#include "core/base/text.h"
#include "core/data/eval/assignment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <unordered_map>

namespace roadtune::data {

namespace {

constexpr std::size_t kCutoffs = 101;
constexpr double kWeightScale = 1e6;  // the matcher works on whole numbers

struct Counts {
  std::uint64_t truePositives = 0, falsePositives = 0, falseNegatives = 0;
  void add(const Counts& other) {
    truePositives += other.truePositives;
    falsePositives += other.falsePositives;
    falseNegatives += other.falseNegatives;
  }
};

// The boxes of one image, or some of them.
struct ImagePair {
  std::vector<const TruthBox*> truths;
  std::vector<const Detection*> detections;  // best first
};

std::array<float, kCutoffs> cutoffs() {
  std::array<float, kCutoffs> values{};
  for (std::size_t i = 0; i < kCutoffs; ++i) values[i] = static_cast<float>(static_cast<double>(i) / (kCutoffs - 1));
  return values;
}

// The best `active` detections against the truths.
Counts match(const ImagePair& pair, std::size_t active, double threshold, int level) {
  const std::size_t ng = pair.truths.size();
  std::vector<std::int64_t> weights(active * ng);
  for (std::size_t d = 0; d < active; ++d)
    for (std::size_t g = 0; g < ng; ++g) {
      const double iou = boxIou(pair.detections[d]->box, pair.truths[g]->box);
      weights[d * ng + g] = iou >= threshold ? static_cast<std::int64_t>(std::llround(iou * kWeightScale)) : 0;
    }
  std::vector<char> found(ng, 0);
  Counts counts;
  for (const int g : heaviestAssignment(weights, active, ng)) {
    if (g < 0) {
      ++counts.falsePositives;
      continue;
    }
    ++counts.truePositives;
    found[static_cast<std::size_t>(g)] = 1;
  }
  for (std::size_t g = 0; g < ng; ++g) counts.falseNegatives += !found[g] && pair.truths[g]->level <= level;
  return counts;
}

void addPart(const ImagePair& pair, double threshold, int level, std::array<Counts, kCutoffs>& totals) {
  static const auto values = cutoffs();
  std::size_t known = pair.detections.size() + 1;
  Counts counts;
  for (std::size_t i = 0; i < kCutoffs; ++i) {
    const auto end = std::partition_point(pair.detections.begin(), pair.detections.end(), [&](const Detection* d) {
      return static_cast<float>(d->score) >= values[i];
    });
    const auto active = static_cast<std::size_t>(end - pair.detections.begin());
    if (active != known) counts = match(pair, active, threshold, level);
    known = active;
    totals[i].add(counts);
  }
}

// Sets that grow together: of(a) == of(b) once a and b were joined, by whatever way.
class Groups {
 public:
  explicit Groups(std::size_t size) : m_parent(size) { std::iota(m_parent.begin(), m_parent.end(), std::size_t{0}); }
  std::size_t of(std::size_t one) {
    while (m_parent[one] != one) one = m_parent[one] = m_parent[m_parent[one]];
    return one;
  }
  void join(std::size_t a, std::size_t b) { m_parent[of(a)] = of(b); }

 private:
  std::vector<std::size_t> m_parent;
};

// An image taken apart into what can be matched on its own: boxes that are linked by enough overlap. Matching takes
// time with the third power of the number of boxes, and most have few neighbours.
std::vector<ImagePair> partsOf(const ImagePair& pair, double threshold) {
  const std::size_t ng = pair.truths.size(), nd = pair.detections.size();
  Groups groups(ng + nd);
  for (std::size_t d = 0; d < nd; ++d)
    for (std::size_t g = 0; g < ng; ++g)
      if (boxIou(pair.detections[d]->box, pair.truths[g]->box) >= threshold) groups.join(g, ng + d);
  std::vector<ImagePair> parts(ng + nd);
  for (std::size_t g = 0; g < ng; ++g) parts[groups.of(g)].truths.push_back(pair.truths[g]);
  for (std::size_t d = 0; d < nd; ++d) parts[groups.of(ng + d)].detections.push_back(pair.detections[d]);
  std::erase_if(parts, [](const ImagePair& part) { return part.truths.empty() && part.detections.empty(); });
  return parts;
}

double classPrecision(const std::vector<ImagePair>& pairs, double threshold, int level) {
  std::array<Counts, kCutoffs> totals{};
  for (const ImagePair& pair : pairs)
    for (const ImagePair& part : partsOf(pair, threshold)) addPart(part, threshold, level, totals);
  std::vector<double> precisions, recalls;
  for (const Counts& c : totals) {
    const auto tp = static_cast<double>(c.truePositives);
    const double found = tp + static_cast<double>(c.falseNegatives), told = tp + static_cast<double>(c.falsePositives);
    const double recall = found > 0 ? tp / found : 0;
    recalls.push_back(recall);
    precisions.push_back(recall > 0 ? tp / told : 1);
  }
  return waymoAveragePrecision(std::move(precisions), std::move(recalls));
}

// Of the images that the ground truth lists; elsewhere nobody can say what is wrong.
std::vector<ImagePair> pairsOfClass(const GroundTruth& truth, const std::vector<Detection>& detections,
                                    std::int64_t category) {
  std::unordered_map<std::int64_t, ImagePair> byImage;
  for (const std::int64_t image : truth.images) byImage.try_emplace(image);
  for (const TruthBox& box : truth.boxes)
    if (const auto at = byImage.find(box.image); at != byImage.end() && box.category == category && !box.crowd)
      at->second.truths.push_back(&box);
  for (const Detection& detection : detections)
    if (const auto at = byImage.find(detection.image); at != byImage.end() && detection.category == category)
      at->second.detections.push_back(&detection);
  std::vector<ImagePair> pairs;
  for (auto& [image, pair] : byImage) {
    std::stable_sort(pair.detections.begin(), pair.detections.end(),
                     [](const Detection* a, const Detection* b) { return a->score > b->score; });
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

}  // namespace

double waymoAveragePrecision(std::vector<double> precisions, std::vector<double> recalls) {
  constexpr double kStep = 0.05, kSlack = 1e-6;
  struct Point {
    double recall, precision;
  };
  std::vector<std::size_t> order(recalls.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return std::pair(recalls[i], precisions[i]); });
  std::vector<Point> curve;  // from the largest recall down to 0
  double best = 0;
  for (const std::size_t i : order) {
    if (recalls[i] <= 0) break;
    while (!curve.empty() && curve.back().recall - recalls[i] > kStep + kSlack)
      curve.push_back({curve.back().recall - kStep, best});
    best = std::max(best, precisions[i]);
    curve.push_back({recalls[i], best});
  }
  if (curve.empty()) return 0;
  curve.push_back({0, best});  // where recall is 0 precision means nothing: that of the next point holds
  double area = 0;
  for (std::size_t i = 1; i < curve.size(); ++i)
    area += (curve[i - 1].recall - curve[i].recall) * (curve[i - 1].precision + curve[i].precision) / 2;
  return area;
}

WaymoMetrics waymoMetrics(const GroundTruth& truth, const std::vector<Detection>& detections, int level) {
  WaymoMetrics metrics;
  for (const GroundTruth::Category& category : truth.categories) {
    const std::string name = lower(category.name);
    if (name != "vehicle" && name != "pedestrian" && name != "cyclist") continue;
    const std::vector<ImagePair> pairs = pairsOfClass(truth, detections, category.id);
    if (std::ranges::all_of(pairs, [](const ImagePair& pair) { return pair.truths.empty(); })) continue;
    const double threshold = name == "vehicle" ? 0.7 : 0.5;
    metrics.perClass[name] = classPrecision(pairs, threshold, level);
  }
  for (const auto& [name, ap] : metrics.perClass) metrics.ap += ap / static_cast<double>(metrics.perClass.size());
  return metrics;
}

}  // namespace roadtune::data
