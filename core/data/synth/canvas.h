// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/image/image.h"
#include "core/data/synth/colour.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace roadtune::data::synth {

// Anti-aliased polygons on an RGB picture, by the exact share of each pixel that they cover. Beside the colours it
// keeps, for every pixel, the number of the object seen there, so that boxes can be taken of what is visible.
class Canvas {
 public:
  Canvas(int width, int height)
      : m_image(width, height), m_objects(image().pixels.size() / 3, 0), m_row(static_cast<std::size_t>(width) + 2) {}

  const Image& image() const { return m_image; }
  Image take() { return std::move(m_image); }
  int width() const { return m_image.width; }
  int height() const { return m_image.height; }

  // What is drawn from now on belongs to this object; 0 is scenery. Pixels of an object are counted once.
  void beginObject(std::uint16_t object) {
    m_object = object;
    m_drawn = 0;
  }
  std::uint64_t pixelsDrawn() const { return m_drawn; }
  std::span<const std::uint16_t> objectRow(int y) const {
    return {m_objects.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width()),
            static_cast<std::size_t>(width())};
  }

  // `colourAt(x, y)` gives the colour at a pixel; `opacity` below 1 lets what lies behind shine through, and leaves the
  // pixel to its object.
  template <class ColourAt>
  void fill(std::span<const Vec2> polygon, ColourAt&& colourAt, double opacity = 1);
  void fill(std::span<const Vec2> polygon, Colour colour, double opacity = 1) {
    fill(
        polygon, [colour](int, int) { return colour; }, opacity);
  }

  // A line with round ends whose thickness may differ at the two ends.
  void stroke(Vec2 from, Vec2 to, double widthFrom, double widthTo, Colour colour, double opacity = 1);
  void disc(Vec2 centre, double radiusX, double radiusY, Colour colour) {
    fill(ellipse(centre, radiusX, radiusY), colour);
  }
  template <class ColourAt>
  void disc(Vec2 centre, double radiusX, double radiusY, ColourAt&& colour) {
    fill(ellipse(centre, radiusX, radiusY), std::forward<ColourAt>(colour));
  }

  // Light that adds up: `colour` in the middle, nothing at the rim.
  void glow(Vec2 centre, double radius, Colour colour);

  // Every pixel of a rectangle, without edges: sky and ground.
  void put(int x, int y, Colour colour) { blend(x, y, colour, 1.0F); }

  // The part of a pixel that must be covered for it to belong to the object. Below one half, so that thin things that
  // lie across two rows of pixels are not lost.
  static constexpr float kOwnedShare = 0.35F;

 private:
  struct Rows {
    int first = 0, last = -1;  // rows touched
    int left = 0, right = -1;  // columns touched
  };
  std::span<const Vec2> ellipse(Vec2 centre, double radiusX, double radiusY);
  Rows rowsOf(std::span<const Vec2> polygon) const;
  void coverRow(std::span<const Vec2> polygon, int y, const Rows& rows);
  void coverEdge(double x0, double x1, double share, const Rows& rows);
  void claim(int x, int y) {
    auto& owner =
        m_objects[static_cast<std::size_t>(y) * static_cast<std::size_t>(width()) + static_cast<std::size_t>(x)];
    if (owner == m_object) return;
    owner = m_object;
    ++m_drawn;
  }
  static std::uint8_t toByte(float value) {
    return static_cast<std::uint8_t>(value <= 0 ? 0 : value >= 255 ? 255 : static_cast<int>(value + 0.5F));
  }
  void blend(int x, int y, Colour colour, float share) {
    std::uint8_t* p = m_image.row(y) + 3 * x;
    p[0] = toByte(static_cast<float>(p[0]) + (colour.r - static_cast<float>(p[0])) * share);
    p[1] = toByte(static_cast<float>(p[1]) + (colour.g - static_cast<float>(p[1])) * share);
    p[2] = toByte(static_cast<float>(p[2]) + (colour.b - static_cast<float>(p[2])) * share);
  }

  Image m_image;
  std::vector<std::uint16_t> m_objects;
  std::vector<float> m_row;  // signed cover of the row at hand; its running sum is the cover of a pixel
  std::vector<Vec2> m_round;
  std::uint16_t m_object = 0;
  std::uint64_t m_drawn = 0;
};

template <class ColourAt>
void Canvas::fill(std::span<const Vec2> polygon, ColourAt&& colourAt, double opacity) {
  const Rows rows = rowsOf(polygon);
  for (int y = rows.first; y <= rows.last; ++y) {
    coverRow(polygon, y, rows);
    float sum = 0;
    for (int x = rows.left; x <= rows.right; ++x) {
      sum += m_row[static_cast<std::size_t>(x)];
      const float share = std::min(sum < 0 ? -sum : sum, 1.0F);
      if (share < 1.0F / 512) continue;
      blend(x, y, colourAt(x, y), share * static_cast<float>(opacity));
      if (share >= kOwnedShare && opacity > 0.9) claim(x, y);
    }
  }
}

}  // namespace roadtune::data::synth
