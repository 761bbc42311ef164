// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/noise.h"
#include "core/data/synth/stage.h"

#include <algorithm>
#include <array>

namespace roadtune::data::synth {

namespace {

constexpr int kCell = 4;  // clouds are computed on a grid and spread between its points

Colour skyAt(const Stage& stage, Vec3 direction) {
  const Lighting& light = stage.light();
  const Vec3 d = normalized(direction);
  const double up = std::max(0.0, d.z);
  Colour sky = up < 0.12 ? mix(light.skyLow, light.skyMiddle, smoothStep(0, 0.12, up))
                         : mix(light.skyMiddle, light.skyTop, smoothStep(0.12, 0.55, up));
  const double near = std::max(0.0, dot(d, light.sun));
  const double near4 = near * near * near * near;
  sky = mix(sky, light.sunGlow, 0.55 * near4 * near4 * near4 + 0.12 * near4);
  const double reach = 1.0 / (up + 0.12);
  const double lump = cloudNoise(d.x * reach * 1.3 + static_cast<double>(stage.scene.seed % 53), d.y * reach * 1.3 + 9);
  const double cover =
      smoothStep(0.78 - 0.55 * light.cloudCover, 0.95 - 0.45 * light.cloudCover, lump) * smoothStep(0.0, 0.1, up);
  const double shade = cloudNoise(d.x * reach * 1.3 + 1.7, d.y * reach * 1.3 + 40);
  return mix(sky, mix(light.cloudLight, light.cloudDark, clamp01(1.6 * shade - 0.25)), 0.85 * cover);
}

void paintStars(Stage& stage) {
  if (!stage.light().night() || stage.light().weather == Weather::Rain) return;
  const double size = stage.view.width() / 1920.0;
  for (int i = 0; i < 240; ++i) {
    const Vec3 d = normalized({cellNoise(i, 1, 7) - 0.5, cellNoise(i, 2, 7) - 0.5, 0.04 + 0.5 * cellNoise(i, 3, 7)});
    if (const auto at = stage.view.project(stage.view.eye() + d * 1000.0))
      stage.canvas.glow(*at, std::max(0.7, 2.2 * size * cellNoise(i, 4, 7)), gray(40 + 130 * cellNoise(i, 5, 7)));
  }
}

void paintSun(Stage& stage) {
  if (stage.light().weather == Weather::Rain) return;
  const auto at = stage.view.project(stage.view.eye() + stage.light().sun * 1000.0);
  if (!at) return;
  const double size = stage.view.focalU();
  if (stage.light().night()) {
    stage.canvas.disc(*at, 0.012 * size, 0.012 * size, {226, 228, 220});
    stage.canvas.glow(*at, 0.08 * size, {40, 42, 50});
  } else {
    stage.canvas.glow(*at, 0.22 * size, stage.light().sunGlow * 0.35);
    stage.canvas.glow(*at, 0.035 * size, stage.light().sunGlow);
  }
}

}  // namespace

void paintSky(Stage& stage) {
  const int width = stage.canvas.width();
  const int rows = std::min(stage.canvas.height(), static_cast<int>(stage.view.horizon()) + 2);
  const int columns = width / kCell + 2;
  std::vector<Colour> upper(static_cast<std::size_t>(columns)), lower(upper.size());
  const auto compute = [&](int y, std::vector<Colour>& line) {
    for (int i = 0; i < columns; ++i) {
      const Vec3 d{1, -(i * kCell - stage.view.centreU()) / stage.view.focalU(),
                   -(y - stage.view.centreV()) / stage.view.focalV()};
      line[static_cast<std::size_t>(i)] = skyAt(stage, stage.view.toWorldDirection(d));
    }
  };
  compute(0, lower);
  for (int y = 0; y < rows; ++y) {
    if (y % kCell == 0) {
      std::swap(upper, lower);
      compute(y + kCell, lower);
    }
    const double ty = static_cast<double>(y % kCell) / kCell;
    for (int x = 0; x < width; ++x) {
      const auto i = static_cast<std::size_t>(x / kCell);
      const double tx = static_cast<double>(x % kCell) / kCell;
      stage.canvas.put(x, y, mix(mix(upper[i], upper[i + 1], tx), mix(lower[i], lower[i + 1], tx), ty));
    }
  }
  paintStars(stage);
  paintSun(stage);
}

namespace {

// A ridge line: its height over the horizon in units of its distance, by direction.
double ridge(const Stage& stage, Vec3 direction, int layer) {
  const Vec3 d = normalized({direction.x, direction.y, 0});
  const double salt = static_cast<double>(stage.scene.seed % 97) + 31 * layer;
  if (stage.scene.place == Place::City) {
    const double block = floorOf(40.0 * (d.x + 2)) + floorOf(40.0 * (d.y + 2)) * 97;
    return 0.012 +
           0.05 * cellNoise(static_cast<std::int64_t>(block), layer, stage.scene.seed) * (layer == 0 ? 1.2 : 0.7);
  }
  const double lumps = cloudNoise(d.x * 3 + salt, d.y * 3 + salt);
  const double scale = stage.scene.place == Place::Desert ? 0.16 : 0.06;
  return scale * std::max(0.0, lumps - 0.3) * (layer == 0 ? 1 : 0.5) + 0.004;
}

}  // namespace

void paintSkyline(Stage& stage) {
  static constexpr std::array<Colour, 3> kBase = {{{118, 126, 138}, {96, 118, 92}, {142, 112, 98}}};
  const Colour base = kBase[static_cast<std::size_t>(stage.scene.place)];
  const double step = std::max(1.0, stage.canvas.width() / 480.0);
  for (int layer = 0; layer < 2; ++layer) {
    std::vector<Vec2> line;
    for (double x = 0; x <= stage.canvas.width() + step; x += step) {
      const Vec3 d{1, -(x - stage.view.centreU()) / stage.view.focalU(), 0};
      const double height = ridge(stage, stage.view.toWorldDirection(d), layer) * length(d);
      line.push_back({x, stage.view.horizon() - height * stage.view.focalV()});
    }
    line.push_back({stage.canvas.width() + step, stage.view.horizon() + 2});
    line.push_back({0, stage.view.horizon() + 2});
    const Colour colour = stage.light().fade(stage.light().shade(base, {0, 0, 1}), layer == 0 ? 900 : 420);
    stage.canvas.fill(line, colour);
  }
}

}  // namespace roadtune::data::synth
