// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace roadtune::data {

// A picture in memory: 8-bit RGB, interleaved, rows from top to bottom without padding.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> pixels;  // 3 * width * height

  Image() = default;
  Image(int w, int h) : width(w), height(h), pixels(3 * static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}

  bool empty() const { return pixels.empty(); }
  std::size_t rowBytes() const { return 3 * static_cast<std::size_t>(width); }
  std::uint8_t* row(int y) { return pixels.data() + rowBytes() * static_cast<std::size_t>(y); }
  const std::uint8_t* row(int y) const { return pixels.data() + rowBytes() * static_cast<std::size_t>(y); }
  bool operator==(const Image&) const = default;
};

// The bytes of a string, for the functions that take encoded pictures or records.
inline std::span<const std::uint8_t> asBytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace roadtune::data
