// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace roadtune::data {

// Frames in which the vehicle did not move: their pictures are nearly the same.
struct StationaryStretch {
  std::string segment;
  std::int64_t first = 0, last = 0;  // timestamps
  std::size_t frames = 0, images = 0;
};

struct StationaryFrames {
  std::size_t framesWithPose = 0;
  std::size_t frames = 0;           // in stretches
  std::size_t redundantFrames = 0;  // those but one of each stretch
  std::size_t redundantImages = 0;
  std::vector<StationaryStretch> stretches;  // longest first
};

// Stretches of at least `minFrames` frames with less than `speed` metres a second from each frame to the next.
StationaryFrames findStationary(const Index& index, double speed = 0.2, std::size_t minFrames = 5);

}  // namespace roadtune::data
