// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/image/image.h"

#include <cstdint>
#include <span>

namespace roadtune::data {

// Drop is Pillow's convert("RGB"): colours stay, alpha is thrown away. White puts the picture on white, as the
// image processors of transformers 5 do when they are asked to convert.
enum class AlphaPolicy { Drop, White };

// Pillow and the Hugging Face processors leave a picture as it is stored; viewers turn it by its EXIF tag.
enum class OrientationPolicy { Ignore, Apply };

struct DecodeOptions {
  AlphaPolicy alpha = AlphaPolicy::Drop;
  OrientationPolicy orientation = OrientationPolicy::Ignore;
  std::uint64_t maxPixels = 178'956'970;  // more is refused before memory is asked for; where Pillow sees an attack
};

// JPEG (also CMYK and gray), PNG (palette, alpha, 16 bits, interlaced) or WebP to RGB, bit-equal to
// Image.open(...).convert("RGB") of Pillow. A picture that ends early is an error that names it as truncated.
Result<Image> decodeImage(std::span<const std::uint8_t> bytes, const DecodeOptions& options = {});

// For looking only, never for training: a JPEG is decoded at the smallest of 1/1, 1/2, 1/4, 1/8 that is not below
// `width` x `height` and then averaged down, so that the picture fits the given size with its aspect kept. Never
// enlarges.
Result<Image> decodeThumbnail(std::span<const std::uint8_t> bytes, int width, int height);

// The averaging used by decodeThumbnail on a picture already decoded.
Image shrinkToFit(const Image& image, int width, int height);

}  // namespace roadtune::data
