// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roadtune::data {

// The words of the dataset, stored as small numbers everywhere.

// Waymo's CameraName; None is an image that belongs to no rig (COCO, JSONL). Ids 6-8 are never images of an index.
enum class Camera : std::uint8_t { None = 0, Front = 1, FrontLeft = 2, FrontRight = 3, SideLeft = 4, SideRight = 5 };
inline constexpr int kCameraCount = 6;

std::string_view cameraName(Camera camera);  // "FRONT", "FRONT_LEFT" ...; "NONE"
// Any case, with or without "CAMERA_" in front; nothing for an unknown word.
std::optional<Camera> parseCamera(std::string_view name);

// The first class numbers are Waymo's Label.Type in every index; names of other datasets follow from kFirstOwnClass.
inline constexpr std::uint8_t kUnknown = 0, kVehicle = 1, kPedestrian = 2, kSign = 3, kCyclist = 4;
inline constexpr std::uint8_t kFirstOwnClass = 5;
inline constexpr int kMaxClasses = 256;
std::string_view waymoClassName(std::uint8_t type);  // "vehicle" ...; "unknown" for anything else

// Waymo's difficulty as stored: 0 not set. For camera boxes 0 means LEVEL_1.
constexpr int effectiveLevel(int stored) { return stored == 2 ? 2 : 1; }
std::string_view levelName(int stored);  // "LEVEL_1" | "LEVEL_2"

}  // namespace roadtune::data
