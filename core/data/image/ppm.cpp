// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image/codecs.h"
#include "core/data/image/encode.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

namespace roadtune::data {

namespace {

constexpr int kLargestPpmSide = 65500;

struct PpmPlaces {
  int width = 0, height = 0;
  std::size_t pixels = 0;  // where they begin; 0: no sound header
};

// Only the form that encodePpm writes: "P6\nW H\n255\n".
PpmPlaces findPpmPlaces(std::span<const std::uint8_t> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), std::min<std::size_t>(bytes.size(), 32));
  const std::size_t space = text.find(' '), line = text.find('\n', 3);
  if (space == text.npos || line == text.npos || line < space || text.substr(line, 5) != "\n255\n") return {};
  PpmPlaces places;
  const auto number = [](std::string_view digits, int& value) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size() && value > 0 && value <= kLargestPpmSide;
  };
  if (!number(text.substr(3, space - 3), places.width)) return {};
  if (!number(text.substr(space + 1, line - space - 1), places.height)) return {};
  places.pixels = line + 5;
  return places;
}

}  // namespace

Result<ImageHeader> readPpmHeader(std::span<const std::uint8_t> bytes) {
  const PpmPlaces places = findPpmPlaces(bytes);
  if (places.pixels == 0) return badInput("the PPM header is damaged, or not of 8-bit RGB");
  return ImageHeader{ImageFormat::Ppm, places.width, places.height, 1};
}

Result<Image> decodePpm(std::span<const std::uint8_t> bytes, const ImageHeader& header) {
  const std::size_t begin = findPpmPlaces(bytes).pixels;
  const std::size_t wanted = 3 * static_cast<std::size_t>(header.width) * static_cast<std::size_t>(header.height);
  if (bytes.size() - begin < wanted)
    return badInput(fmt::format("the PPM is truncated: {} of {} bytes of pixels", bytes.size() - begin, wanted));
  Image image;
  image.width = header.width;
  image.height = header.height;
  image.pixels.assign(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                      bytes.begin() + static_cast<std::ptrdiff_t>(begin + wanted));
  return image;
}

std::string encodePpm(const Image& image) {
  std::string bytes = fmt::format("P6\n{} {}\n255\n", image.width, image.height);
  bytes.append(reinterpret_cast<const char*>(image.pixels.data()), image.pixels.size());
  return bytes;
}

}  // namespace roadtune::data
