// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/scene_fields.h"

#include "core/data/index/label_reading.h"
#include "core/data/index/vocabulary.h"

#include <array>
#include <cmath>

namespace roadtune::data {

using nlohmann::json;

std::string textOf(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::int64_t integerOf(const json& object, const char* key, std::int64_t fallback) {
  const auto found = object.find(key);
  if (found == object.end()) return fallback;
  if (found->is_number_integer()) return found->get<std::int64_t>();
  if (found->is_number_float()) {
    constexpr double kLargest = 9.0e18;
    const double value = found->get<double>();
    return std::abs(value) < kLargest ? static_cast<std::int64_t>(value) : fallback;
  }
  return fallback;
}

std::uint8_t levelOf(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return 0;
  if (found->is_string()) return found->get<std::string>() == "LEVEL_2" ? 2 : 1;
  return found->is_number_integer() ? static_cast<std::uint8_t>(found->get<std::int64_t>() & 3) : 0;
}

Recording sceneOf(const json& object) {
  Recording scene;
  scene.name = textOf(object, "segment");
  scene.split = textOf(object, "split");
  scene.time = textOf(object, "time_of_day");
  scene.location = textOf(object, "location");
  scene.weather = textOf(object, "weather");
  return scene;
}

void readShot(const json& object, std::int64_t number, RecordedImage& image) {
  image.timestamp = integerOf(object, "timestamp_micros", number);
  image.width = static_cast<int>(integerOf(object, "width", 0));
  image.height = static_cast<int>(integerOf(object, "height", 0));
  if (const auto camera = cameraFromName(textOf(object, "camera"))) image.camera = *camera;
  if (!isIndexedCamera(static_cast<int>(image.camera))) image.camera = Camera::Unknown;
}

std::optional<Box> boxOfCorners(const json& object) {
  std::array<double, 4> sides;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const auto side = object.find(std::array{"x1", "y1", "x2", "y2"}[i]);
    if (side == object.end() || !side->is_number()) return std::nullopt;
    sides[i] = side->get<double>();
  }
  return boxOfSides(sides[0], sides[1], sides[2], sides[3]);
}

}  // namespace roadtune::data
