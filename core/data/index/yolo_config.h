// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace roadtune::data {

// What a data.yaml says.
struct YoloConfig {
  std::string path;                                        // folder of the data set; may be empty
  std::map<std::string, std::vector<std::string>> places;  // "train" | "val" | "test" -> folders or lists of pictures
  std::map<std::size_t, std::string> names;
};

// An error when the file is not one: it has no names, or names no pictures.
Result<YoloConfig> readYoloConfig(const std::filesystem::path& file);

}  // namespace roadtune::data
