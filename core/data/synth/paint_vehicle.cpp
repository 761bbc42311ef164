// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/car_shape.h"
#include "core/data/synth/noise.h"
#include "core/data/synth/stage.h"

#include <algorithm>
#include <array>

namespace roadtune::data::synth {

namespace {

// Paints one vehicle from convex parts: faces turned away are left out, so nothing of a part hides another of it.
class VehiclePainter {
 public:
  VehiclePainter(Stage& stage, const Actor& actor)
      : m_stage(stage),
        m_actor(actor),
        m_shape(carShape(actor)),
        m_foot(actor.at(stage.time)),
        m_turn(actor.heading),
        m_away(stage.distance(m_foot)),
        m_pixels(stage.view.sizeAt(m_foot)),
        m_half(actor.width / 2),
        m_boost(stage.headlights(m_foot)),
        m_eye(m_turn.back(stage.view.eye() - m_foot)) {}

  void paint() {
    innerWheels();
    lowerBody();
    if (m_shape.hasCabin) cabin();
    sides();
    ends();
    wheels();
    lights();
  }

 private:
  double nearSide() const { return m_eye.y > 0 ? 1 : -1; }
  Vec3 world(Vec3 own) const { return m_foot + m_turn(own); }
  Colour shown(Colour colour, Vec3 normal) const { return m_stage.seen(colour * m_boost, m_turn(normal), m_away); }

  std::span<const Vec2> pixels(std::span<const Vec3> own) {
    m_corners.clear();
    for (const Vec3& p : own) m_corners.push_back(world(p));
    return m_stage.view.project(m_corners);
  }
  void flat(std::span<const Vec3> own, Colour colour, double opacity = 1) {
    m_stage.canvas.fill(pixels(own), colour, opacity);
  }

  // Darker towards the road, with the sky's reflection near the top.
  void shaded(std::span<const Vec3> own, Colour colour) {
    const auto polygon = pixels(own);
    double top = 1e9, bottom = -1e9;
    for (const Vec2 p : polygon) {
      top = std::min(top, p.y);
      bottom = std::max(bottom, p.y);
    }
    const double size = std::max(1.0, bottom - top);
    m_stage.canvas.fill(polygon, [&](int, int y) {
      const double t = (y + 0.5 - top) / size;
      const double sheen = t < 0.22 ? 1.14 - 0.6 * t : 1.05 - 0.36 * (t - 0.2) - (t > 0.78 ? 0.22 : 0);
      return colour * sheen;
    });
  }

  bool facesUs(Vec3 point, Vec3 normal) const { return dot(normal, m_eye - point) > 0; }

  // A quad across the vehicle between two points of its outline, with half widths at both.
  void across(Vec2 a, Vec2 b, double widthA, double widthB, Colour colour) {
    const Vec3 normal = normalized({-(b.y - a.y), 0, b.x - a.x});
    if (!facesUs({a.x, 0, a.y}, normal)) return;
    const std::array<Vec3, 4> quad = {
        {{a.x, -widthA, a.y}, {a.x, widthA, a.y}, {b.x, widthB, b.y}, {b.x, -widthB, b.y}}};
    flat(quad, shown(colour, normal));
  }

  void lowerBody() {
    const auto& body = m_shape.body;
    for (const bool front : {m_eye.x < 0, m_eye.x >= 0})  // the end away from us first
      for (std::size_t i = 0; i + 1 < body.size(); ++i)
        if ((body[i].x + body[i + 1].x > 0) == front) across(body[i], body[i + 1], m_half, m_half, colourOf(i));
  }
  Colour colourOf(std::size_t segment) const {
    const bool low = segment == 0 || segment + 2 == m_shape.body.size();
    return low ? mix(m_actor.paint, Colour{36, 36, 38}, 0.75) : m_actor.paint;
  }

  void cabin() {
    const auto& c = m_shape.cabin;
    const double foot = m_half * 0.96, roof = m_half * m_shape.roofWidth;
    const Colour glass{46, 54, 64};
    across(c[1], c[2], roof, roof, m_actor.paint);
    across(c[0], c[1], foot, roof, m_actor.paint * 0.96);
    across(c[2], c[3], roof, foot, m_actor.paint * 0.96);
    const auto pane = [&](Vec2 a, Vec2 b, double widthA, double widthB) {
      const Vec2 p = a + (b - a) * 0.1, q = a + (b - a) * 0.92;
      across(p, q, mix(widthA, widthB, 0.1) * 0.9, mix(widthA, widthB, 0.92) * 0.9,
             mix(glass, m_stage.light().skyMiddle, 0.22));
    };
    pane(c[0], c[1], foot, roof);
    pane(c[2], c[3], roof, foot);
    cabinSide(nearSide(), foot, roof, glass);
  }

