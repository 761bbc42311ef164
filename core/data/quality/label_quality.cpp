// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/quality/label_quality.h"

#include "core/data/index/statistics.h"

#include <algorithm>

namespace roadtune::data {

namespace {

// Counters of one camera of one segment, by class number.
struct CameraCounts {
  std::size_t images = 0, labelled = 0, empty = 0;
  std::array<std::size_t, kMaxClasses> boxes{};
};

class LabelMeasurer {
 public:
  LabelMeasurer(const Index& index, const std::vector<int>& modelSizes) : m_index(index) {
    for (const int side : modelSizes) m_result.sizes.push_back({.side = side});
    m_survive.assign(modelSizes.size(), {});
  }

  LabelQuality run() {
    findRig();
    for (std::size_t s = 0; s < m_index.segmentCount(); ++s) addSegment(m_index.segment(s));
    nameClasses();
    return std::move(m_result);
  }

 private:
  // The cameras that occur anywhere are those a recording should have.
  void findRig() {
    for (std::size_t s = 0; s < m_index.segmentCount(); ++s)
      for (const std::uint8_t camera : m_index.segment(s).images().camera) m_rig[camera] = camera != 0;
  }

  void addSegment(const Segment& segment) {
    std::array<CameraCounts, kIndexCameraCount> counts{};
    const ImageColumns& images = segment.images();
    for (std::size_t row = 0; row < images.size(); ++row) addImage(segment, row, counts[images.camera[row]]);
    for (std::size_t camera = 0; camera < counts.size(); ++camera)
      if (counts[camera].images > 0) group(segment.info(), static_cast<Camera>(camera), counts[camera]);
    if (counts[0].images == 0) findMissing(segment, counts);
  }

  void addImage(const Segment& segment, std::size_t row, CameraCounts& counts) {
    const ImageColumns& images = segment.images();
    const bool labelled = images.flags[row] & kLabelled;
    const std::size_t begin = images.boxStart[row], end = images.boxStart[row + 1];
    ++counts.images;
    ++m_result.images;
    ++(labelled ? m_result.labelled : m_result.unlabelled);
    const bool text = !segment.prefix(row).empty() || !segment.suffix(row).empty();
    m_result.texts += text;
    m_result.textsOnly += text && !labelled;
    if (labelled) ++counts.labelled;
    if (labelled && begin == end) ++counts.empty, ++m_result.empty;
    if (images.flags[row] & (kImageMissing | kImageCorrupt)) ++m_result.unavailable;
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint8_t type = segment.classOf(segment.boxes().type[i]);
      ++counts.boxes[type];
      addBox(segment.boxes(), i, type, images.width[row], images.height[row]);
    }
  }

  void addBox(const BoxColumns& boxes, std::size_t i, std::uint8_t type, double width, double height) {
    ++m_result.boxes;
    ++m_classes[type];
    if (cameraBoxLevel(boxes.level[i] & 3) == 2) ++m_result.hard;
    const double x = boxes.origin + boxes.x[i] * boxes.quantum, y = boxes.origin + boxes.y[i] * boxes.quantum;
    const double w = boxes.w[i] * boxes.quantum, h = boxes.h[i] * boxes.quantum;
    if (std::min(w, h) <= 2) ++m_result.twoPixels;
    if (width <= 0 || height <= 0) return;
    ++m_result.measured;
    ++m_measured[type];
    if (x < 1 || y < 1 || x + w > width - 1 || y + h > height - 1) ++m_border[type];
    for (std::size_t s = 0; s < m_result.sizes.size(); ++s) {
      SizeQuality& size = m_result.sizes[s];
      const double side = std::min(w * size.side / width, h * size.side / height);
      for (std::size_t limit = 0; limit < SizeQuality::kLimits.size(); ++limit)
        size.below[limit] += side < SizeQuality::kLimits[limit];
      m_survive[s][type] += side >= kTinyModelPixels;
    }
  }

  void group(const SegmentInfo& info, Camera camera, const CameraCounts& counts) {
    const std::string cameraWord(camera == Camera::Unknown ? "unknown" : cameraName(camera));
    const std::pair<const char*, const std::string&> fields[] = {{"split", info.split},
                                                                 {"time", info.time},
                                                                 {"location", info.location},
                                                                 {"weather", info.weather},
                                                                 {"camera", cameraWord}};
    for (const auto& [field, value] : fields) {
      GroupCounts& target = m_result.balance[field][value.empty() ? "unknown" : value];
      target.images += counts.images;
      target.labelled += counts.labelled;
      target.empty += counts.empty;
      for (std::size_t type = 0; type < counts.boxes.size(); ++type) {
        if (counts.boxes[type] == 0) continue;
        target.boxes += counts.boxes[type];
        target.perClass[m_index.classNames()[type]] += counts.boxes[type];
      }
    }
  }

  // Every image row is another (frame, camera), so what a camera lacks is a difference of counts.
  void findMissing(const Segment& segment, const std::array<CameraCounts, kIndexCameraCount>& counts) {
    const std::size_t frames = segment.info().frames;
    m_result.rigFrames += frames;
    for (std::size_t camera = 1; camera < counts.size(); ++camera) {
      if (!m_rig[camera] || counts[camera].images >= frames) continue;
      const std::string name(cameraName(static_cast<Camera>(camera)));
      m_result.missingPerCamera[name] += frames - counts[camera].images;
      if (counts[camera].images == 0) m_result.missingCameras.push_back({segment.info().name, name});
    }
  }

  void nameClasses() {
    for (std::size_t type = 0; type < m_index.classNames().size(); ++type) {
      if (m_classes[type] == 0) continue;
      const std::string& name = m_index.classNames()[type];
      m_result.border += m_border[type];
      m_result.borderPerClass[name] = m_border[type];
      for (std::size_t s = 0; s < m_result.sizes.size(); ++s)
        m_result.sizes[s].perClass[name] = {m_measured[type], m_survive[s][type]};
    }
  }

  using PerClass = std::array<std::size_t, kMaxClasses>;
  const Index& m_index;
  LabelQuality m_result;
  std::array<bool, 256> m_rig{};
  PerClass m_classes{}, m_measured{}, m_border{};
  std::vector<PerClass> m_survive;
};

}  // namespace

LabelQuality measureLabels(const Index& index, const std::vector<int>& modelSizes) {
  return LabelMeasurer(index, modelSizes).run();
}

}  // namespace roadtune::data
