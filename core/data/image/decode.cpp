// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image/decode.h"

#include "core/data/image/codecs.h"
#include "core/data/image/image_header.h"

#include <fmt/format.h>

namespace roadtune::data {

namespace {

Result<ImageHeader> allowedHeader(std::span<const std::uint8_t> bytes, std::uint64_t maxPixels) {
  ROADTUNE_TRY(const ImageHeader header, readImageHeader(bytes));
  const auto pixels = static_cast<std::uint64_t>(header.width) * static_cast<std::uint64_t>(header.height);
  if (pixels > maxPixels)
    return badInput(fmt::format("the picture claims {} x {} pixels, more than the limit of {}", header.width,
                                header.height, maxPixels),
                    "", "it looks like a decompression bomb; scale the picture down if it is real");
  return header;
}

}  // namespace

void dropAlpha(const std::uint8_t* rgba, std::size_t pixels, AlphaPolicy alpha, std::uint8_t* rgb) {
  for (std::size_t i = 0; i < pixels; ++i, rgba += 4, rgb += 3) {
    const unsigned cover = alpha == AlphaPolicy::White ? rgba[3] : 255;
    for (int c = 0; c < 3; ++c) {
      const unsigned sum = rgba[c] * cover + 255 * (255 - cover) + 128;
      rgb[c] = static_cast<std::uint8_t>((sum + (sum >> 8)) >> 8);
    }
  }
}

Result<Image> decodeImage(std::span<const std::uint8_t> bytes, const DecodeOptions& options) {
  ROADTUNE_TRY(const ImageHeader header, allowedHeader(bytes, options.maxPixels));
  switch (header.format) {
    case ImageFormat::Jpeg: {
      ROADTUNE_TRY(Image image, decodeJpeg(bytes, header));
      return options.orientation == OrientationPolicy::Apply ? oriented(std::move(image), header.orientation)
                                                             : std::move(image);
    }
    case ImageFormat::Png: return decodePng(bytes, header, options.alpha);
    case ImageFormat::Webp: return decodeWebp(bytes, header, options.alpha);
    case ImageFormat::Ppm: return decodePpm(bytes, header);
    case ImageFormat::Unknown: break;
  }
  return badInput("is no JPEG, PNG or WebP picture");
}

Result<Image> decodeThumbnail(std::span<const std::uint8_t> bytes, int width, int height) {
  if (width < 1 || height < 1) return badInput(fmt::format("a thumbnail cannot have {} x {} pixels", width, height));
  ROADTUNE_TRY(const ImageHeader header, allowedHeader(bytes, DecodeOptions{}.maxPixels));
  if (header.format != ImageFormat::Jpeg) {
    ROADTUNE_TRY(const Image image, decodeImage(bytes));
    return shrinkToFit(image, width, height);
  }
  int denominator = 1;
  while (denominator < 8 && header.width / (2 * denominator) >= width && header.height / (2 * denominator) >= height)
    denominator *= 2;
  ROADTUNE_TRY(const Image image, decodeJpegScaled(bytes, header, denominator));
  return shrinkToFit(image, width, height);
}

}  // namespace roadtune::data
