// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/synth/scene.h"

#include <array>
#include <vector>

namespace roadtune::data::synth {

// A vehicle from the side: x from the middle to the front, z from the ground, in metres. The lower part reaches from
// bumper to bumper; the cabin stands on it and is narrower at its roof. Boxy vehicles have no cabin.
struct CarShape {
  std::vector<Vec2> body;  // convex, from the lower rear corner over the top to the lower front corner
  bool hasCabin = true;
  std::array<Vec2, 4> cabin{};  // rear foot, rear top, front top, front foot
  double roofWidth = 0.8;       // of the width at the cabin's foot
  double wheel = 0.33;
  double frontAxle = 1.4, rearAxle = -1.4;
  std::vector<std::array<double, 4>> sideWindows;  // x0, x1, z0, z1 on upright sides
};

CarShape carShape(const Actor& actor);

}  // namespace roadtune::data::synth
