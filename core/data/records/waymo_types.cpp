// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/records/waymo_types.h"

#include <cctype>

namespace roadtune::data {

namespace {

constexpr std::array<std::string_view, 9> kCameraNames = {
    "UNKNOWN", "FRONT", "FRONT_LEFT", "FRONT_RIGHT", "SIDE_LEFT", "SIDE_RIGHT", "REAR_LEFT", "REAR", "REAR_RIGHT"};
constexpr std::array<std::string_view, kLabelTypes> kLabelNames = {"unknown", "vehicle", "pedestrian", "sign",
                                                                   "cyclist"};

bool sameWord(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const char letter = a[i] == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(a[i])));
    if (letter != static_cast<char>(std::tolower(static_cast<unsigned char>(b[i])))) return false;
  }
  return true;
}

}  // namespace

std::string_view cameraName(Camera camera) {
  const auto index = static_cast<std::size_t>(camera);
  return index < kCameraNames.size() ? kCameraNames[index] : kCameraNames[0];
}

std::string_view segmentOfPicture(std::string_view name) {
  name = name.substr(name.rfind('/') + 1);  // npos + 1 is the beginning
  name = name.substr(0, name.rfind('.'));
  for (std::size_t i = 1; i < kCameraNames.size(); ++i) {
    const std::string_view camera = kCameraNames[i];
    if (!name.ends_with(camera) || name.size() <= camera.size()) continue;
    std::string_view rest = name.substr(0, name.size() - camera.size());
    if (rest.back() != '_') continue;
    rest.remove_suffix(1);
    const auto digits = rest.find_last_not_of("0123456789");
    constexpr std::size_t kMicroseconds = 10;  // digits that a time has at least
    if (digits == std::string_view::npos || rest[digits] != '_' || rest.size() - digits - 1 < kMicroseconds) continue;
    return rest.substr(0, digits);
  }
  return {};
}

std::optional<Camera> cameraFromName(std::string_view name) {
  for (std::size_t i = 1; i < kCameraNames.size(); ++i)
    if (sameWord(name, kCameraNames[i])) return static_cast<Camera>(i);
  return std::nullopt;
}

std::string_view labelTypeName(LabelType type) {
  const auto index = static_cast<std::size_t>(type);
  return index < kLabelNames.size() ? kLabelNames[index] : kLabelNames[0];
}

std::optional<LabelType> labelTypeFromName(std::string_view name) {
  for (std::size_t i = 0; i < kLabelNames.size(); ++i)
    if (sameWord(name, kLabelNames[i])) return static_cast<LabelType>(i);
  return std::nullopt;
}

const WaymoCameraLabels* WaymoFrame::labelsOf(int camera) const {
  for (const auto& entry : cameraLabels)
    if (entry.camera == camera) return &entry;
  return nullptr;
}

const WaymoImage* WaymoFrame::imageOf(int camera) const {
  for (const auto& entry : images)
    if (entry.camera == camera) return &entry;
  return nullptr;
}

}  // namespace roadtune::data
