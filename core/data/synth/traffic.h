// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/random.h"
#include "core/data/synth/scene.h"

namespace roadtune::data::synth {

// Fills the street between two x with moving and parked vehicles, walkers and cyclists, for the scene's whole duration.
void addTraffic(Random& random, Scene& scene, double from, double to);

}  // namespace roadtune::data::synth
