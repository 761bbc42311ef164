// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/canvas.h"

#include <array>
#include <cmath>

namespace roadtune::data::synth {

namespace {

constexpr int kRoundSteps = 24, kFineSteps = 72;

// Points of a unit circle, made once.
template <int kSteps>
const std::array<Vec2, kSteps>& unitCircle() {
  static const auto points = [] {
    std::array<Vec2, kSteps> all;
    for (int i = 0; i < kSteps; ++i)
      all[static_cast<std::size_t>(i)] = {cosine(2 * kPi * i / kSteps), sine(2 * kPi * i / kSteps)};
    return all;
  }();
  return points;
}

}  // namespace

Canvas::Rows Canvas::rowsOf(std::span<const Vec2> polygon) const {
  if (polygon.size() < 3) return {};
  double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
  for (const Vec2 p : polygon) {
    left = std::min(left, p.x);
    right = std::max(right, p.x);
    top = std::min(top, p.y);
    bottom = std::max(bottom, p.y);
  }
  if (right <= 0 || bottom <= 0 || left >= width() || top >= height()) return {};
  return {static_cast<int>(std::max(0.0, std::floor(top))),
          static_cast<int>(std::min<double>(height() - 1, std::ceil(bottom) - 1)),
          static_cast<int>(std::max(0.0, std::floor(left))),
          static_cast<int>(std::min<double>(width() - 1, std::ceil(right) - 1))};
}

// The part of an edge inside one row goes from x0 to x1 and spans `share` of the row's height (signed).
void Canvas::coverEdge(double x0, double x1, double share, const Rows& rows) {
  if (x0 > x1) std::swap(x0, x1);
  x0 = std::clamp<double>(x0, rows.left, rows.right + 1);
  x1 = std::clamp<double>(x1, rows.left, rows.right + 1);
  const int first = static_cast<int>(x0), last = static_cast<int>(x1);
  if (first == last || x1 - x0 < 1e-9) {
    const double inside = (x0 + x1) / 2 - first;
    m_row[static_cast<std::size_t>(first)] += static_cast<float>(share * (1 - inside));
    m_row[static_cast<std::size_t>(first) + 1] += static_cast<float>(share * inside);
    return;
  }
  const double slope = share / (x1 - x0);
  double at = x0;
  for (int x = first; x <= last; ++x) {
    const double end = std::min<double>(x + 1, x1);
    const double part = slope * (end - at);
    const double inside = (at + end) / 2 - x;
    m_row[static_cast<std::size_t>(x)] += static_cast<float>(part * (1 - inside));
    m_row[static_cast<std::size_t>(x) + 1] += static_cast<float>(part * inside);
    at = end;
  }
}

void Canvas::coverRow(std::span<const Vec2> polygon, int y, const Rows& rows) {
  std::fill(m_row.begin() + rows.left, m_row.begin() + rows.right + 3, 0.0F);
  Vec2 a = polygon.back();
  for (const Vec2 b : polygon) {
    const bool down = a.y < b.y;
    const Vec2 upper = down ? a : b, lower = down ? b : a;
    a = b;
    const double from = std::max<double>(upper.y, y), to = std::min<double>(lower.y, y + 1);
    if (from >= to) continue;
    const double slope = (lower.x - upper.x) / (lower.y - upper.y);
    coverEdge(upper.x + (from - upper.y) * slope, upper.x + (to - upper.y) * slope, down ? to - from : from - to, rows);
  }
}

std::span<const Vec2> Canvas::ellipse(Vec2 centre, double radiusX, double radiusY) {
  const auto add = [&](Vec2 p) { m_round.push_back({centre.x + radiusX * p.x, centre.y + radiusY * p.y}); };
  m_round.clear();
  if (radiusX > 40) {
    for (const Vec2 p : unitCircle<kFineSteps>()) add(p);
  } else {
    for (const Vec2 p : unitCircle<kRoundSteps>()) add(p);
  }
  return m_round;
}

void Canvas::stroke(Vec2 from, Vec2 to, double widthFrom, double widthTo, Colour colour, double opacity) {
  const Vec2 along = to - from;
  const double size = std::sqrt(along.x * along.x + along.y * along.y);
  if (size < 1e-6) {
    fill(ellipse(from, widthFrom / 2, widthFrom / 2), colour, opacity);
    return;
  }
  const Vec2 unit = along * (1 / size);
  constexpr int kHalf = kRoundSteps / 2;
  std::array<Vec2, kRoundSteps + 2> points;
  std::size_t count = 0;
  for (int side = 0; side < 2; ++side) {
    const Vec2 centre = side ? from : to;
    const double radius = (side ? widthFrom : widthTo) / 2;
    for (int i = 0; i <= kHalf; ++i) {  // a half circle from the right hand of the line over its end to the left hand
      const Vec2 p = unitCircle<kRoundSteps>()[static_cast<std::size_t>((i + kRoundSteps - kHalf / 2 + side * kHalf) %
                                                                        kRoundSteps)] *
                     radius;
      points[count++] = {centre.x + p.x * unit.x - p.y * unit.y, centre.y + p.x * unit.y + p.y * unit.x};
    }
  }
  fill(points, colour, opacity);
}

void Canvas::glow(Vec2 centre, double radius, Colour colour) {
  if (radius < 0.5) return;
  const int top = std::max(0, static_cast<int>(centre.y - radius)),
            bottom = std::min(height() - 1, static_cast<int>(centre.y + radius));
  const int left = std::max(0, static_cast<int>(centre.x - radius)),
            right = std::min(width() - 1, static_cast<int>(centre.x + radius));
  for (int y = top; y <= bottom; ++y) {
    for (int x = left; x <= right; ++x) {
      const double dx = (x + 0.5 - centre.x) / radius, dy = (y + 0.5 - centre.y) / radius;
      const double rest = 1 - dx * dx - dy * dy;
      if (rest <= 0) continue;
      std::uint8_t* p = m_image.row(y) + 3 * x;
      const auto strength = static_cast<float>(rest * rest * rest);
      p[0] = toByte(static_cast<float>(p[0]) + colour.r * strength);
      p[1] = toByte(static_cast<float>(p[1]) + colour.g * strength);
      p[2] = toByte(static_cast<float>(p[2]) + colour.b * strength);
    }
  }
}

}  // namespace roadtune::data::synth
