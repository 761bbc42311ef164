// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/units.h"

#include <string>

namespace roadtune {

// "1 file", "1,204 files"; `plural` where it is not the noun with an s.
template <class Count>
std::string counted(Count count, const std::string& noun, const std::string& plural = {}) {
  return formatCount(static_cast<std::int64_t>(count)) + " " +
         (count == 1       ? noun
          : plural.empty() ? noun + "s"
                           : plural);
}

}  // namespace roadtune
