// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image/codecs.h"
#include "core/data/image/png_reader.h"

#include <algorithm>

namespace roadtune::data {

namespace {

// Pillow opens gray of 16 bits as numbers and clips them to 8 bits; everywhere else the low byte is thrown away.
void clipGray16(const PngSamples& png, Image& image) {
  for (std::size_t i = 0; i < image.pixels.size() / 3; ++i) {
    const std::uint8_t level = png.samples[2 * i] ? 255 : png.samples[2 * i + 1];
    std::fill_n(&image.pixels[3 * i], 3, level);
  }
}

// The 8-bit value of sample `c` of pixel `i`, with gray of few bits spread over the whole range.
class SampleReader {
 public:
  explicit SampleReader(const PngSamples& png)
      : m_data(png.samples.data()),
        m_channels(static_cast<std::size_t>(png.channels())),
        m_bytes(png.depth == 16 ? 2 : 1),
        m_factor(png.colour == PngColour::Gray && png.depth < 8 ? 255 / ((1 << png.depth) - 1) : 1) {}
  std::uint8_t operator()(std::size_t i, std::size_t c) const {
    return static_cast<std::uint8_t>(m_data[(i * m_channels + c) * m_bytes] * m_factor);
  }

 private:
  const std::uint8_t* m_data;
  std::size_t m_channels, m_bytes;
  int m_factor;
};

std::array<std::uint8_t, 4> pixelOf(const PngSamples& png, const SampleReader& sample, std::size_t i) {
  switch (png.colour) {
    case PngColour::Palette: return png.palette[sample(i, 0)];
    case PngColour::Gray: return {sample(i, 0), sample(i, 0), sample(i, 0), 255};
    case PngColour::GrayAlpha: return {sample(i, 0), sample(i, 0), sample(i, 0), sample(i, 1)};
    case PngColour::Rgb: return {sample(i, 0), sample(i, 1), sample(i, 2), 255};
    case PngColour::Rgba: return {sample(i, 0), sample(i, 1), sample(i, 2), sample(i, 3)};
  }
  return {};
}

}  // namespace

Result<Image> decodePng(std::span<const std::uint8_t> bytes, const ImageHeader& header, AlphaPolicy alpha) {
  ROADTUNE_TRY(const PngSamples png, readPng(bytes));
  Image image(header.width, header.height);
  if (png.colour == PngColour::Gray && png.depth == 16) {
    clipGray16(png, image);
    return image;
  }
  const SampleReader sample(png);
  std::uint8_t* out = image.pixels.data();
  for (std::size_t i = 0; i < image.pixels.size() / 3; ++i, out += 3) {
    auto pixel = pixelOf(png, sample, i);
    if (png.transparent && std::array<int, 3>{pixel[0], pixel[1], pixel[2]} == *png.transparent) pixel[3] = 0;
    dropAlpha(pixel.data(), 1, alpha, out);
  }
  return image;
}

}  // namespace roadtune::data
