// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/records/waymo_types.h"

#include <cstdint>
#include <string_view>

namespace roadtune::data {

// The words of the dataset, stored as small numbers everywhere. Cameras are Waymo's (waymo_types.h); Camera::Unknown is
// an image that belongs to no rig (COCO, JSONL).
inline constexpr int kIndexCameraCount = 6;

// The first class numbers are Waymo's Label.Type in every index; names of other datasets follow from kFirstOwnClass.
inline constexpr std::uint8_t kUnknown = 0, kVehicle = 1, kPedestrian = 2, kSign = 3, kCyclist = 4;
inline constexpr std::uint8_t kFirstOwnClass = 5;
inline constexpr int kMaxClasses = 256;

// "LEVEL_1" | "LEVEL_2" for a difficulty as stored: 0 is not set and means LEVEL_1 for camera boxes.
inline std::string_view levelName(int stored) { return cameraBoxLevel(stored) == 2 ? "LEVEL_2" : "LEVEL_1"; }

}  // namespace roadtune::data
