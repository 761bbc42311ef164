// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image/codecs.h"

#include <webp/decode.h>

namespace roadtune::data {

Result<Image> decodeWebp(std::span<const std::uint8_t> bytes, const ImageHeader& header, AlphaPolicy alpha) {
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(bytes.data(), bytes.size(), &features) != VP8_STATUS_OK)
    return badInput("the WebP header is damaged or truncated");
  if (features.has_animation) return badInput("the WebP is an animation", "", "extract the frames as single pictures");
  Image image(header.width, header.height);
  const bool throughAlpha = features.has_alpha && alpha == AlphaPolicy::White;
  if (!throughAlpha) {
    if (WebPDecodeRGBInto(bytes.data(), bytes.size(), image.pixels.data(), image.pixels.size(),
                          static_cast<int>(image.rowBytes())))
      return image;
    return badInput("the WebP is damaged or truncated");
  }
  const std::size_t pixels = image.pixels.size() / 3;
  std::vector<std::uint8_t> rgba(4 * pixels);
  if (!WebPDecodeRGBAInto(bytes.data(), bytes.size(), rgba.data(), rgba.size(), 4 * header.width))
    return badInput("the WebP is damaged or truncated");
  dropAlpha(rgba.data(), pixels, alpha, image.pixels.data());
  return image;
}

}  // namespace roadtune::data
