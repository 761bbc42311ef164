// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/synth/geometry.h"

#include <vector>

namespace roadtune::data::synth {

// Something that stands on the ground, with its footprint as a rectangle along the road's axes.
struct PaintItem {
  enum class Kind { Actor, Tree, Lamp, Sign };
  double x0 = 0, x1 = 0, y0 = 0, y1 = 0;
  double away = 0;  // filled in by the sort
  Kind kind = Kind::Actor;
  const void* what = nullptr;
};

// Puts what lies behind before what may hide it, for somebody at `eye`. Two rectangles that do not overlap are kept
// apart by a line along an axis; the one on the eye's side of it comes later.
void sortForPainting(std::vector<PaintItem>& items, Vec3 eye);

}  // namespace roadtune::data::synth
