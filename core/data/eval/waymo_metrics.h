// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/eval/detections.h"

#include <map>
#include <string>
#include <vector>

namespace roadtune::data {

struct WaymoMetrics {
  double ap = 0;                           // unweighted mean of perClass
  std::map<std::string, double> perClass;  // of vehicle, pedestrian, cyclist: those with ground truth
};

// The Waymo Open Dataset's detection protocol for 2D boxes: Hungarian matching, IoU 0.7 for vehicles and 0.5 for
// others, 101 score cut-offs. At level 1 missed hard boxes are forgiven, at level 2 every miss counts; a hit on a hard
// box counts at both.
WaymoMetrics waymoMetrics(const GroundTruth& truth, const std::vector<Detection>& detections, int level);

// Area under a precision-recall curve given point by point: precision becomes the largest one at or beyond a recall,
// gaps in recall wider than 0.05 are filled in steps of 0.05, and trapezoids are summed.
double waymoAveragePrecision(std::vector<double> precisions, std::vector<double> recalls);

}  // namespace roadtune::data
