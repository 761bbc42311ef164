// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/eval/iou_pairs.h"
#include "core/data/index/index.h"

#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace roadtune::data {

// A predicted box, in pixels of its picture.
struct PredictedBox {
  std::string label;
  EvalBox box;
  double score = 0;
  bool hit = false;
};

// Predictions laid beside the labels of an index. Immutable once read; may be shared between threads.
class PredictionSet {
 public:
  // A results file of `roadtune predict`, or predictions/step-<step>.jsonl of a run. Lines name their picture
  // ("segment/timestamp/CAMERA"); results without names count the images of the index from 1, as older files do, and
  // lines that hold the text alone are read from it. Fails when nothing in the file belongs to the index.
  static Result<std::shared_ptr<const PredictionSet>> read(const std::filesystem::path& file, const Index& index);

  std::size_t images() const { return m_truth.images.size(); }
  std::size_t elsewhere() const { return m_elsewhere; }  // pictures that the index does not have
  bool covers(ImageId image) const { return m_places.contains(image); }

  struct OnImage {
    std::vector<PredictedBox> boxes;  // of at least that score
    std::vector<std::size_t> missed;  // which boxes of the index nothing was found for
    MatchCounts counts;
  };
  OnImage on(ImageId image, double iou, double score) const;
  MatchCounts total(double iou, double score) const { return m_pairs->match(iou, score).total; }

 private:
  friend class PredictionReader;
  GroundTruth m_truth;
  std::vector<std::size_t> m_boxOf;  // which box of its image, per truth box
  std::vector<Detection> m_found;
  std::unordered_map<ImageId, std::size_t> m_places;  // in m_truth.images
  std::size_t m_elsewhere = 0;
  std::unique_ptr<const IouPairs> m_pairs;
};

}  // namespace roadtune::data
