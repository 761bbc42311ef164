// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/image/decode.h"
#include "core/data/image/image_header.h"

namespace roadtune::data {

// One decoder per format; the header is already read and its size allowed.
Result<Image> decodeJpeg(std::span<const std::uint8_t> bytes, const ImageHeader& header);
Result<Image> decodeJpegScaled(std::span<const std::uint8_t> bytes, const ImageHeader& header, int denominator);
Result<Image> decodePng(std::span<const std::uint8_t> bytes, const ImageHeader& header, AlphaPolicy alpha);
Result<Image> decodeWebp(std::span<const std::uint8_t> bytes, const ImageHeader& header, AlphaPolicy alpha);

Result<Image> decodePpm(std::span<const std::uint8_t> bytes, const ImageHeader& header);

// RGBA (4 bytes a pixel) to RGB by the policy.
void dropAlpha(const std::uint8_t* rgba, std::size_t pixels, AlphaPolicy alpha, std::uint8_t* rgb);

// The picture as EXIF orientation 1..8 wants it shown.
Image oriented(Image image, int orientation);

}  // namespace roadtune::data
