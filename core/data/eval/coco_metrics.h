// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/eval/detections.h"

#include <map>
#include <string>
#include <vector>

namespace roadtune::data {

// The twelve numbers of the COCO detection protocol; -1 where there is nothing to measure.
struct CocoMetrics {
  double ap = -1, ap50 = -1, ap75 = -1, apSmall = -1, apMedium = -1, apLarge = -1;
  double ar1 = -1, ar10 = -1, ar100 = -1, arSmall = -1, arMedium = -1, arLarge = -1;
  std::map<std::string, double> apPerClass;
};

// Equal to pycocotools (bbox, default parameters) in every respect that shows in the numbers: stable order of equal
// scores, crowds, areas outside the range, maxDets, and that an annotation with id 0 cannot be matched.
CocoMetrics cocoMetrics(const GroundTruth& truth, const std::vector<Detection>& detections);

}  // namespace roadtune::data
