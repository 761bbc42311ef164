// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/synth/canvas.h"
#include "core/data/synth/scene.h"
#include "core/data/synth/view.h"

#include <cmath>

namespace roadtune::data::synth {

// What the painters work with: one picture of one scene at one time.
struct Stage {
  const Scene& scene;
  Canvas& canvas;
  View& view;
  double time = 0;

  const Lighting& light() const { return scene.light; }
  double distance(Vec3 world) const { return length(world - view.eye()); }
  // How much brighter our own headlights make what stands at a place; 1 when they do not matter.
  double headlights(Vec3 world) const {
    if (!light().night()) return 1;
    const Vec3 ego = view.eye();
    const double ahead = world.x - ego.x, across = world.y - ego.y, spread = 2.5 + 0.22 * ahead;
    if (ahead < 1 || ahead > 55 || across > spread || across < -spread) return 1.35;
    return 1.35 + 2.1 * (1 - ahead / 55) * (1 - across * across / (spread * spread));
  }
  // A surface as it is seen from here: lit, and faded by the air between.
  Colour seen(Colour surface, Vec3 normal, double away) const {
    return light().fade(light().shade(surface, normal), away);
  }
};

// Each paints its part over what is there. Scenery is painted in this order; the rest by distance.
void paintSky(Stage& stage);
void paintSkyline(Stage& stage);
void paintGround(Stage& stage);
void paintShadows(Stage& stage);
void paintBuildings(Stage& stage);
void paintTree(Stage& stage, const Tree& tree);
void paintLamp(Stage& stage, const Lamp& lamp);
void paintSign(Stage& stage, const SignPost& sign);
void paintVehicle(Stage& stage, const Actor& actor);
void paintWalker(Stage& stage, const Actor& actor);
void paintCyclist(Stage& stage, const Actor& actor);
void paintRain(Stage& stage);

// The share of [x - footprint/2, x + footprint/2] that lies in stripes of `width` which start at `start` and repeat
// every `period`.
inline double stripes(double x, double period, double start, double width, double footprint) {
  const double h = footprint > 1e-6 ? footprint / 2 : 1e-6;
  const auto filled = [&](double at) {
    const double moved = at - start, whole = floorOf(moved / period);
    const double rest = moved - whole * period;
    return whole * width + (rest < width ? rest : width);
  };
  return (filled(x + h) - filled(x - h)) / (2 * h);
}

// The same for one interval.
inline double inside(double x, double low, double high, double footprint) {
  const double h = footprint > 1e-6 ? footprint / 2 : 1e-6;
  const double a = x - h > low ? x - h : low, b = x + h < high ? x + h : high;
  return b > a ? (b - a) / (2 * h) : 0;
}

}  // namespace roadtune::data::synth
