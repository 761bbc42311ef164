// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/recording.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace roadtune::data {

// What several kinds of JSON say in the same words: COCO's images and the lines of our exports the segment, split,
// scene, moment and camera, those and BDD100K the corners of a box. Keys that are missing, or of another type, say
// nothing.

std::string textOf(const nlohmann::json& object, const char* key);
std::int64_t integerOf(const nlohmann::json& object, const char* key, std::int64_t fallback);
// "LEVEL_1", "LEVEL_2" or their numbers; 0: not said
std::uint8_t levelOf(const nlohmann::json& object, const char* key);

Recording sceneOf(const nlohmann::json& object);  // name, split, time, location and weather
// Timestamp, camera and size; the timestamp is `number` where there is none.
void readShot(const nlohmann::json& object, std::int64_t number, RecordedImage& image);

std::optional<Box> boxOfCorners(const nlohmann::json& object);  // x1, y1, x2, y2

}  // namespace roadtune::data
