// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/records/waymo_v1_reader.h"

#include "core/data/records/waymo_v1_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace roadtune::data {

namespace {

bool readTransform(std::span<const std::uint8_t> bytes, std::optional<Transform>& transform) {
  Transform values{};
  std::size_t count = 0;
  const bool sound =
      walkFields(bytes, [&](const WireField& field) { return field.number != 1 || addDoubles(field, values, count); });
  if (count == values.size()) transform = values;
  return sound;
}

bool readVelocity(std::span<const std::uint8_t> bytes, WaymoImage& image) {
  return walkFields(bytes, [&](const WireField& field) {
    if (isDouble(field) && field.number >= 1 && field.number <= image.velocity.size())
      image.velocity[field.number - 1] = field.asDouble();
    return true;
  });
}

// Offsets are counted from `base`, the start of the payload.
bool readImage(std::span<const std::uint8_t> bytes, const std::uint8_t* base, WaymoImage& image) {
  return walkFields(bytes, [&](const WireField& field) {
    if (isText(field)) {
      if (field.number == 2) {
        image.offset = static_cast<std::uint64_t>(field.bytes.data() - base);
        image.size = field.bytes.size();
      }
      if (field.number == 3) return readTransform(field.bytes, image.pose);
      if (field.number == 4) return readVelocity(field.bytes, image);
    }
    if (isNumber(field) && field.number == 1) image.camera = asEnum(field);
    if (!isDouble(field)) return true;
    if (field.number == 5) image.poseTimestamp = field.asDouble();
    if (field.number == 6) image.shutter = field.asDouble();
    if (field.number == 7) image.triggerTime = field.asDouble();
    if (field.number == 8) image.readoutDoneTime = field.asDouble();
    return true;
  });
}

bool readCalibration(std::span<const std::uint8_t> bytes, WaymoCalibration& calibration) {
  std::size_t count = 0;
  return walkFields(bytes, [&](const WireField& field) {
    if (field.number == 2) return addDoubles(field, calibration.intrinsic, count);
    if (isText(field) && field.number == 3) return readTransform(field.bytes, calibration.extrinsic);
    if (!isNumber(field)) return true;
    if (field.number == 1) calibration.camera = asEnum(field);
    if (field.number == 4) calibration.width = asEnum(field);
    if (field.number == 5) calibration.height = asEnum(field);
    if (field.number == 6) calibration.rollingShutter = asEnum(field);
    return true;
  });
}

bool readCount(std::span<const std::uint8_t> bytes, std::vector<WaymoObjectCount>& counts) {
  auto& entry = counts.emplace_back();
  return walkFields(bytes, [&](const WireField& field) {
    if (isNumber(field) && field.number == 1) entry.type = asEnum(field);
    if (isNumber(field) && field.number == 2) entry.count = asEnum(field);
    return true;
  });
}

bool readStats(std::span<const std::uint8_t> bytes, WaymoStats& stats) {
  return walkFields(bytes, [&](const WireField& field) {
    if (!isText(field)) return true;
    switch (field.number) {
      case 1: return readCount(field.bytes, stats.laserCounts);
      case 2: stats.timeOfDay = field.asText(); return true;
      case 3: stats.location = field.asText(); return true;
      case 4: stats.weather = field.asText(); return true;
      case 5: return readCount(field.bytes, stats.cameraCounts);
      default: return true;
    }
  });
}

bool readContext(std::span<const std::uint8_t> bytes, const WaymoReadOptions& options, WaymoFrame& frame) {
  return walkFields(bytes, [&](const WireField& field) {
    if (!isText(field)) return true;
    if (field.number == 1) frame.context = field.asText();
    if (field.number == 2 && options.calibrations)
      return readCalibration(field.bytes, frame.calibrations.emplace_back());
    if (field.number == 4) return readStats(field.bytes, frame.stats);
    return true;
  });
}

// Several entries for one camera are one: their labels are joined.
bool addCameraLabels(std::span<const std::uint8_t> bytes, std::vector<WaymoCameraLabels>& all) {
  WaymoCameraLabels entry;
  if (!readWaymoCameraLabels(bytes, entry)) return false;
  const auto known =
      std::find_if(all.begin(), all.end(), [&](const auto& other) { return other.camera == entry.camera; });
  if (known == all.end()) {
    all.push_back(std::move(entry));
  } else {
    std::move(entry.labels.begin(), entry.labels.end(), std::back_inserter(known->labels));
  }
  return true;
}

void stepOverLidar(std::span<const std::uint8_t> bytes, const std::uint8_t* base, WaymoFrame& frame) {
  const auto begin = static_cast<std::uint64_t>(bytes.data() - base);
  if (frame.lidarBytes == 0) frame.lidarOffset = begin;
  frame.lidarBytes += bytes.size();
  frame.lidarEnd = begin + bytes.size();
}

bool readFrameField(const WireField& field, const std::uint8_t* base, const WaymoReadOptions& options,
                    WaymoFrame& frame) {
  if (isNumber(field) && field.number == 2) frame.timestampMicros = field.asInt();
  if (!isText(field)) return true;
  switch (field.number) {
    case 1: return readContext(field.bytes, options, frame);
    case 3: return readTransform(field.bytes, frame.pose);
    case 4: return readImage(field.bytes, base, frame.images.emplace_back());
    case 5: stepOverLidar(field.bytes, base, frame); return true;
    case 6: return !options.laserLabels || readWaymoLabel(field.bytes, frame.laserLabels.emplace_back());
    case 8: return addCameraLabels(field.bytes, frame.cameraLabels);
    case 9: return !options.projectedLabels || addCameraLabels(field.bytes, frame.projectedLabels);
    default: return true;
  }
}

void moveOffsets(WaymoFrame& frame, std::uint64_t by) {
  for (auto& image : frame.images) image.offset += by;
  frame.lidarOffset += by;
  frame.lidarEnd += by;
}

}  // namespace

Result<WaymoFrame> readWaymoFrame(std::span<const std::uint8_t> payload, std::uint64_t fileOffset,
                                  const WaymoReadOptions& options) {
  WaymoFrame frame;
  WireReader reader(payload);
  WireField field;
  while (true) {
    const std::size_t at = reader.offset();
    if (!reader.next(field)) break;
    if (!readFrameField(field, payload.data(), options, frame))
      return badInput(fmt::format("field {} of the frame is damaged", field.number),
                      fmt::format("offset {}", fileOffset + at));
  }
  if (reader.broken())
    return badInput("is not a serialised Waymo frame", fmt::format("offset {}", fileOffset + reader.offset()));
  if (frame.context.empty())
    return badInput("the record has no context name: it is not a Waymo frame", fmt::format("offset {}", fileOffset));
  moveOffsets(frame, fileOffset);
  return frame;
}

}  // namespace roadtune::data
