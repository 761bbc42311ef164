// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <span>

namespace roadtune::data {

// What the marker segments of a JPEG say. `problem` is null when the frame header was found and makes sense.
struct JpegMarkers {
  int width = 0;
  int height = 0;
  int components = 0;
  int orientation = 1;
  const char* problem = nullptr;
};

JpegMarkers readJpegMarkers(std::span<const std::uint8_t> bytes);

// Whether the end-of-image marker follows the last scan: without it the file was cut.
bool hasJpegEnd(std::span<const std::uint8_t> bytes);

}  // namespace roadtune::data
