// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/synth/geometry.h"

namespace roadtune::data::synth {

// Red, green, blue in 0..255 as they are shown (not linear light); values outside are cut when they are painted.
struct Colour {
  float r = 0, g = 0, b = 0;
};

inline Colour operator+(Colour a, Colour b) { return {a.r + b.r, a.g + b.g, a.b + b.b}; }
inline Colour operator*(Colour a, double s) {
  const auto f = static_cast<float>(s);
  return {a.r * f, a.g * f, a.b * f};
}
inline Colour operator*(Colour a, Colour tint) { return {a.r * tint.r, a.g * tint.g, a.b * tint.b}; }
inline Colour mix(Colour a, Colour b, double t) {
  const auto f = static_cast<float>(t);
  return {a.r + (b.r - a.r) * f, a.g + (b.g - a.g) * f, a.b + (b.b - a.b) * f};
}
inline Colour gray(double level) {
  const auto f = static_cast<float>(level);
  return {f, f, f};
}
inline double brightness(Colour c) {
  return 0.3 * static_cast<double>(c.r) + 0.59 * static_cast<double>(c.g) + 0.11 * static_cast<double>(c.b);
}

}  // namespace roadtune::data::synth
