// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/noise.h"
#include "core/data/synth/stage.h"

#include <algorithm>

namespace roadtune::data::synth {

namespace {

// A place on the ground as one pixel sees it: x, y in metres and how many metres the pixel spans along each.
struct Spot {
  double x, y, spanX, spanY, away;
};

// Surface colours before any light falls on them. One object per picture.
class GroundSurface {
 public:
  explicit GroundSurface(const Stage& stage)
      : m_stage(stage),
        m_road(stage.scene.road),
        m_verge(stage.scene.place == Place::Desert ? Colour{196, 170, 132}
                : stage.scene.place == Place::City ? Colour{150, 146, 140}
                                                   : Colour{104, 134, 72}) {}

  Colour at(const Spot& s) const {
    const double v = std::abs(s.y);
    const double crossing = crossingShare(s);
    const double onRoad = std::max(inside(v, -1e9, m_road.kerb(), s.spanY), crossing);
    Colour colour = asphalt(s);
    if (onRoad < 1) colour = mix(beside(s, v), colour, onRoad);
    if (v < m_road.kerb() + 1) colour = mix(colour, markings(s, v, colour), 1 - crossing);
    if (crossing < 1 && v < m_road.kerb()) colour = zebra(s, colour);
    return colour;
  }

 private:
  double grain(const Spot& s, double size) const {
    const double fade = clamp01(size / (s.spanX + s.spanY + 1e-6) - 0.3);
    return fade <= 0 ? 0.5 : 0.5 + (valueNoise(s.x / size + 5, s.y / size + 3) - 0.5) * std::min(1.0, fade);
  }

  double crossingShare(const Spot& s) const {
    double share = 0;
    for (const double middle : m_road.crossings)
      if (std::abs(s.x - middle) < m_road.crossingHalf + s.spanX)
        share = std::max(share, inside(s.x, middle - m_road.crossingHalf, middle + m_road.crossingHalf, s.spanX));
    return share;
  }

  Colour asphalt(const Spot& s) const {
    double level = 96 + 22 * (grain(s, 0.09) - 0.5) + 14 * (grain(s, 0.6) - 0.5) + 22 * (grain(s, 7) - 0.5);
    const double lane = std::abs(s.y) / m_road.laneWidth;
    if (lane < m_road.lanesPerSide) {  // tyres polish two tracks in every lane
      const double across = (lane - floorOf(lane) - 0.5) * m_road.laneWidth;
      const double track = std::abs(std::abs(across) - 0.8);
      level -= 7 * (1 - smoothStep(0.1, 0.5, track));
    }
    const auto slab = static_cast<std::int64_t>(floorOf(s.x / 13));
    if (cellNoise(slab, s.y > 0, m_stage.scene.seed) > 0.86)
      level -= 12 * inside(std::abs(s.y), 0.6, m_road.laneWidth - 0.5, s.spanY);
    return {static_cast<float>(level), static_cast<float>(level * 1.005), static_cast<float>(level * 1.03)};
  }

  Colour beside(const Spot& s, double v) const {
    const double kerb = m_road.kerb();
    Colour pavement = Colour{176, 172, 165} * (0.93 + 0.14 * grain(s, 0.25)) * (0.96 + 0.08 * grain(s, 3));
    const double joints = std::max(stripes(s.x, 1.5, 0, 0.03, s.spanX), stripes(v - kerb, 1.5, 0.3, 0.03, s.spanY));
    pavement = mix(pavement, Colour{120, 116, 110}, 0.6 * joints);
    const double rough = 0.82 + 0.22 * grain(s, 0.35) + 0.16 * grain(s, 4);
    Colour colour = mix(m_verge * rough, pavement, inside(v, -1e9, m_road.pavementEnd(), s.spanY));
    colour = mix(colour, Colour{198, 195, 188}, inside(v, kerb, kerb + 0.18, s.spanY));
    return mix(colour, Colour{104, 102, 100}, inside(v, kerb - 0.02, kerb + 0.05, s.spanY));
  }

  Colour markings(const Spot& s, double v, Colour under) const {
    const double worn = 0.72 + 0.28 * grain(s, 0.4);
    const Colour white{226, 226, 222}, yellow{222, 178, 58};
    double line = inside(v, 0.10, 0.22, s.spanY);
    under = mix(under, yellow, 0.9 * worn * line);
    for (int lane = 1; lane < m_road.lanesPerSide; ++lane) {
      const double edge = lane * m_road.laneWidth;
      if (std::abs(v - edge) > 0.2 + s.spanY) continue;
      line = inside(v, edge - 0.06, edge + 0.06, s.spanY) * stripes(s.x, 12, 0, 3, s.spanX);
      under = mix(under, white, 0.92 * worn * line);
    }
    const double outer = m_road.lanesPerSide * m_road.laneWidth;
    if (m_road.parking > 2) under = mix(under, white, 0.8 * worn * inside(v, outer - 0.05, outer + 0.05, s.spanY));
    if (m_road.parking > 2)
      under =
          mix(under, white,
              0.6 * worn * stripes(s.x, 6.2, 0, 0.1, s.spanX) * inside(v, outer + 0.9, m_road.kerb() - 0.1, s.spanY));
    return under;
  }

