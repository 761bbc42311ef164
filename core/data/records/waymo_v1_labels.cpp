// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/records/waymo_v1_labels.h"

namespace roadtune::data {

namespace {

bool readBox(std::span<const std::uint8_t> bytes, WaymoLabel& label) {
  // In the order of the field numbers: width comes before length.
  double* const slots[] = {&label.centerX, &label.centerY, &label.centerZ, &label.width,
                           &label.length,  &label.height,  &label.heading};
  return walkFields(bytes, [&](const WireField& field) {
    if (isDouble(field) && field.number <= std::size(slots)) *slots[field.number - 1] = field.asDouble();
    return true;
  });
}

bool readMetadata(std::span<const std::uint8_t> bytes, WaymoLabel& label) {
  return walkFields(bytes, [&](const WireField& field) {
    if (isDouble(field) && field.number == 1) label.speedX = field.asDouble();
    if (isDouble(field) && field.number == 2) label.speedY = field.asDouble();
    return true;
  });
}

bool readAssociation(std::span<const std::uint8_t> bytes, WaymoLabel& label) {
  return walkFields(bytes, [&](const WireField& field) {
    if (isText(field) && field.number == 1) label.laserObjectId = field.asText();
    return true;
  });
}

bool readLabelText(const WireField& field, WaymoLabel& label) {
  switch (field.number) {
    case 1: return readBox(field.bytes, label);
    case 2: return readMetadata(field.bytes, label);
    case 4: label.id = field.asText(); return true;
    case 10: return readAssociation(field.bytes, label);
    case 11: label.mostVisibleCamera = field.asText(); return true;
    default: return true;
  }
}

}  // namespace

bool readWaymoLabel(std::span<const std::uint8_t> bytes, WaymoLabel& label) {
  return walkFields(bytes, [&](const WireField& field) {
    if (isText(field)) return readLabelText(field, label);
    if (!isNumber(field)) return true;
    if (field.number == 3) label.type = asEnum(field);
    if (field.number == 5) label.detectionDifficulty = asEnum(field);
    if (field.number == 6) label.trackingDifficulty = asEnum(field);
    if (field.number == 7) label.lidarPoints = asEnum(field);
    return true;
  });
}

bool readWaymoCameraLabels(std::span<const std::uint8_t> bytes, WaymoCameraLabels& labels) {
  return walkFields(bytes, [&](const WireField& field) {
    if (isNumber(field) && field.number == 1) labels.camera = asEnum(field);
    if (isText(field) && field.number == 2) return readWaymoLabel(field.bytes, labels.labels.emplace_back());
    return true;
  });
}

}  // namespace roadtune::data
