// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace roadtune::data {

inline constexpr std::array kModelSides = {224, 448, 896};
inline constexpr double kTinyModelPixels = 8;  // a box with a shorter side is hardly learnt

// Counts over a whole index.
struct IndexStatistics {
  std::size_t segments = 0, frames = 0, images = 0, boxes = 0;
  std::map<std::string, std::size_t> boxesPerClass;  // only classes that occur
  // Images per value; an empty word is "unknown".
  std::map<std::string, std::size_t> cameras, splits, times, locations, weathers, formats;
  std::map<std::string, std::size_t> segmentsPerSplit;
  std::size_t labelled = 0, unlabelled = 0;
  std::size_t empty = 0;        // labelled, nothing there, no crowd either
  std::size_t unavailable = 0;  // without bytes, or damaged
  std::size_t hard = 0;         // boxes of LEVEL_2
  std::size_t crowds = 0;       // regions beside the boxes, see Segment::crowdsOf
  std::size_t underTwoPixels = 0, touchingBorder = 0;
  // Boxes whose shorter side has fewer than kTinyModelPixels when the image is squashed to that square.
  std::map<int, std::size_t> tinyAt;
};

IndexStatistics measureIndex(const Index& index);

}  // namespace roadtune::data
