// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <span>

namespace roadtune::data {

// Ppm: raw RGB after a line of text, as packs of ready-made pictures hold them.
enum class ImageFormat { Unknown, Jpeg, Png, Webp, Ppm };

// What an encoded picture says about itself before any pixel is decoded.
struct ImageHeader {
  ImageFormat format = ImageFormat::Unknown;
  int width = 0;  // as stored: EXIF orientation not applied
  int height = 0;
  int orientation = 1;  // EXIF 1..8; 1 when absent or broken (JPEG only)
};

// By the first bytes only, never by a file name.
ImageFormat sniffImageFormat(std::span<const std::uint8_t> bytes);

// Sizes without decoding: a JPEG costs the walk over its marker segments. The bytes may be cut after the header.
Result<ImageHeader> readImageHeader(std::span<const std::uint8_t> bytes);
Result<ImageHeader> readJpegHeader(std::span<const std::uint8_t> bytes);
Result<ImageHeader> readPpmHeader(std::span<const std::uint8_t> bytes);

}  // namespace roadtune::data