  // Zebra stripes on both sides of every crossing, and the line to stop at.
  Colour zebra(const Spot& s, Colour under) const {
    const Colour white{228, 228, 224};
    for (const double middle : m_road.crossings) {
      const double off = std::abs(s.x - middle) - m_road.crossingHalf;
      if (off < -1 - s.spanX || off > 6 + s.spanX) continue;
      const double bars = inside(off, 0.8, 3.4, s.spanX) * stripes(s.y, 1.2, 0.3, 0.6, s.spanY);
      const bool incoming = (s.x < middle) == (s.y < 0);
      const double stop = incoming ? inside(off, 4.4, 4.85, s.spanX) : 0;
      under = mix(under, white, 0.85 * (0.75 + 0.25 * grain(s, 0.5)) * std::max(bars, stop));
    }
    return under;
  }

  const Stage& m_stage;
  const Road& m_road;
  Colour m_verge;
};

// Light that falls on the ground beside that of the sky: our headlights, street lamps, lit shops.
double lampLight(const Stage& stage, const Spot& s) {
  double sum = 0;
  const Vec3 ego = stage.view.eye();
  const double ahead = s.x - ego.x - 1.5, across = s.y - ego.y;
  if (ahead > 0.5 && ahead < 60) {
    const double spread = 1.1 + 0.16 * ahead;
    const double beam = 1 - std::min(1.0, across * across / (spread * spread * 4));
    sum += 0.62 * beam * beam * smoothStep(0.5, 5, ahead) * (1 - smoothStep(14, 60, ahead));
  }
  // Lamps stand every 30 m at both kerbs; only the nearest of each side counts.
  for (const Lamp& lamp : stage.scene.lamps) {
    const double dx = s.x - lamp.foot.x, dy = s.y - (lamp.foot.y - lamp.side * 2.2);
    const double d2 = dx * dx + dy * dy;
    if (d2 < 320) sum += 0.62 * (1 - d2 / 320) * (1 - d2 / 320);
  }
  return sum;
}

// On a coarse grid, since light changes slowly; empty when there is none to see.
class LampGrid {
 public:
  explicit LampGrid(const Stage& stage)
      : m_stage(stage),
        m_on(stage.light().night()),
        m_line(m_on ? static_cast<std::size_t>(stage.canvas.width() / kStep + 2) : 0) {}
  template <class SpotAt>
  void startRow(int y, SpotAt&& spotAt) {
    if (!m_on || y % 2) return;
    for (std::size_t i = 0; i < m_line.size(); ++i)
      m_line[i] = lampLight(m_stage, spotAt(static_cast<double>(i) * kStep));
  }
  double at(int x) const {
    if (!m_on) return 0;
    const auto i = static_cast<std::size_t>(x / kStep);
    return mix(m_line[i], m_line[i + 1], static_cast<double>(x % kStep) / kStep);
  }

 private:
  static constexpr int kStep = 8;
  const Stage& m_stage;
  bool m_on;
  std::vector<double> m_line;
};

// The shade of the houses on the sunny side of the street.
double houseShade(const Stage& stage, const Spot& s) {
  const Vec3 sun = stage.light().sun;
  if (stage.scene.place != Place::City || stage.light().night()) return 0;
  const double side = sun.y > 0 ? 1 : -1;
  const double edge = stage.scene.road.buildingLine() - 9 * std::abs(sun.y) / std::max(0.3, sun.z);
  if (side * s.y < edge - 1) return 0;
  double open = 0;  // light comes in where a street crosses
  for (const double middle : stage.scene.road.crossings)
    open = std::max(open, inside(s.x, middle - 8, middle + 8, 1.5));
  return smoothStep(edge - 0.4, edge + 0.4, side * s.y) * (1 - open);
}

}  // namespace

void paintGround(Stage& stage) {
  const GroundSurface surface(stage);
  LampGrid lamps(stage);
  const Lighting& light = stage.light();
  const View& view = stage.view;
  const Vec3 left = view.toWorldDirection({0, 1, 0});
  const double height = view.eye().z;
  const bool wet = light.weather == Weather::Rain;
  for (int y = std::max(0, static_cast<int>(view.horizon())); y < stage.canvas.height(); ++y) {
    const double down = std::max(0.25, y + 0.5 - view.centreV()) / view.focalV();
    const double depth = height / down;
    const double growth = depth * depth / (height * view.focalV());  // metres of depth per row
    const auto spotAt = [&](double x) {
      const Vec3 d = view.toWorldDirection({1, -(x + 0.5 - view.centreU()) / view.focalU(), 0});
      const double pixel = depth / view.focalU();
      return Spot{view.eye().x + d.x * depth, view.eye().y + d.y * depth,
                  pixel * std::abs(left.x) + growth * std::abs(d.x), pixel * std::abs(left.y) + growth * std::abs(d.y),
                  depth * length(d)};
    };
    lamps.startRow(y, spotAt);
    const double full = brightness(light.shade(gray(1), {0, 0, 1}));
    for (int x = 0; x < stage.canvas.width(); ++x) {
      const Spot s = spotAt(x);
      Colour colour = surface.at(s);
      const double lit = lamps.at(x);
      const Colour raw = colour;
      colour = light.shade(colour, {0, 0, 1}) * (1 - light.shadow * houseShade(stage, s));
      if (lit > 0) colour = colour + raw * Colour{1.0F, 0.92F, 0.74F} * lit;
      if (wet)
        colour = mix(colour * 0.72, light.skyLow,
                     0.14 + 0.3 * full * smoothStep(4, 60, s.away) * (0.4 + 0.6 * valueNoise(s.x * 0.4, s.y * 0.9)));
      stage.canvas.put(x, y, light.fade(colour, s.away));
    }
  }
}

}  // namespace roadtune::data::synth
