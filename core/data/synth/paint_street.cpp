// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/noise.h"
#include "core/data/synth/stage.h"

#include <algorithm>
#include <array>

namespace roadtune::data::synth {

namespace {

void castShadow(Stage& stage, Vec3 foot, double length, double width, double height, double heading, double strength) {
  const Vec3 sun = stage.light().sun;
  const double reach = std::min(2.2, 0.8 / std::max(0.2, sun.z)) * height;
  const Vec3 away = normalized({-sun.x, -sun.y, 0}) * reach;
  const Turn turn(heading);
  std::array<Vec2, 8> points;
  std::size_t count = 0;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0}) {
      const Vec3 corner = foot + turn({x * length / 2, y * width / 2, 0});
      points[count++] = {corner.x, corner.y};
      points[count++] = {corner.x + away.x, corner.y + away.y};
    }
  // The hull of the footprint and its copy moved along the light: gift wrapping over eight points.
  std::vector<Vec3> hull;
  std::size_t start = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (points[i].x < points[start].x || (points[i].x == points[start].x && points[i].y < points[start].y)) start = i;
  std::size_t at = start;
  do {
    hull.push_back({points[at].x, points[at].y, 0.01});
    std::size_t next = (at + 1) % points.size();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec2 a = points[next] - points[at], b = points[i] - points[at];
      if (a.x * b.y - a.y * b.x < 0) next = i;
    }
    at = next;
  } while (at != start && hull.size() < points.size());
  stage.canvas.fill(stage.view.project(hull), Colour{18, 20, 28}, strength);
}

}  // namespace

void paintShadows(Stage& stage) {
  const double dark = stage.light().shadow;
  stage.canvas.beginObject(0);
  for (const Tree& tree : stage.scene.trees) {
    if (!stage.view.sees(tree.foot, 2 * tree.height) || stage.distance(tree.foot) > 120) continue;
    const Vec3 away = normalized({-stage.light().sun.x, -stage.light().sun.y, 0}) * std::min(14.0, 0.8 * tree.height);
    const Vec3 middle = tree.foot + away;
    std::array<Vec3, 14> ring;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const double a = 2 * kPi * static_cast<double>(i) / ring.size();
      ring[i] =
          middle + Vec3{tree.radius * cosine(a) * (0.9 + 0.25 * cellNoise(static_cast<std::int64_t>(i), 0, tree.salt)),
                        tree.radius * sine(a), 0.01};
    }
    stage.canvas.fill(stage.view.project(ring), Colour{18, 20, 28}, 0.8 * dark);
  }
  for (const Actor& actor : stage.scene.actors) {
    const Vec3 foot = actor.at(stage.time);
    if (!stage.view.sees(foot, 8) || stage.distance(foot) > 130) continue;
    const double slim = actor.type == LabelType::Vehicle ? 1 : 0.4;
    castShadow(stage, foot, actor.length * (actor.type == LabelType::Pedestrian ? 0.5 : 0.98), actor.width * slim,
               0.75 * actor.height, actor.heading, dark);
    if (actor.type == LabelType::Vehicle)
      castShadow(stage, foot, actor.length * 0.92, actor.width * 0.9, 0.01, actor.heading, 0.45);
  }
}

