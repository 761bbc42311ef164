// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/eval/iou_pairs.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace roadtune::data {

namespace {

constexpr std::uint32_t kNoTruth = std::numeric_limits<std::uint32_t>::max();

template <class T>
std::vector<std::vector<const T*>> byImage(const std::vector<T>& all,
                                           const std::unordered_map<std::int64_t, std::uint32_t>& images,
                                           const std::unordered_map<std::int64_t, std::uint32_t>& categories) {
  std::vector<std::vector<const T*>> result(images.size());
  for (const T& one : all)
    if (const auto at = images.find(one.image); at != images.end() && categories.contains(one.category))
      result[at->second].push_back(&one);
  return result;
}

}  // namespace

IouPairs::IouPairs(const GroundTruth& truth, const std::vector<Detection>& detections)
    : m_classes(truth.categories.size()) {
  std::unordered_map<std::int64_t, std::uint32_t> images, categories;
  for (const std::int64_t id : truth.images) images.emplace(id, static_cast<std::uint32_t>(images.size()));
  for (const auto& category : truth.categories)
    categories.emplace(category.id, static_cast<std::uint32_t>(categories.size()));
  const auto truths = byImage(truth.boxes, images, categories);
  auto found = byImage(detections, images, categories);
  for (std::size_t i = 0; i < truths.size(); ++i) {
    Image image;
    image.firstTruth = static_cast<std::uint32_t>(m_truths.size());
    for (const TruthBox* box : truths[i])
      m_truths.push_back(
          {categories.at(box->category), box->crowd, static_cast<std::size_t>(box - truth.boxes.data())});
    image.endTruth = static_cast<std::uint32_t>(m_truths.size());
    image.firstFound = static_cast<std::uint32_t>(m_found.size());
    std::stable_sort(found[i].begin(), found[i].end(),
                     [](const Detection* a, const Detection* b) { return a->score > b->score; });
    for (const Detection* detection : found[i]) {
      Found entry{.score = detection->score, .category = categories.at(detection->category)};
      entry.given = static_cast<std::size_t>(detection - detections.data());
      entry.firstCandidate = static_cast<std::uint32_t>(m_candidates.size());
      for (std::size_t t = 0; t < truths[i].size(); ++t) {
        const double iou = boxIou(detection->box, truths[i][t]->box, truths[i][t]->crowd);
        if (iou >= kLeast)
          m_candidates.push_back({image.firstTruth + static_cast<std::uint32_t>(t), static_cast<float>(iou)});
      }
      entry.endCandidate = static_cast<std::uint32_t>(m_candidates.size());
      std::stable_sort(m_candidates.begin() + entry.firstCandidate, m_candidates.end(),
                       [](const Candidate& a, const Candidate& b) { return a.iou > b.iou; });
      m_found.push_back(entry);
    }
    image.endFound = static_cast<std::uint32_t>(m_found.size());
    m_images.push_back(image);
  }
}

IouPairs::Outcome IouPairs::take(const Found& found, double iou, bool anyClass, std::vector<std::uint8_t>& taken,
                                 std::uint32_t& partner) const {
  const auto least = static_cast<float>(iou);
  bool inCrowd = false;
  for (std::uint32_t i = found.firstCandidate; i < found.endCandidate && m_candidates[i].iou >= least; ++i) {
    const Truth& truth = m_truths[m_candidates[i].truth];
    if (!anyClass && truth.category != found.category) continue;
    if (truth.crowd) {
      inCrowd = true;
    } else if (!taken[m_candidates[i].truth]) {
      partner = m_candidates[i].truth;
      taken[partner] = 1;
      return Outcome::Hit;
    }
  }
  return inCrowd ? Outcome::Ignored : Outcome::Wrong;
}

