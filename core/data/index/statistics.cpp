// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/statistics.h"

#include <algorithm>

namespace roadtune::data {

namespace {

std::string orUnknown(const std::string& word) { return word.empty() ? "unknown" : word; }

class Counter {
 public:
  explicit Counter(const Index& index) : m_index(index) {}

  IndexStatistics run() {
    std::array<std::size_t, kMaxClasses> classes{};
    std::array<std::size_t, kIndexCameraCount> cameras{};
    for (std::size_t s = 0; s < m_index.segmentCount(); ++s) {
      const Segment& segment = m_index.segment(s);
      addSegment(segment);
      const ImageColumns& images = segment.images();
      for (std::size_t row = 0; row < images.size(); ++row) {
        ++cameras[images.camera[row]];
        addImage(segment, row);
        addBoxes(segment, row, classes);
      }
    }
    for (std::size_t i = 0; i < cameras.size(); ++i)
      if (cameras[i] > 0) m_result.cameras[std::string(cameraName(static_cast<Camera>(i)))] = cameras[i];
    for (std::size_t i = 0; i < m_index.classNames().size(); ++i)
      if (classes[i] > 0) m_result.boxesPerClass[m_index.classNames()[i]] = classes[i];
    return std::move(m_result);
  }

 private:
  void addSegment(const Segment& segment) {
    const SegmentInfo& info = segment.info();
    const std::size_t images = segment.images().size();
    ++m_result.segments;
    m_result.frames += info.frames;
    m_result.images += images;
    m_result.boxes += segment.boxes().size();
    m_result.crowds += segment.crowdCount();
    m_result.splits[orUnknown(info.split)] += images;
    ++m_result.segmentsPerSplit[orUnknown(info.split)];
    m_result.times[orUnknown(info.time)] += images;
    m_result.locations[orUnknown(info.location)] += images;
    m_result.weathers[orUnknown(info.weather)] += images;
    m_result.formats[info.format] += images;
  }

  void addImage(const Segment& segment, std::size_t row) {
    const ImageColumns& images = segment.images();
    const bool labelled = images.flags[row] & kLabelled;
    ++(labelled ? m_result.labelled : m_result.unlabelled);
    if (labelled && images.boxStart[row] == images.boxStart[row + 1] && segment.crowdsOf(row).empty()) ++m_result.empty;
    if (images.flags[row] & (kImageMissing | kImageCorrupt)) ++m_result.unavailable;
  }

  void addBoxes(const Segment& segment, std::size_t row, std::array<std::size_t, kMaxClasses>& classes) {
    const ImageColumns& images = segment.images();
    const BoxColumns& boxes = segment.boxes();
    const double width = images.width[row], height = images.height[row];
    for (std::size_t i = images.boxStart[row]; i < images.boxStart[row + 1]; ++i) {
      ++classes[segment.classOf(boxes.type[i])];
      if (cameraBoxLevel(boxes.level[i] & 3) == 2) ++m_result.hard;
      const double x = boxes.origin + boxes.x[i] * boxes.quantum, y = boxes.origin + boxes.y[i] * boxes.quantum;
      const double w = boxes.w[i] * boxes.quantum, h = boxes.h[i] * boxes.quantum;
      if (std::min(w, h) <= 2) ++m_result.underTwoPixels;
      if (width <= 0 || height <= 0) continue;
      if (x < 1 || y < 1 || x + w > width - 1 || y + h > height - 1) ++m_result.touchingBorder;
      for (const int side : kModelSides)
        if (std::min(w * side / width, h * side / height) < kTinyModelPixels) ++m_result.tinyAt[side];
    }
  }

  const Index& m_index;
  IndexStatistics m_result;
};

}  // namespace

IndexStatistics measureIndex(const Index& index) {
  IndexStatistics result = Counter(index).run();
  for (const int side : kModelSides) result.tinyAt.try_emplace(side, 0);
  return result;
}

}  // namespace roadtune::data
