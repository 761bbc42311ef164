// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/vocabulary.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace roadtune::data {

// The number of a class among those of a recording; a new name gets the next one while there is room.
inline std::uint8_t numberOfClass(std::vector<std::string>& classes, const std::string& name) {
  auto found = std::find(classes.begin(), classes.end(), name);
  if (found == classes.end()) {
    if (classes.size() >= kMaxClasses) return kUnknown;
    found = classes.insert(classes.end(), name);
  }
  return static_cast<std::uint8_t>(found - classes.begin());
}

}  // namespace roadtune::data
