// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image/image_header.h"

#include "core/data/image/jpeg_markers.h"

#include <webp/decode.h>

#include <cstring>

namespace roadtune::data {

namespace {

constexpr std::uint8_t kPngMagic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

std::uint32_t big32(const std::uint8_t* at) {
  return static_cast<std::uint32_t>(at[0]) << 24 | static_cast<std::uint32_t>(at[1]) << 16 |
         static_cast<std::uint32_t>(at[2]) << 8 | at[3];
}

Result<ImageHeader> readPngHeader(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < 29 || std::memcmp(bytes.data() + 12, "IHDR", 4) != 0)
    return badInput("the PNG is truncated: it ends before its header");
  const std::uint32_t width = big32(bytes.data() + 16), height = big32(bytes.data() + 20);
  if (width == 0 || height == 0) return badInput("the PNG says it has no pixels");
  if (width > 0x7fffffff || height > 0x7fffffff) return badInput("the PNG has an impossible size");
  return ImageHeader{ImageFormat::Png, static_cast<int>(width), static_cast<int>(height), 1};
}

Result<ImageHeader> readWebpHeader(std::span<const std::uint8_t> bytes) {
  ImageHeader header{ImageFormat::Webp, 0, 0, 1};
  if (!WebPGetInfo(bytes.data(), bytes.size(), &header.width, &header.height))
    return badInput("the WebP header is damaged or truncated");
  return header;
}

}  // namespace

ImageFormat sniffImageFormat(std::span<const std::uint8_t> bytes) {
  if (bytes.size() >= 3 && bytes[0] == 0xff && bytes[1] == 0xd8 && bytes[2] == 0xff) return ImageFormat::Jpeg;
  if (bytes.size() >= 8 && std::memcmp(bytes.data(), kPngMagic, 8) == 0) return ImageFormat::Png;
  if (bytes.size() >= 12 && std::memcmp(bytes.data(), "RIFF", 4) == 0 && std::memcmp(bytes.data() + 8, "WEBP", 4) == 0)
    return ImageFormat::Webp;
  if (bytes.size() >= 3 && bytes[0] == 'P' && bytes[1] == '6' && bytes[2] == '\n') return ImageFormat::Ppm;
  return ImageFormat::Unknown;
}

Result<ImageHeader> readJpegHeader(std::span<const std::uint8_t> bytes) {
  const JpegMarkers markers = readJpegMarkers(bytes);
  if (markers.problem) return badInput(markers.problem);
  return ImageHeader{ImageFormat::Jpeg, markers.width, markers.height, markers.orientation};
}

Result<ImageHeader> readImageHeader(std::span<const std::uint8_t> bytes) {
  switch (sniffImageFormat(bytes)) {
    case ImageFormat::Jpeg: return readJpegHeader(bytes);
    case ImageFormat::Png: return readPngHeader(bytes);
    case ImageFormat::Webp: return readWebpHeader(bytes);
    case ImageFormat::Ppm: return readPpmHeader(bytes);
    case ImageFormat::Unknown: break;
  }
  if (bytes.empty()) return badInput("the picture is empty (0 bytes)");
  return badInput("is no JPEG, PNG or WebP picture", "", "convert it to one of these formats");
}

}  // namespace roadtune::data