  void cabinSide(double side, double foot, double roof, Colour glass) {
    const auto& c = m_shape.cabin;
    const double low = c[0].y, high = c[1].y;
    const auto at = [&](double x, double z) {
      return Vec3{x, side * (mix(foot, roof, (z - low) / (high - low)) + 0.004), z};
    };
    const Vec3 normal = normalized({0, side * (high - low), foot - roof});
    if (!facesUs(at(c[0].x, low), normal)) return;
    const std::array<Vec3, 4> wall = {{at(c[0].x, low), at(c[1].x, high), at(c[2].x, high), at(c[3].x, low)}};
    flat(wall, shown(m_actor.paint, normal));
    const double z0 = mix(low, high, 0.16), z1 = mix(low, high, 0.86);
    const auto rear = [&](double z) { return mix(c[0].x, c[1].x, (z - low) / (high - low)) + 0.12; };
    const auto front = [&](double z) { return mix(c[3].x, c[2].x, (z - low) / (high - low)) - 0.12; };
    const double pillar = (c[1].x + c[2].x) / 2 - 0.05;
    const Colour pane = shown(mix(glass, m_stage.light().skyMiddle, 0.16), normal);
    const std::array<Vec3, 4> back = {
        {at(rear(z0), z0), at(rear(z1), z1), at(pillar - 0.05, z1), at(pillar - 0.05, z0)}};
    const std::array<Vec3, 4> fore = {
        {at(pillar + 0.05, z0), at(pillar + 0.05, z1), at(front(z1), z1), at(front(z0), z0)}};
    flat(back, pane);
    flat(fore, pane);
  }

  void sides() {
    const double side = nearSide();
    const Vec3 normal{0, side, 0.1};
    if (!facesUs({0, side * m_half, 0.5}, {0, side, 0})) return;
    std::vector<Vec3> wall;
    for (const Vec2 p : m_shape.body) wall.push_back({p.x, side * m_half, p.y});
    shaded(wall, shown(m_actor.paint, normal));
    const double y = side * (m_half + 0.004), sill = m_shape.body.front().y;
    const double from = m_shape.rearAxle + m_shape.wheel, to = m_shape.frontAxle - m_shape.wheel;
    flat(std::array<Vec3, 4>{{{from, y, sill}, {to, y, sill}, {to, y, sill + 0.09}, {from, y, sill + 0.09}}},
         shown({34, 34, 36}, normal));
    const Colour pane = m_actor.body == Body::Bus && m_stage.light().lamps
                            ? Colour{226, 214, 168}
                            : shown(mix(Colour{46, 54, 64}, m_stage.light().skyMiddle, 0.16), normal);
    for (const auto& [x0, x1, z0, z1] : m_shape.sideWindows)
      flat(std::array<Vec3, 4>{{{x0, y, z0}, {x1, y, z0}, {x1, y, z1}, {x0, y, z1}}}, pane);
    if (m_pixels < 14 || !m_shape.hasCabin) return;
    const Colour seam = shown(m_actor.paint * 0.6, normal);
    const double belt = m_shape.cabin[0].y - 0.02, mid = (m_shape.cabin[1].x + m_shape.cabin[2].x) / 2 - 0.05;
    for (const double x : {mid, m_shape.cabin[3].x - 0.08, m_shape.cabin[1].x - 0.5})
      flat(std::array<Vec3, 4>{{{x, y, sill + 0.12}, {x + 0.02, y, sill + 0.12}, {x + 0.02, y, belt}, {x, y, belt}}},
           seam);
    for (const double x : {mid + 0.12, m_shape.cabin[1].x - 0.36})
      flat(
          std::array<Vec3, 4>{
              {{x, y, belt - 0.14}, {x + 0.2, y, belt - 0.14}, {x + 0.2, y, belt - 0.1}, {x, y, belt - 0.1}}},
          seam);
  }

  // What shows of the wheels under the body: slices close enough to look like one piece.
  void innerWheels() {
    const int slices = std::clamp(static_cast<int>(m_pixels * 0.11), 2, 26);
    for (const double side : {-nearSide(), nearSide()})
      for (const double axle : {m_shape.frontAxle, m_shape.rearAxle})
        for (int i = 0; i <= slices; ++i)
          disc(axle, side * (m_half - 0.22 + 0.2 * i / slices), m_shape.wheel, m_shape.wheel, {22, 22, 24});
  }

  void wheels() {
    const double side = nearSide(), r = m_shape.wheel;
    if (!facesUs({0, side * m_half, r}, {0, side, 0})) return;
    for (const double axle : {m_shape.frontAxle, m_shape.rearAxle}) {
      disc(axle, side * (m_half + 0.003), r * 1.14, r, {20, 20, 22});
      disc(axle, side * (m_half + 0.012), r, r, {34, 34, 36});
      if (m_pixels < 6) continue;
      disc(axle, side * (m_half + 0.016), 0.66 * r, r, {158, 160, 164});
      disc(axle, side * (m_half + 0.018), 0.5 * r, r, {96, 98, 102});
      disc(axle, side * (m_half + 0.02), 0.2 * r, r, {170, 172, 176});
    }
  }
  void disc(double x, double y, double radius, double height, Colour colour) {
    std::array<Vec3, 18> ring;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const double a = 2 * kPi * static_cast<double>(i) / ring.size();
      ring[i] = {x + radius * cosine(a), y, std::max(0.0, height + radius * sine(a))};
    }
    flat(ring, shown(colour, {0, y > 0 ? 1.0 : -1.0, 0.2}));
  }

