// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/records/waymo_v1_writer.h"

#include "core/data/records/wire_writer.h"

namespace roadtune::data {

namespace {

std::uint64_t wireInt(std::int64_t value) { return static_cast<std::uint64_t>(value); }

WireWriter transformMessage(const Transform& transform) {
  WireWriter out;
  for (const double value : transform) out.fixedDouble(1, value);
  return out;
}

WireWriter labelMessage(const WaymoLabel& label, bool solid) {
  WireWriter box;
  box.fixedDouble(1, label.centerX);
  box.fixedDouble(2, label.centerY);
  if (solid) box.fixedDouble(3, label.centerZ);
  box.fixedDouble(4, label.width);
  box.fixedDouble(5, label.length);
  if (solid) box.fixedDouble(6, label.height);
  if (solid) box.fixedDouble(7, label.heading);
  WireWriter out;
  out.message(1, box);
  if (solid) {
    WireWriter metadata;
    metadata.fixedDouble(1, label.speedX);
    metadata.fixedDouble(2, label.speedY);
    out.message(2, metadata);
  }
  out.varint(3, wireInt(label.type));
  out.bytes(4, label.id);
  if (label.detectionDifficulty) out.varint(5, wireInt(label.detectionDifficulty));
  if (label.trackingDifficulty) out.varint(6, wireInt(label.trackingDifficulty));
  if (label.lidarPoints >= 0) out.varint(7, wireInt(label.lidarPoints));
  if (!label.laserObjectId.empty()) {
    WireWriter association;
    association.bytes(1, label.laserObjectId);
    out.message(10, association);
  }
  if (!label.mostVisibleCamera.empty()) out.bytes(11, label.mostVisibleCamera);
  return out;
}

WireWriter cameraLabelsMessage(const WaymoCameraLabels& labels) {
  WireWriter out;
  out.varint(1, wireInt(labels.camera));
  for (const auto& label : labels.labels) out.message(2, labelMessage(label, false));
  return out;
}

WireWriter imageMessage(const WaymoImage& image, std::string_view jpeg) {
  WireWriter out;
  out.varint(1, wireInt(image.camera));
  out.bytes(2, jpeg);
  if (image.pose) out.message(3, transformMessage(*image.pose));
  WireWriter velocity;
  for (std::uint32_t i = 0; i < 3; ++i) velocity.fixedFloat(i + 1, static_cast<float>(image.velocity[i]));
  for (std::uint32_t i = 3; i < 6; ++i) velocity.fixedDouble(i + 1, image.velocity[i]);
  out.message(4, velocity);
  out.fixedDouble(5, image.poseTimestamp);
  out.fixedDouble(6, image.shutter);
  out.fixedDouble(7, image.triggerTime);
  out.fixedDouble(8, image.readoutDoneTime);
  return out;
}

WireWriter calibrationMessage(const WaymoCalibration& calibration) {
  WireWriter out;
  out.varint(1, wireInt(calibration.camera));
  for (const double value : calibration.intrinsic) out.fixedDouble(2, value);
  if (calibration.extrinsic) out.message(3, transformMessage(*calibration.extrinsic));
  out.varint(4, wireInt(calibration.width));
  out.varint(5, wireInt(calibration.height));
  out.varint(6, wireInt(calibration.rollingShutter));
  return out;
}

WireWriter countMessage(const WaymoObjectCount& entry) {
  WireWriter out;
  out.varint(1, wireInt(entry.type));
  out.varint(2, wireInt(entry.count));
  return out;
}

WireWriter contextMessage(const WaymoFrame& frame) {
  WireWriter stats;
  for (const auto& entry : frame.stats.laserCounts) stats.message(1, countMessage(entry));
  stats.bytes(2, frame.stats.timeOfDay);
  stats.bytes(3, frame.stats.location);
  stats.bytes(4, frame.stats.weather);
  for (const auto& entry : frame.stats.cameraCounts) stats.message(5, countMessage(entry));
  WireWriter out;
  out.bytes(1, frame.context);
  for (const auto& calibration : frame.calibrations) out.message(2, calibrationMessage(calibration));
  out.message(4, stats);
  return out;
}

}  // namespace

std::string writeWaymoFrame(const WaymoFrame& frame, const std::function<std::string_view(const WaymoImage&)>& jpegOf) {
  WireWriter out;
  out.message(1, contextMessage(frame));
  out.varint(2, wireInt(frame.timestampMicros));
  if (frame.pose) out.message(3, transformMessage(*frame.pose));
  for (const auto& image : frame.images) out.message(4, imageMessage(image, jpegOf(image)));
  for (const auto& label : frame.laserLabels) out.message(6, labelMessage(label, true));
  for (const auto& labels : frame.cameraLabels) out.message(8, cameraLabelsMessage(labels));
  for (const auto& labels : frame.projectedLabels) out.message(9, cameraLabelsMessage(labels));
  return out.take();
}

}  // namespace roadtune::data