namespace {

void paintLeaves(Stage& stage, const Tree& tree, double pixels, double away) {
  static constexpr std::array<Colour, 5> kGreens = {
      {{72, 104, 52}, {88, 118, 56}, {62, 92, 58}, {110, 124, 60}, {96, 108, 50}}};
  const Colour green = kGreens[tree.salt % kGreens.size()];
  const Vec3 crown = tree.foot + Vec3{0, 0, tree.height - tree.radius};
  const int blobs = pixels * tree.radius < 6     ? 5
                    : pixels * tree.radius < 40  ? 14
                    : pixels * tree.radius < 250 ? 46
                                                 : 90;
  for (int pass = 0; pass < 3; ++pass) {  // dark ones first, those in the light on top
    for (int i = 0; i < blobs; ++i) {
      const double a = 2 * kPi * cellNoise(i, pass, tree.salt), ring = std::sqrt(cellNoise(i, pass + 7, tree.salt));
      const double up = cellNoise(i, pass + 13, tree.salt) * 2 - 1;
      const double reach = tree.radius * (pass == 2 ? 0.62 : 0.8);
      Vec3 centre = crown + Vec3{reach * ring * cosine(a), reach * ring * sine(a), reach * up * 0.95};
      if (pass > 0)
        centre = centre + Vec3{0.1 * stage.light().sun.x, 0.1 * stage.light().sun.y, 0.14} * (tree.radius * pass);
      const auto at = stage.view.project(centre);
      if (!at) continue;
      const double size = tree.radius * (0.2 + 0.2 * cellNoise(i, pass + 19, tree.salt)) * pixels *
                          (blobs < 10   ? 2
                           : blobs < 20 ? 1.4
                                        : 1);
      const double bright = 0.62 + 0.24 * pass + 0.14 * up + 0.16 * (cellNoise(i, pass + 29, tree.salt) - 0.5);
      const Colour leaf = stage.seen(green * bright, {0, 0, 0.7}, away);
      if (pixels < 30) {
        stage.canvas.disc(*at, size, size * 0.86, leaf);
        continue;
      }
      const double grain = 9 / pixels, salt = static_cast<double>(i * 7 + pass);
      stage.canvas.disc(*at, size, size * 0.86,
                        [&](int x, int y) { return leaf * (0.74 + 0.52 * valueNoise(x * grain + salt, y * grain)); });
    }
  }
}

void paintFronds(Stage& stage, const Tree& tree, double pixels, double away) {
  const Vec3 top = tree.foot + Vec3{0, 0, tree.height - 0.5};
  for (int i = 0; i < 17; ++i) {
    const double a = 2 * kPi * (i / 17.0 + 0.05 * cellNoise(i, 1, tree.salt)),
                 lift = 0.2 + 0.9 * cellNoise(i, 2, tree.salt);
    const Colour green = stage.seen(Colour{84, 112, 58} * (0.7 + 0.5 * cellNoise(i, 3, tree.salt)), {0, 0, 0.7}, away);
    Vec3 from = top;
    for (int part = 1; part <= 4; ++part) {
      const double t = part / 4.0;
      const Vec3 to = top + Vec3{cosine(a) * t, sine(a) * t, lift * t - 1.15 * t * t} * tree.radius;
      const auto p = stage.view.project(from), q = stage.view.project(to);
      if (p && q) stage.canvas.stroke(*p, *q, 0.34 * pixels * (1.15 - t), 0.34 * pixels * (1.02 - t), green);
      from = to;
    }
  }
}

}  // namespace

void paintTree(Stage& stage, const Tree& tree) {
  const double pixels = stage.view.sizeAt(tree.foot);
  if (pixels <= 0 || !stage.view.sees(tree.foot + Vec3{0, 0, tree.height / 2}, tree.height)) return;
  const double away = stage.distance(tree.foot);
  const Colour bark = stage.seen(tree.palm ? Colour{142, 118, 92} : Colour{92, 74, 58}, {0, 0, 0.3}, away);
  const auto foot = stage.view.project(tree.foot),
             top = stage.view.project(tree.foot + Vec3{0, 0, tree.height - (tree.palm ? 0.4 : tree.radius)});
  if (foot && top) {
    const double thick = (tree.palm ? 0.34 : 0.1 + 0.035 * tree.height) * pixels;
    stage.canvas.stroke(*foot, *top, thick, 0.62 * thick, bark);
    stage.canvas.stroke({foot->x + 0.2 * thick, foot->y}, {top->x + 0.12 * thick, top->y}, 0.5 * thick, 0.3 * thick,
                        bark * 0.78);
  }
  if (tree.palm) {
    paintFronds(stage, tree, pixels, away);
  } else {
    paintLeaves(stage, tree, pixels, away);
  }
}

void paintLamp(Stage& stage, const Lamp& lamp) {
  const double pixels = stage.view.sizeAt(lamp.foot);
  if (pixels <= 0 || !stage.view.sees(lamp.foot + Vec3{0, 0, 4}, 6)) return;
  const double away = stage.distance(lamp.foot);
  const Colour steel = stage.seen({104, 108, 112}, {0, 0, 0.5}, away);
  const Vec3 knee = lamp.foot + Vec3{0, 0, 7.2}, head = lamp.foot + Vec3{0, -lamp.side * 2.0, 7.7};
  const auto a = stage.view.project(lamp.foot), b = stage.view.project(knee), c = stage.view.project(head);
  if (!a || !b || !c) return;
  stage.canvas.stroke(*a, *b, 0.2 * pixels, 0.13 * pixels, steel);
  stage.canvas.stroke(*b, *c, 0.12 * pixels, 0.1 * pixels, steel);
  const bool on = stage.light().lamps;
  stage.canvas.disc(*c, 0.34 * pixels, 0.12 * pixels, on ? Colour{255, 240, 200} : steel * 1.1);
  if (on) stage.canvas.glow(*c, (stage.light().night() ? 2.6 : 1.2) * pixels, Colour{150, 124, 78});
}

namespace {

// A flat shape that faces along x: points are (across, up) in metres around the middle of the plate.
void paintPlate(Stage& stage, const SignPost& sign, Vec3 middle, std::span<const Vec2> shape, double factor,
                Colour colour) {
  std::array<Vec3, 24> points;
  const std::size_t count = std::min(points.size(), shape.size());
  for (std::size_t i = 0; i < count; ++i)
    points[i] = middle + Vec3{0, sign.facing * shape[i].x * factor, shape[i].y * factor};
  stage.canvas.fill(stage.view.project(std::span(points.data(), count)), colour);
}

std::vector<Vec2> regularShape(int corners, double radius, double phase) {
  std::vector<Vec2> shape;
  for (int i = 0; i < corners; ++i)
    shape.push_back({radius * cosine(phase + 2 * kPi * i / corners), radius * sine(phase + 2 * kPi * i / corners)});
  return shape;
}

}  // namespace

