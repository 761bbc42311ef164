// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image/codecs.h"

#include <webp/decode.h>

#include <cstring>
#include <vector>

namespace roadtune::data {

namespace {

std::uint32_t little(const std::uint8_t* at, std::size_t bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes; i > 0; --i) value = value << 8 | at[i - 1];
  return value;
}

// What the first frame of an animation shows, and where: in ANMF lie left and top, halved, three numbers that the
// picture tells as well, flags, and after these 16 bytes the frame as a WebP of its own without the RIFF around it.
struct FirstFrame {
  std::span<const std::uint8_t> bytes;
  int left = 0, top = 0;
};

Result<FirstFrame> findFirstFrame(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t kRiff = 12, kChunk = 8, kFrame = 16;
  const bool whole = bytes.size() >= kRiff && little(&bytes[4], 4) <= bytes.size() - kChunk;
  for (std::size_t at = kRiff; whole && at + kChunk <= bytes.size();) {
    const std::size_t size = little(&bytes[at + 4], 4), begin = at + kChunk;
    if (size > bytes.size() - begin) break;
    if (size >= kFrame && std::memcmp(&bytes[at], "ANMF", 4) == 0)
      return FirstFrame{bytes.subspan(begin + kFrame, size - kFrame), 2 * static_cast<int>(little(&bytes[begin], 3)),
                        2 * static_cast<int>(little(&bytes[begin + 3], 3))};
    at = begin + size + size % 2;
  }
  return badInput("the WebP is damaged or truncated");
}

// As Pillow opens it: the first frame, and nothing where it does not reach.
Result<Image> decodeAnimated(std::span<const std::uint8_t> bytes, const ImageHeader& header, AlphaPolicy alpha) {
  ROADTUNE_TRY(const FirstFrame frame, findFirstFrame(bytes));
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(frame.bytes.data(), frame.bytes.size(), &features) != VP8_STATUS_OK ||
      features.width > header.width - frame.left || features.height > header.height - frame.top)
    return badInput("the WebP is damaged or truncated");
  Image image(header.width, header.height);
  const std::size_t pixels = image.pixels.size() / 3, row = 4 * static_cast<std::size_t>(header.width);
  std::vector<std::uint8_t> canvas(4 * pixels);
  const std::size_t first = static_cast<std::size_t>(frame.top) * row + 4 * static_cast<std::size_t>(frame.left);
  if (!WebPDecodeRGBAInto(frame.bytes.data(), frame.bytes.size(), canvas.data() + first, canvas.size() - first,
                          static_cast<int>(row)))
    return badInput("the WebP is damaged or truncated");
  WebPBitstreamFeatures whole;
  const bool seeThrough = WebPGetFeatures(bytes.data(), bytes.size(), &whole) == VP8_STATUS_OK && whole.has_alpha;
  dropAlpha(canvas.data(), pixels, seeThrough ? alpha : AlphaPolicy::Drop, image.pixels.data());
  return image;
}

}  // namespace

Result<Image> decodeWebp(std::span<const std::uint8_t> bytes, const ImageHeader& header, AlphaPolicy alpha) {
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(bytes.data(), bytes.size(), &features) != VP8_STATUS_OK)
    return badInput("the WebP header is damaged or truncated");
  if (features.has_animation) return decodeAnimated(bytes, header, alpha);
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
