// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/eval/detections.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace roadtune::data {

// Hits and misses under one choice of thresholds.
struct MatchCounts {
  std::size_t hits = 0, wrong = 0, missed = 0;  // TP, FP, FN
  double precision() const { return hits + wrong ? static_cast<double>(hits) / static_cast<double>(hits + wrong) : 0; }
  double recall() const { return hits + missed ? static_cast<double>(hits) / static_cast<double>(hits + missed) : 0; }
};

struct MatchReport {
  MatchCounts total;
  std::vector<MatchCounts> perImage;  // in the order of GroundTruth::images
  std::vector<MatchCounts> perClass;  // in the order of GroundTruth::categories
  // confusion[truth * (classes + 1) + found]; the last row and column are the background. Boxes are paired by place
  // alone here, whatever their class.
  std::vector<std::size_t> confusion;
};

// Precision and score at the recalls 0, 0.01 .. 1 of one class; precision is the best at that recall or beyond.
struct PrecisionRecall {
  bool measured = false;  // the class has ground truth
  std::vector<double> precision, score;
};

// Which detection overlaps which truth, computed once: thresholds can then move at the speed of a slider. A detection
// takes, best score first, the truth it overlaps most of those left; crowds take any number and count for nothing.
class IouPairs {
 public:
  static constexpr double kLeast = 0.1;  // pairs below are not kept, and no threshold may be lower

  IouPairs(const GroundTruth& truth, const std::vector<Detection>& detections);

  MatchReport match(double iou, double score) const;
  std::vector<PrecisionRecall> curves(double iou) const;  // per class

  // The same for one image (its position in GroundTruth::images), box by box: positions in the detections and in
  // GroundTruth::boxes. Detections below the score, and those that lie in a crowd, are left out.
  struct Outcomes {
    std::vector<std::pair<std::size_t, bool>> found;  // and whether it is a hit
    std::vector<std::size_t> missed;
  };
  Outcomes outcomes(std::size_t image, double iou, double score) const;

 private:
  struct Candidate {
    std::uint32_t truth = 0;
    float iou = 0;
  };
  struct Found {
    double score = 0;
    std::uint32_t category = 0;                          // position
    std::uint32_t firstCandidate = 0, endCandidate = 0;  // largest overlap first
    std::size_t given = 0;                               // position among the detections
  };
  struct Image {
    std::uint32_t firstTruth = 0, endTruth = 0, firstFound = 0, endFound = 0;
  };
  struct Truth {
    std::uint32_t category = 0;
    bool crowd = false;
    std::size_t given = 0;  // position in GroundTruth::boxes
  };
  enum class Outcome : std::uint8_t { Hit, Wrong, Ignored };

  Outcome take(const Found& found, double iou, bool anyClass, std::vector<std::uint8_t>& taken,
               std::uint32_t& partner) const;
  void confuse(const Image& image, double iou, double score, std::vector<std::uint8_t>& taken,
               MatchReport& report) const;

  std::size_t m_classes = 0;
  std::vector<Image> m_images;
  std::vector<Truth> m_truths;
  std::vector<Found> m_found;  // by image, best score first
  std::vector<Candidate> m_candidates;
};

}  // namespace roadtune::data
