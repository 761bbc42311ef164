// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/image/image.h"

#include <cstdint>

namespace roadtune::data {

// How strongly pictures are changed at random. All zero changes nothing.
struct AugmentSpec {
  double flip = 0;   // probability of a mirror image
  double crop = 0;   // largest share of width and height that is cut away
  double scale = 0;  // largest share by which the picture is enlarged or shrunk
  double color = 0;  // strength of changes of brightness, contrast and saturation
};

// What happens to one picture: a window of it (which may reach beyond its edges: gray there), then mirrored, then
// recoloured.
struct Augmentation {
  int left = 0, top = 0, width = 0, height = 0;  // the window, in pixels of the picture
  bool mirrored = false;
  double brightness = 1, contrast = 1, saturation = 1;

  bool movesPixels(int imageWidth, int imageHeight) const {
    return mirrored || left != 0 || top != 0 || width != imageWidth || height != imageHeight;
  }
};

// Equal for equal arguments on every machine.
Augmentation drawAugmentation(const AugmentSpec& spec, int width, int height, std::uint64_t seed);

Image applyAugmentation(const Image& image, const Augmentation& augmentation);

}  // namespace roadtune::data
