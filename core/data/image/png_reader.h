// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace roadtune::data {

enum class PngColour : int { Gray = 0, Rgb = 2, Palette = 3, GrayAlpha = 4, Rgba = 6 };

// The samples of a PNG as they lie in the file, after unpacking to whole bytes: one byte a sample, or two (big endian)
// at depth 16. Nothing is scaled or mapped.
struct PngSamples {
  int width = 0, height = 0, depth = 0;
  PngColour colour = PngColour::Gray;
  std::vector<std::uint8_t> samples;
  std::array<std::array<std::uint8_t, 4>, 256> palette{};  // RGBA; entries the file does not set are black and opaque
  std::optional<std::array<int, 3>> transparent;           // gray level (thrice) or colour that counts as transparent

  int channels() const;
};

Result<PngSamples> readPng(std::span<const std::uint8_t> bytes);

}  // namespace roadtune::data
