// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/eval/coco_metrics.h"
#include "core/data/source/sample_source.h"
#include "core/engine/generate/greedy.h"
#include "core/engine/loader/encoded_sample.h"

#include <optional>
#include <string>
#include <vector>

namespace roadtune::engine {

// How right the predictions for the probe samples are. Samples whose answer holds <loc> tokens, or that ask to detect,
// are judged as boxes; all others by their words.
struct ProbeScores {
  std::optional<double> ap, ap50, malformed;  // boxes: COCO's numbers, and pieces that are no box per sample
  std::optional<double> accuracy;             // words: the share of exactly equal answers
};

class ProbeScorer {
 public:
  explicit ProbeScorer(text::LocDecoding decoding = text::LocDecoding::Over1023) : m_decoding(decoding) {}
  void add(const data::Sample& sample, const EncodedSample& encoded, const Generated& generated,
           const text::Tokenizer& tokenizer);
  ProbeScores scores() const;

 private:
  std::int64_t category(const std::string& label);
  void addTruth(std::int64_t image, const std::string& label, const data::EvalBox& box, bool crowd);
  void addBoxes(const data::Sample& sample, const EncodedSample& encoded, const Generated& generated,
                const text::Tokenizer& tokenizer);

  text::LocDecoding m_decoding;
  data::GroundTruth m_truth;
  std::vector<data::Detection> m_detections;
  std::size_t m_malformed = 0, m_answers = 0, m_right = 0;
};

}  // namespace roadtune::engine
