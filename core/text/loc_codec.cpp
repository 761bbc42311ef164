// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/loc_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roadtune::text {

int locBin(double unit) {
  if (std::isnan(unit)) return 0;
  return static_cast<int>(std::clamp(std::nearbyint(1023.0 * unit), 0.0, 1023.0));
}

double locUnit(int bin, LocDecoding decoding) { return bin / (decoding == LocDecoding::Over1023 ? 1023.0 : 1024.0); }

std::string locToken(int bin) { return fmt::format("<loc{:04}>", bin); }
std::string segToken(int code) { return fmt::format("<seg{:03}>", code); }

std::string encodeBox(const LocBox& box, double width, double height) {
  return locToken(locBin(box.y1 / height)) + locToken(locBin(box.x1 / width)) + locToken(locBin(box.y2 / height)) +
         locToken(locBin(box.x2 / width));
}

}  // namespace roadtune::text
