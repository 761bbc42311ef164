// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace roadtune::data {

// Images and boxes that share a value: "Night", "location_sf", "FRONT" ...
struct GroupCounts {
  std::size_t images = 0, labelled = 0, empty = 0, boxes = 0;
  std::map<std::string, std::size_t> perClass = {};  // only classes that occur
};

// What becomes of the boxes when every picture is squashed to a square of `side` pixels.
struct SizeQuality {
  static constexpr std::array<int, 5> kLimits = {2, 4, 8, 16, 32};  // model pixels
  struct ClassShare {
    std::size_t boxes = 0, survive = 0;
  };
  int side = 0;
  std::array<std::size_t, kLimits.size()> below = {};  // boxes whose shorter side is below the limit
  std::map<std::string, ClassShare> perClass = {};     // survive: shorter side of at least kTinyModelPixels
};

// A camera of the rig that a whole segment lacks.
struct MissingCamera {
  std::string segment, camera;
};

// What the columns say about the labels; pictures are not read.
struct LabelQuality {
  std::size_t images = 0, labelled = 0, unlabelled = 0, unavailable = 0, boxes = 0, measured = 0;
  std::size_t empty = 0;      // labelled, nothing there
  std::size_t texts = 0;      // with a question, a prompt or an answer
  std::size_t textsOnly = 0;  // of those, not labelled: the text is what there is to learn
  std::size_t hard = 0;       // boxes of LEVEL_2
  std::size_t twoPixels = 0;  // boxes with a side of two source pixels or less
  std::size_t border = 0;     // boxes within a pixel of the picture's edge
  std::map<std::string, std::size_t> borderPerClass = {};
  std::vector<SizeQuality> sizes = {};
  // By "split", "time", "location", "weather", "camera"; an unknown value is "unknown".
  std::map<std::string, std::map<std::string, GroupCounts>> balance = {};
  std::size_t rigFrames = 0;                                 // frames of recordings with named cameras
  std::map<std::string, std::size_t> missingPerCamera = {};  // frames without a picture of a camera that the rig has
  std::vector<MissingCamera> missingCameras = {};
};

LabelQuality measureLabels(const Index& index, const std::vector<int>& modelSizes);

}  // namespace roadtune::data
