// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/synth/geometry.h"

#include <cstdint>

namespace roadtune::data::synth {

// Smooth noise in 0..1 with lumps of about one unit, the same everywhere and for ever.
double valueNoise(double x, double y);

// Four octaves of it.
double cloudNoise(double x, double y);

// A fixed number in [0, 1) for a pair of integers.
double cellNoise(std::int64_t x, std::int64_t y, std::uint64_t salt);

}  // namespace roadtune::data::synth
