// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/probe_scores.h"

#include "core/base/text.h"
#include "core/text/detection_text.h"

#include <algorithm>

namespace roadtune::engine {
namespace {

data::EvalBox evalBox(const text::LocBox& box) { return {box.x1, box.y1, box.x2 - box.x1, box.y2 - box.y1}; }

bool asksForBoxes(const data::Sample& sample) {
  return sample.suffix.find("<loc") != std::string::npos || startsWith(trim(sample.prefix), "detect ");
}

}  // namespace

std::int64_t ProbeScorer::category(const std::string& label) {
  const std::string name(trim(label));
  for (const auto& known : m_truth.categories)
    if (known.name == name) return known.id;
  m_truth.categories.push_back({static_cast<std::int64_t>(m_truth.categories.size()) + 1, name});
  return m_truth.categories.back().id;
}

void ProbeScorer::add(const data::Sample& sample, const EncodedSample& encoded, const Generated& generated,
                      const text::Tokenizer& tokenizer) {
  if (asksForBoxes(sample)) return addBoxes(sample, encoded, generated, tokenizer);
  ++m_answers;
  m_right += lower(trim(tokenizer.decode(generated.ids, true))) == lower(trim(sample.suffix));
}

void ProbeScorer::addTruth(std::int64_t image, const std::string& label, const data::EvalBox& box, bool crowd) {
  m_truth.boxes.push_back({.id = static_cast<std::int64_t>(m_truth.boxes.size()) + 1,
                           .image = image,
                           .category = category(label),
                           .box = box,
                           .area = box.w * box.h,
                           .crowd = crowd});
}

void ProbeScorer::addBoxes(const data::Sample& sample, const EncodedSample& encoded, const Generated& generated,
                           const text::Tokenizer& tokenizer) {
  const auto image = static_cast<std::int64_t>(m_truth.images.size()) + 1;
  m_truth.images.push_back(image);
  for (const auto& expected : text::parseDetections(sample.suffix, encoded.width, encoded.height).boxes)
    addTruth(image, expected.label, evalBox(expected.box), false);
  // In pixels of the data, whose pictures may be smaller by now.
  const double across = sample.width > 0 ? static_cast<double>(encoded.width) / sample.width : 1;
  const double down = sample.height > 0 ? static_cast<double>(encoded.height) / sample.height : 1;
  for (const auto& [box, label] : sample.crowds)
    addTruth(image, label, evalBox({box.x1 * across, box.y1 * down, box.x2 * across, box.y2 * down}), true);
  const auto parsed = text::parseDetections(tokenizer, generated.ids, encoded.width, encoded.height, m_decoding);
  m_malformed += parsed.malformed;
  for (const auto& box : parsed.boxes) {
    if (!box.valid) {
      ++m_malformed;
      continue;
    }
    m_detections.push_back(
        {image, category(box.label), evalBox(box.box), meanProbability(generated, box.firstToken, box.tokens)});
  }
}

ProbeScores ProbeScorer::scores() const {
  ProbeScores scores;
  if (m_answers > 0) scores.accuracy = static_cast<double>(m_right) / static_cast<double>(m_answers);
  if (m_truth.images.empty()) return scores;
  scores.malformed = static_cast<double>(m_malformed) / static_cast<double>(m_truth.images.size());
  const auto coco = data::cocoMetrics(m_truth, m_detections);
  if (coco.ap >= 0) scores.ap = coco.ap;  // -1: no box was expected anywhere
  if (coco.ap50 >= 0) scores.ap50 = coco.ap50;
  return scores;
}

}  // namespace roadtune::engine