MatchReport IouPairs::match(double iou, double score) const {
  MatchReport report;
  report.perImage.resize(m_images.size());
  report.perClass.resize(m_classes);
  report.confusion.resize((m_classes + 1) * (m_classes + 1));
  std::vector<std::uint8_t> taken(m_truths.size()), placed(m_truths.size());
  for (std::size_t i = 0; i < m_images.size(); ++i) {
    const Image& image = m_images[i];
    MatchCounts& counts = report.perImage[i];
    for (std::uint32_t f = image.firstFound; f < image.endFound && m_found[f].score >= score; ++f) {
      std::uint32_t partner = kNoTruth;
      const Outcome outcome = take(m_found[f], iou, false, taken, partner);
      counts.hits += outcome == Outcome::Hit;
      counts.wrong += outcome == Outcome::Wrong;
      report.perClass[m_found[f].category].hits += outcome == Outcome::Hit;
      report.perClass[m_found[f].category].wrong += outcome == Outcome::Wrong;
    }
    for (std::uint32_t t = image.firstTruth; t < image.endTruth; ++t) {
      const bool missed = !m_truths[t].crowd && !taken[t];
      counts.missed += missed;
      report.perClass[m_truths[t].category].missed += missed;
    }
    report.total.hits += counts.hits;
    report.total.wrong += counts.wrong;
    report.total.missed += counts.missed;
    confuse(image, iou, score, placed, report);
  }
  return report;
}

IouPairs::Outcomes IouPairs::outcomes(std::size_t number, double iou, double score) const {
  Outcomes result;
  const Image& image = m_images.at(number);
  std::vector<std::uint8_t> taken(m_truths.size());
  for (std::uint32_t f = image.firstFound; f < image.endFound && m_found[f].score >= score; ++f) {
    std::uint32_t partner = kNoTruth;
    const Outcome outcome = take(m_found[f], iou, false, taken, partner);
    if (outcome != Outcome::Ignored) result.found.emplace_back(m_found[f].given, outcome == Outcome::Hit);
  }
  for (std::uint32_t t = image.firstTruth; t < image.endTruth; ++t)
    if (!m_truths[t].crowd && !taken[t]) result.missed.push_back(m_truths[t].given);
  return result;
}

void IouPairs::confuse(const Image& image, double iou, double score, std::vector<std::uint8_t>& taken,
                       MatchReport& report) const {
  const std::size_t side = m_classes + 1;
  for (std::uint32_t f = image.firstFound; f < image.endFound && m_found[f].score >= score; ++f) {
    std::uint32_t partner = kNoTruth;
    const Outcome outcome = take(m_found[f], iou, true, taken, partner);
    if (outcome == Outcome::Ignored) continue;
    const std::size_t truth = outcome == Outcome::Hit ? m_truths[partner].category : m_classes;
    ++report.confusion[truth * side + m_found[f].category];
  }
  for (std::uint32_t t = image.firstTruth; t < image.endTruth; ++t)
    if (!m_truths[t].crowd && !taken[t]) ++report.confusion[m_truths[t].category * side + m_classes];
}

std::vector<PrecisionRecall> IouPairs::curves(double iou) const {
  constexpr std::size_t kPoints = 101;
  struct Scored {
    double score;
    bool hit;
  };
  std::vector<std::vector<Scored>> scored(m_classes);
  std::vector<std::size_t> truths(m_classes);
  for (const Truth& truth : m_truths) truths[truth.category] += !truth.crowd;
  std::vector<std::uint8_t> taken(m_truths.size());
  for (const Found& found : m_found) {
    std::uint32_t partner = kNoTruth;
    const Outcome outcome = take(found, iou, false, taken, partner);
    if (outcome != Outcome::Ignored) scored[found.category].push_back({found.score, outcome == Outcome::Hit});
  }
  std::vector<PrecisionRecall> curves(m_classes);
  for (std::size_t c = 0; c < m_classes; ++c) {
    if (truths[c] == 0) continue;
    PrecisionRecall& curve = curves[c];
    curve.measured = true;
    curve.precision.assign(kPoints, 0);
    curve.score.assign(kPoints, 0);
    std::stable_sort(scored[c].begin(), scored[c].end(),
                     [](const Scored& a, const Scored& b) { return a.score > b.score; });
    std::size_t hits = 0, point = 0;
    for (std::size_t i = 0; i < scored[c].size(); ++i) {
      hits += scored[c][i].hit;
      const double precision = static_cast<double>(hits) / static_cast<double>(i + 1);
      for (; point < kPoints && hits * (kPoints - 1) >= point * truths[c]; ++point)
        curve.score[point] = scored[c][i].score;
      if (point > 0) curve.precision[point - 1] = std::max(curve.precision[point - 1], precision);
    }
    for (std::size_t p = kPoints - 1; p > 0; --p)
      curve.precision[p - 1] = std::max(curve.precision[p - 1], curve.precision[p]);
  }
  return curves;
}

}  // namespace roadtune::data
