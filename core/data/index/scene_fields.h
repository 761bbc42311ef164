// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/recording.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

namespace roadtune::data {

// What exports write of an image besides its boxes, in COCO's images and in JSON lines alike: segment, split, scene,
// moment and camera. Keys that are missing, or of another type, say nothing.

std::string textOf(const nlohmann::json& object, const char* key);
std::int64_t integerOf(const nlohmann::json& object, const char* key, std::int64_t fallback);
std::uint8_t levelOf(const nlohmann::json& object,
                     const char* key);  // "LEVEL_1", "LEVEL_2" or their numbers; 0: not said

Recording sceneOf(const nlohmann::json& object);  // name, split, time, location and weather
// Timestamp, camera and size; the timestamp is `number` where there is none.
void readShot(const nlohmann::json& object, std::int64_t number, RecordedImage& image);

}  // namespace roadtune::data
