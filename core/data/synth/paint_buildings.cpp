// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/noise.h"
#include "core/data/synth/stage.h"

#include <algorithm>
#include <array>

namespace roadtune::data::synth {

namespace {

// One upright wall: u runs along it in metres from its corner, v is the height.
struct Wall {
  const Building* house;
  double size;          // along u
  double spanU, spanV;  // metres of one pixel
  std::uint64_t salt;
  bool facesStreet;
};

constexpr double kShopHeight = 3.6;

Colour windowColour(const Stage& stage, const Wall& wall, double u, double v, std::int64_t column,
                    std::int64_t storey) {
  const Lighting& light = stage.light();
  const double luck = cellNoise(column, storey, wall.salt);
  const bool lit = light.lamps && luck < (light.night() ? 0.42 : 0.2);
  if (lit) {
    const double warm = cellNoise(column, storey, wall.salt + 1);
    const Colour lamp = mix(Colour{255, 214, 140}, Colour{226, 226, 214}, warm * warm);
    return lamp * (0.72 + 0.28 * cellNoise(column, storey, wall.salt + 2)) * (0.9 + 0.1 * sine(3 * u + v));
  }
  const double reflect = clamp01(0.35 + 0.05 * (v - 4) + 0.3 * (luck - 0.5));
  Colour glass = mix(Colour{52, 60, 70}, Colour{170, 190, 208}, reflect);
  if (luck > 0.7) glass = mix(glass, Colour{206, 200, 188}, 0.55);  // a curtain
  return light.shade(glass, {0, 0, 0.6});
}

// The wall with its windows. Small patterns melt into their mean with distance, because `stripes` integrates them.
Colour facadeAt(const Stage& stage, const Wall& wall, double u, double v, Vec3 normal, double away) {
  const Building& b = *wall.house;
  const double rough = 0.95 + 0.1 * (valueNoise(u * 0.9 + static_cast<double>(wall.salt % 64), v * 0.9) - 0.5);
  Colour colour = b.wall * rough;
  if (b.shop && wall.facesStreet && v < kShopHeight) colour = colour * 0.72;
  const double ledge = stripes(v, b.storey, b.storey - 0.18, 0.14, wall.spanV);
  colour = mix(colour, b.wall * 1.12, 0.5 * ledge);
  Colour lit = stage.light().shade(colour, normal);
  const double base = b.shop && wall.facesStreet ? kShopHeight : 0;
  const double top = b.height - (b.roof > 0 ? 0.2 : 1.0);
  const double bay = b.bay, margin = (wall.size - floorOf((wall.size - 0.8) / bay) * bay) / 2;
  if (v > base && v < top && u > margin && u < wall.size - margin) {
    const auto column = static_cast<std::int64_t>(floorOf((u - margin) / bay));
    const auto storey = static_cast<std::int64_t>(floorOf((v - base) / b.storey));
    const double wide = 0.52 * bay, low = 0.9, high = 0.74 * b.storey - 0.1;
    const double frame = stripes(u - margin, bay, (bay - wide) / 2 - 0.1, wide + 0.2, wall.spanU) *
                         stripes(v - base, b.storey, low - 0.12, high - low + 0.55, wall.spanV);
    if (frame > 0) {
      const double across = stripes(u - margin, bay, (bay - wide) / 2, wide, wall.spanU);
      const double up = stripes(v - base, b.storey, low, high - low + 0.35, wall.spanV);
      const double bar = stripes(u - margin, bay, bay / 2 - 0.03, 0.06, wall.spanU);
      lit = mix(lit, stage.light().shade(b.wall * 0.4 + gray(130), normal), 0.75 * frame);
      Colour pane = windowColour(stage, wall, u, v, column, storey);
      pane = mix(pane, stage.light().shade(gray(190), normal), 0.7 * bar);
      lit = mix(lit, pane, across * up);
    }
  } else if (base > 0 && v < base) {
    const double across = stripes(u, 5.2, 0.45, 4.3, wall.spanU), up = inside(v, 0.5, 2.75, wall.spanV);
    const bool on = stage.light().lamps && cellNoise(static_cast<std::int64_t>(u / 5.2), 3, wall.salt) < 0.75;
    const Colour glass = on ? Colour{250, 226, 176} * (0.8 + 0.2 * valueNoise(u * 2, v * 2))
                            : stage.light().shade({58, 66, 76}, {0, 0, 0.6});
    lit = mix(lit, glass, across * up);
    static constexpr std::array<Colour, 5> kAwnings = {
        {{176, 48, 46}, {40, 92, 84}, {42, 70, 128}, {198, 150, 52}, {92, 60, 100}}};
    const Colour awning = kAwnings[wall.salt % kAwnings.size()] * (0.9 + 0.1 * stripes(u, 0.5, 0, 0.25, wall.spanU));
    lit = mix(lit, stage.light().shade(awning, {0, 0, 0.8}), inside(v, 2.75, 3.45, wall.spanV));
  }
  lit = lit * (0.8 + 0.2 * smoothStep(0, 2.2, v));  // dirt and shade at the foot
  if (stage.light().night()) lit = lit + b.wall * Colour{0.34F, 0.30F, 0.22F} * (1 - smoothStep(0, 9, v));
  return stage.light().fade(lit, away);
}

// A wall along x at a fixed y.
void paintFront(Stage& stage, const Building& b) {
  const double y = b.side * b.front;
  const std::array<Vec3, 4> corners = {{{b.x0, y, 0}, {b.x1, y, 0}, {b.x1, y, b.height}, {b.x0, y, b.height}}};
  const View& view = stage.view;
  const Vec3 normal{0, -static_cast<double>(b.side), 0};
  Wall wall{&b, b.x1 - b.x0, 0, 0, b.salt, true};
  stage.canvas.fill(stage.view.project(corners), [&](int px, int py) {
    const Vec3 d = view.toWorldDirection(
        {1, -(px + 0.5 - view.centreU()) / view.focalU(), -(py + 0.5 - view.centreV()) / view.focalV()});
    if (std::abs(d.y) < 1e-6) return b.wall;
    const double t = (y - view.eye().y) / d.y;
    wall.spanU = std::abs(t / (view.focalU() * d.y));
    wall.spanV = std::abs(t / view.focalV());
    return facadeAt(stage, wall, view.eye().x + d.x * t - b.x0, view.eye().z + d.z * t, normal, std::abs(t));
  });
}

// How high the next house covers this end; it stands wall to wall or not at all.
double coveredHeight(const Stage& stage, const Building& b, double x) {
  for (const Building& other : stage.scene.buildings)
    if (&other != &b && other.side == b.side && (std::abs(other.x0 - x) < 0.01 || std::abs(other.x1 - x) < 0.01))
      return std::min(other.height, b.height);
  return 0;
}

// A wall along y at one end of the house.
void paintEnd(Stage& stage, const Building& b, double x) {
  const double low = coveredHeight(stage, b, x);
  if (low >= b.height) return;
  const double y0 = b.side * b.front, y1 = b.side * (b.front + b.depth);
  std::vector<Vec3> corners = {{x, y0, low}, {x, y1, low}, {x, y1, b.height}};
  if (b.roof > 0) corners.push_back({x, (y0 + y1) / 2, b.height + b.roof});
  corners.push_back({x, y0, b.height});
  const View& view = stage.view;
  const Vec3 normal{x == b.x0 ? -1.0 : 1.0, 0, 0};
  Wall wall{&b, b.depth, 0, 0, b.salt + 77, false};
  stage.canvas.fill(stage.view.project(corners), [&](int px, int py) {
    const Vec3 d = view.toWorldDirection(
        {1, -(px + 0.5 - view.centreU()) / view.focalU(), -(py + 0.5 - view.centreV()) / view.focalV()});
    if (std::abs(d.x) < 1e-6) return b.wall;
    const double t = (x - view.eye().x) / d.x;
    wall.spanU = std::abs(t / (view.focalU() * d.x));
    wall.spanV = std::abs(t / view.focalV());
    return facadeAt(stage, wall, std::abs(view.eye().y + d.y * t - y0), view.eye().z + d.z * t, normal, std::abs(t));
  });
}

void paintRoof(Stage& stage, const Building& b) {
  if (b.roof <= 0) return;
  const double over = 0.45, y0 = b.side * (b.front - over), ridge = b.side * (b.front + b.depth / 2);
  const std::array<Vec3, 4> plane = {{{b.x0 - over, y0, b.height - 0.1},
                                      {b.x1 + over, y0, b.height - 0.1},
                                      {b.x1 + over, ridge, b.height + b.roof},
                                      {b.x0 - over, ridge, b.height + b.roof}}};
  static constexpr std::array<Colour, 4> kTiles = {{{112, 76, 62}, {92, 92, 98}, {134, 96, 74}, {78, 70, 68}}};
  const double away = stage.distance({(b.x0 + b.x1) / 2, y0, b.height});
  const Vec3 normal = normalized({0, -static_cast<double>(b.side) * b.roof, b.depth / 2});
  stage.canvas.fill(stage.view.project(plane), stage.seen(kTiles[b.salt % 4], normal, away));
}

}  // namespace

void paintBuildings(Stage& stage) {
  const Vec3 eye = stage.view.eye();
  std::vector<std::pair<double, const Building*>> order;
  for (const Building& b : stage.scene.buildings) {
    const Vec3 middle{(b.x0 + b.x1) / 2, b.side * (b.front + 2), b.height / 2};
    if (!stage.view.sees(middle, (b.x1 - b.x0) / 2 + b.height / 2 + b.depth)) continue;
    order.emplace_back(std::abs(middle.x - eye.x), &b);
  }
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.first > b.first || (a.first == b.first && a.second < b.second);
  });
  for (const auto& [away, b] : order) {
    if (b->x0 > eye.x) paintEnd(stage, *b, b->x0);
    if (b->x1 < eye.x) paintEnd(stage, *b, b->x1);
    paintFront(stage, *b);
    paintRoof(stage, *b);
  }
}

}  // namespace roadtune::data::synth
