// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/records/waymo_types.h"

#include <string>
#include <string_view>
#include <vector>

namespace roadtune::data {

// One generated frame: what a Waymo frame says, and the JPEG bytes of frame.images, in the same order. Sizes of the
// pictures are those of frame.calibrations.
struct SynthFrame {
  WaymoFrame frame;
  std::vector<std::string> jpegs;

  std::string_view jpegOf(const WaymoImage& image) const {
    return jpegs[static_cast<std::size_t>(&image - frame.images.data())];
  }
  const WaymoCalibration& calibrationOf(int camera) const {
    for (const auto& calibration : frame.calibrations)
      if (calibration.camera == camera) return calibration;
    return frame.calibrations.front();
  }
};

// Writes generated frames in some format. Calls come in order: (beginSegment, add..., endSegment)..., finish. A file
// appears under its name when it is complete. One thread.
class SynthSink {
 public:
  virtual ~SynthSink() = default;
  virtual Status beginSegment(const std::string& context) = 0;
  virtual Status add(const SynthFrame& frame) = 0;
  virtual Status endSegment() = 0;
  virtual Status finish() = 0;
};

}  // namespace roadtune::data
