// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/waymo_recording.h"

#include <nlohmann/json.hpp>

namespace roadtune::data {

Box boxOfLabel(const WaymoLabel& label) {
  Box box;
  box.x = label.left();
  box.y = label.top();
  box.w = label.length;
  box.h = label.width;
  box.type = label.type >= 0 && label.type < kLabelTypes ? static_cast<std::uint8_t>(label.type) : kUnknown;
  box.detectionLevel = static_cast<std::uint8_t>(label.detectionDifficulty & 3);
  box.trackingLevel = static_cast<std::uint8_t>(label.trackingDifficulty & 3);
  box.id = label.id;
  return box;
}

std::vector<Box> projectedBoxes(const WaymoFrame& frame, int camera) {
  std::vector<Box> boxes;
  for (const WaymoCameraLabels& labels : frame.projectedLabels)
    if (labels.camera == camera)
      for (const WaymoLabel& label : labels.labels) boxes.push_back(boxOfLabel(label));
  return boxes;
}

void addFrameFacts(const WaymoFrame& frame, Recording& recording) {
  if (recording.time.empty()) recording.time = frame.stats.timeOfDay;
  if (recording.location.empty()) recording.location = frame.stats.location;
  if (recording.weather.empty()) recording.weather = frame.stats.weather;
  if (frame.pose) recording.positions[frame.timestampMicros] = {(*frame.pose)[3], (*frame.pose)[7], (*frame.pose)[11]};
  if (recording.metaJson.empty() && !frame.calibrations.empty())
    recording.metaJson = calibrationJson(frame.calibrations);
}

std::string calibrationJson(const std::vector<WaymoCalibration>& calibrations) {
  nlohmann::json list = nlohmann::json::array();
  for (const WaymoCalibration& calibration : calibrations) {
    nlohmann::json entry = {{"camera", calibration.camera},
                            {"intrinsic", calibration.intrinsic},
                            {"width", calibration.width},
                            {"height", calibration.height},
                            {"rolling_shutter", calibration.rollingShutter}};
    if (calibration.extrinsic) entry["extrinsic"] = *calibration.extrinsic;
    list.push_back(std::move(entry));
  }
  return nlohmann::json{{"camera_calibrations", std::move(list)}}.dump();
}

std::pair<int, int> calibratedSize(const std::vector<WaymoCalibration>& calibrations, int camera) {
  for (const WaymoCalibration& calibration : calibrations)
    if (calibration.camera == camera) return {calibration.width, calibration.height};
  return {0, 0};
}

}  // namespace roadtune::data
