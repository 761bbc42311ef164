// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image/jpeg_markers.h"

#include <algorithm>
#include <cstring>

namespace roadtune::data {

namespace {

constexpr int kStartOfImage = 0xd8, kEndOfImage = 0xd9, kStartOfScan = 0xda, kApp1 = 0xe1;

bool isFrameHeader(int marker) {
  return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}
bool standsAlone(int marker) { return marker == 0x01 || (marker >= 0xd0 && marker <= kEndOfImage); }

int big16(const std::uint8_t* at) { return at[0] << 8 | at[1]; }

// Numbers of a TIFF block in its own byte order, never outside it.
class TiffNumbers {
 public:
  explicit TiffNumbers(std::span<const std::uint8_t> bytes)
      : m_bytes(bytes), m_big(bytes.size() > 1 && bytes[0] == 'M') {}
  std::uint32_t number(std::size_t at, std::size_t size) const {
    if (at > m_bytes.size() || m_bytes.size() - at < size) return 0;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value = value << 8 | m_bytes[m_big ? at + i : at + size - 1 - i];
    return value;
  }

 private:
  std::span<const std::uint8_t> m_bytes;
  bool m_big;
};

int exifOrientation(std::span<const std::uint8_t> segment) {
  if (segment.size() < 14 || std::memcmp(segment.data(), "Exif\0\0", 6) != 0) return 1;
  const TiffNumbers tiff(segment.subspan(6));
  if (tiff.number(2, 2) != 42) return 1;
  const std::size_t directory = tiff.number(4, 4);
  const std::size_t entries = tiff.number(directory, 2);
  for (std::size_t i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + 12 * i;
    if (tiff.number(entry, 2) != 0x0112) continue;
    const auto value = static_cast<int>(tiff.number(entry + 8, 2));
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

// The position of the first marker code at or after `at`, stepping over entropy-coded data and fill bytes.
std::size_t findMarker(std::span<const std::uint8_t> bytes, std::size_t at) {
  while (at + 1 < bytes.size()) {
    const auto* found = static_cast<const std::uint8_t*>(std::memchr(bytes.data() + at, 0xff, bytes.size() - 1 - at));
    if (!found) return bytes.size();
    at = static_cast<std::size_t>(found - bytes.data()) + 1;
    const int code = bytes[at];
    if (code != 0 && code != 0xff && !(code >= 0xd0 && code <= 0xd7)) return at;
  }
  return bytes.size();
}

void readFrame(std::span<const std::uint8_t> segment, JpegMarkers& markers) {
  if (segment.size() < 6) {
    markers.problem = "the JPEG frame header is too short";
    return;
  }
  markers.height = big16(segment.data() + 1);
  markers.width = big16(segment.data() + 3);
  markers.components = segment[5];
  if (markers.width == 0 || markers.height == 0) markers.problem = "the JPEG says it has no pixels";
}

}  // namespace

JpegMarkers readJpegMarkers(std::span<const std::uint8_t> bytes) {
  JpegMarkers markers;
  if (bytes.size() < 3 || bytes[0] != 0xff || bytes[1] != kStartOfImage) {
    markers.problem = "is not a JPEG";
    return markers;
  }
  std::size_t at = 2;
  while ((at = findMarker(bytes, at)) < bytes.size()) {
    const int marker = bytes[at++];
    if (marker == kEndOfImage || marker == kStartOfScan) break;
    if (standsAlone(marker)) continue;
    if (bytes.size() - at < 2) break;
    const auto length = static_cast<std::size_t>(big16(bytes.data() + at));
    if (length < 2) break;
    const auto segment = bytes.subspan(at + 2, std::min(length - 2, bytes.size() - at - 2));
    if (marker == kApp1 && markers.orientation == 1) markers.orientation = exifOrientation(segment);
    if (isFrameHeader(marker)) {
      readFrame(segment, markers);
      return markers;
    }
    at += length;
    if (at >= bytes.size()) break;
  }
  markers.problem = "the JPEG ends before its frame header";
  return markers;
}

bool hasJpegEnd(std::span<const std::uint8_t> bytes) {
  std::size_t at = 2;
  while ((at = findMarker(bytes, at)) < bytes.size()) {
    const int marker = bytes[at++];
    if (marker == kEndOfImage) return true;
    if (standsAlone(marker) || bytes.size() - at < 2) continue;
    at += static_cast<std::size_t>(big16(bytes.data() + at));
    if (at >= bytes.size()) break;
  }
  return false;
}

}  // namespace roadtune::data
