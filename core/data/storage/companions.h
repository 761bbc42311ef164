// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <filesystem>
#include <set>
#include <string>

namespace roadtune::data {

// May this file name pictures that lie beside it: JSON lines, a COCO file?
bool namesPictures(const std::string& file);

// The relative names of pictures in it, and of the licence file that travels with them.
Result<std::set<std::string>> companionsOf(const std::filesystem::path& file);

}  // namespace roadtune::data