  // x of the outline at a height, at the front or the rear.
  double outline(double z, bool front) const {
    const auto& body = m_shape.body;
    for (std::size_t i = 0; i + 1 < body.size(); ++i) {
      const Vec2 a = body[i], b = body[i + 1];
      if ((a.x + b.x > 0) != front || (z - a.y) * (z - b.y) > 0 || a.y == b.y) continue;
      return mix(a.x, b.x, (z - a.y) / (b.y - a.y));
    }
    return front ? m_actor.length / 2 : -m_actor.length / 2;
  }
  // A plate on the front or the rear, between two heights and two places across (parts of the half width).
  void panel(bool front, double y0, double y1, double z0, double z1, Colour colour, bool shines = false) {
    const double out = front ? 0.006 : -0.006;
    const double x0 = outline(z0, front) + out, x1 = outline(z1, front) + out;
    const std::array<Vec3, 4> quad = {
        {{x0, y0 * m_half, z0}, {x0, y1 * m_half, z0}, {x1, y1 * m_half, z1}, {x1, y0 * m_half, z1}}};
    flat(quad, shines ? colour : shown(colour, {front ? 1.0 : -1.0, 0, 0.3}));
  }

  void ends() {
    const bool front = m_eye.x > 0;
    if (std::abs(m_eye.x) < m_actor.length / 2) return;
    const double h = m_actor.height;
    const double deck = m_shape.hasCabin ? m_shape.cabin[0].y - 0.1 * h : 0.46 * h;
    if (!m_shape.hasCabin) {
      const bool bus = m_actor.body == Body::Bus;
      if (!front || bus) panel(front, -0.84, 0.84, (bus ? 0.42 : 0.56) * h, 0.86 * h, {50, 58, 68});
      if (front && !bus)
        panel(front, -0.86, 0.86, 0.6 * h, 0.92 * h, mix(Colour{46, 54, 64}, m_stage.light().skyMiddle, 0.25));
    }
    panel(front, -0.96, 0.96, 0.26, 0.26 + 0.16 * std::min(h, 1.8), mix(m_actor.paint, Colour{34, 34, 36}, 0.8));
    if (front) panel(true, -0.52, 0.52, 0.5 * deck + 0.06, 0.86 * deck, {30, 31, 33});
    panel(front, -0.26, 0.26, front ? 0.36 : 0.62 * deck, front ? 0.47 : 0.62 * deck + 0.12, {224, 222, 206});
  }

  void lights() {
    const bool front = m_eye.x > 0;
    if (std::abs(m_eye.x) < m_actor.length / 2) return;
    const double deck = m_shape.hasCabin ? m_shape.cabin[0].y - 0.1 * m_actor.height : 0.4 * m_actor.height;
    const bool on = m_stage.light().lamps && m_actor.speed() > 0.1;
    const double z0 = 0.74 * deck, z1 = 0.93 * deck;
    for (const double side : {-1.0, 1.0}) {
      const Colour lens = front ? (on ? Colour{255, 252, 236} : Colour{208, 212, 216})
                                : (on ? Colour{236, 40, 30} : Colour{142, 22, 24});
      panel(front, side * 0.62, side * 0.97, z0, z1, lens, on);
      if (!on) continue;
      const Vec3 lamp{outline(z0, front), side * 0.8 * m_half, (z0 + z1) / 2};
      if (const auto at = m_stage.view.project(world(lamp))) {
        const double reach = (m_stage.light().night() ? 1.0 : 0.45) * (front ? 1.25 : 0.7) * m_pixels;
        m_stage.canvas.glow(*at, reach, front ? Colour{190, 180, 150} : Colour{150, 18, 12});
      }
    }
  }

  Stage& m_stage;
  const Actor& m_actor;
  CarShape m_shape;
  Vec3 m_foot;
  Turn m_turn;
  double m_away, m_pixels, m_half, m_boost;
  Vec3 m_eye;  // in the vehicle's own frame
  std::vector<Vec3> m_corners;
};

}  // namespace

void paintVehicle(Stage& stage, const Actor& actor) {
  const Vec3 foot = actor.at(stage.time);
  if (!stage.view.sees(foot + Vec3{0, 0, 1}, actor.length)) return;
  VehiclePainter(stage, actor).paint();
}

}  // namespace roadtune::data::synth
