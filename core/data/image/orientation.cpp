// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image/codecs.h"

#include <cstring>

namespace roadtune::data {

Image oriented(Image image, int orientation) {
  if (orientation <= 1 || orientation > 8) return image;
  const bool swapped = orientation >= 5;
  // Where pixel (0, 0) of the result lies in the stored picture, for each of the eight values.
  const bool fromRight = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool fromBottom = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  Image result(swapped ? image.height : image.width, swapped ? image.width : image.height);
  for (int y = 0; y < result.height; ++y) {
    for (int x = 0; x < result.width; ++x) {
      const int u = swapped ? y : x, v = swapped ? x : y;
      const int fromX = fromRight ? image.width - 1 - u : u, fromY = fromBottom ? image.height - 1 - v : v;
      std::memcpy(result.row(y) + 3 * x, image.row(fromY) + 3 * fromX, 3);
    }
  }
  return result;
}

}  // namespace roadtune::data
