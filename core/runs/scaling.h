// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"
#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace roadtune::runs {

// What a job reached on so many machines, measured over its steps without the first ones.
struct ScalePoint {
  int nodes = 1, ranks = 1;
  std::int64_t steps = 0;  // that were counted
  double samplesPerSecond = 0, tokensPerSecond = 0;
  double secondsPerStep = 0;           // median
  double slowStep = 0;                 // 90th percentile
  double commShare = 0;                // of the time: waiting for other ranks, as rank 0 sees it
  double speedup = 1, efficiency = 1;  // against the first point, linear being 1
  std::string run;                     // its folder
};

// Reads `steps` steps of rank 0 after the first `warmup`.
Result<ScalePoint> measureScale(const fs::path& run, std::int64_t warmup, std::int64_t steps);

// Fills in speed-up and efficiency against the first point, by machines.
void compareWithFirst(std::vector<ScalePoint>& points);

std::string scaleTable(const std::vector<ScalePoint>& points);  // for people
std::string scaleJson(const std::vector<ScalePoint>& points);
std::string scaleHtml(const std::string& title, const std::string& note, const std::vector<ScalePoint>& points);

}  // namespace roadtune::runs
