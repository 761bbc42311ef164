// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"

#include <QString>

namespace roadtune::widgets {

inline constexpr double kLeastModelSide = 8;  // pixels of the model's picture: below it a box can hardly be learnt

// What a detector is asked and taught with an image, and how many of its boxes are large enough at `side`.
struct ModelText {
  QString prompt, target;
  int boxes = 0, survive = 0, locTokens = 0;
};
ModelText modelTextOf(const data::Index& index, data::ImageId image, int side);

}  // namespace roadtune::widgets