void paintSign(Stage& stage, const SignPost& sign) {
  const double pixels = stage.view.sizeAt(sign.foot);
  if (pixels <= 0 || !stage.view.sees(sign.foot + Vec3{0, 0, 1.5}, 3)) return;
  const double away = stage.distance(sign.foot);
  const Vec3 middle = sign.foot + Vec3{0, 0, 2.35};
  const auto foot = stage.view.project(sign.foot), top = stage.view.project(middle);
  if (!foot || !top) return;
  const Vec3 normal{static_cast<double>(sign.facing), 0, 0.2};
  const auto shown = [&](Colour colour) {
    return stage.seen(colour * (stage.light().night() ? 2.4 : 1.0), normal, away);
  };
  stage.canvas.stroke(*foot, *top, 0.07 * pixels, 0.07 * pixels, stage.seen({128, 130, 132}, {0, 0, 0.4}, away));
  const bool front = (stage.view.eye().x - sign.foot.x) * sign.facing > 0;
  const std::vector<Vec2> tall = {{-0.3, -0.38}, {0.3, -0.38}, {0.3, 0.38}, {-0.3, 0.38}};
  const auto octagon = regularShape(8, 0.4, kPi / 8), diamond = regularShape(4, 0.5, 0);
  const auto& shape = sign.kind == SignKind::Stop ? octagon : sign.kind == SignKind::Warning ? diamond : tall;
  if (!front) {
    paintPlate(stage, sign, middle, shape, 1, shown({120, 122, 124}));
    return;
  }
  const Colour white{240, 240, 238};
  switch (sign.kind) {
    case SignKind::Stop:
      paintPlate(stage, sign, middle, shape, 1, shown(white));
      paintPlate(stage, sign, middle, shape, 0.9, shown({190, 26, 34}));
      paintPlate(stage, sign, middle, std::vector<Vec2>{{-0.24, -0.08}, {0.24, -0.08}, {0.24, 0.08}, {-0.24, 0.08}}, 1,
                 shown(white));
      break;
    case SignKind::Warning:
      paintPlate(stage, sign, middle, shape, 1, shown({30, 30, 30}));
      paintPlate(stage, sign, middle, shape, 0.92, shown({246, 196, 40}));
      paintPlate(stage, sign, middle, std::vector<Vec2>{{-0.05, -0.2}, {0.05, -0.2}, {0.07, 0.2}, {-0.07, 0.2}}, 1,
                 shown({30, 30, 30}));
      break;
    case SignKind::SpeedLimit:
      paintPlate(stage, sign, middle, shape, 1, shown({30, 30, 30}));
      paintPlate(stage, sign, middle, shape, 0.94, shown(white));
      paintPlate(stage, sign, middle, std::vector<Vec2>{{-0.16, -0.26}, {0.16, -0.26}, {0.16, 0.02}, {-0.16, 0.02}}, 1,
                 shown({40, 40, 40}));
      paintPlate(stage, sign, middle, std::vector<Vec2>{{-0.2, 0.14}, {0.2, 0.14}, {0.2, 0.26}, {-0.2, 0.26}}, 1,
                 shown({70, 70, 70}));
      break;
    case SignKind::Parking:
      paintPlate(stage, sign, middle, shape, 0.85, shown(white));
      paintPlate(stage, sign, middle, shape, 0.76, shown({36, 84, 168}));
      paintPlate(stage, sign, middle, std::vector<Vec2>{{-0.1, -0.2}, {-0.03, -0.2}, {-0.03, 0.2}, {-0.1, 0.2}}, 1,
                 shown(white));
      paintPlate(stage, sign, middle, std::vector<Vec2>{{-0.05, -0.02}, {0.12, -0.02}, {0.12, 0.2}, {-0.05, 0.2}}, 1,
                 shown(white));
      break;
  }
}

void paintRain(Stage& stage) {
  if (stage.light().weather != Weather::Rain) return;
  stage.canvas.beginObject(0);
  const double size = stage.view.width() / 1920.0;
  const auto frame = static_cast<std::int64_t>(stage.time * 1000);
  for (int i = 0; i < 260; ++i) {
    const Vec2 from{cellNoise(i, frame, 1) * stage.canvas.width(), cellNoise(i, frame, 2) * stage.canvas.height()};
    const double run = (18 + 34 * cellNoise(i, frame, 3)) * size;
    stage.canvas.stroke(from, {from.x + 0.12 * run, from.y + run}, 1.2 * size, 2.2 * size, stage.light().skyLow * 1.15,
                        0.16);
  }
}

}  // namespace roadtune::data::synth
