// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/records/waymo_types.h"

#include <cstddef>
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

// Whether a crowd whose stored class is `crowd` is one of the class `wanted`. Nobody knows what stands in one of the
// unknown class: it is one of every class, as KITTI wants its DontCare to be.
inline bool crowdIsOf(std::uint8_t crowd, std::size_t wanted) { return crowd == wanted || crowd == kUnknown; }

// "LEVEL_1" | "LEVEL_2" for a difficulty as stored: 0 is not set and means LEVEL_1 for camera boxes.
inline std::string_view levelName(int stored) { return cameraBoxLevel(stored) == 2 ? "LEVEL_2" : "LEVEL_1"; }

}  // namespace roadtune::data
