// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace roadtune::data {

// One row per image, sorted by timestamp, then camera. 36 bytes.
struct ImageColumns {
  std::span<const std::int64_t> timestamp;  // microseconds
  std::span<const std::uint64_t> offset;    // of the encoded bytes in their file
  std::span<const std::uint32_t> length;    // 0: the whole file
  std::span<const std::uint32_t> source;    // which of Segment::sourceFiles, or Segment::kInBlob, kExternal
  std::span<const std::uint32_t> boxStart;  // count + 1 entries: boxes of row i are [boxStart[i], boxStart[i + 1])
  std::span<const std::uint16_t> frame;     // position of the frame in the segment; the last number for all beyond it
  std::span<const std::uint16_t> width, height;  // pixels; 0 when not known
  std::span<const std::uint8_t> camera;
  std::span<const std::uint8_t> flags;
  std::span<const std::uint32_t> crc;  // CRC-32C of the encoded bytes; empty where nobody kept it

  std::size_t size() const { return timestamp.size(); }
};

enum ImageFlag : std::uint8_t {
  kLabelled = 1,      // somebody looked: no box means "nothing there"
  kImageMissing = 2,  // labels or metadata only, no bytes
  kImageCorrupt = 4,  // the bytes do not begin as an image of a known kind
};

// One row per box. 14 bytes that filters read, and 8 that only exports read.
// A value in pixels is origin + quantum * (stored + fine / 65536); quantum is 1/32 and origin 0 for Waymo's images.
struct BoxColumns {
  std::span<const std::uint16_t> x, y, w, h;  // left, top, width, height
  std::span<const std::uint8_t> type;         // class number of this segment: Segment::classOf
  std::span<const std::uint8_t> level;        // bits 0-1 detection, bits 2-3 tracking difficulty as stored in the data
  std::span<const std::uint32_t> track;       // which id: Segment::trackId
  std::span<const std::int16_t> fineX, fineY, fineW, fineH;
  std::span<const double> area;           // Box::statedArea; empty where no box has one
  double origin = 0, quantum = 1.0 / 32;  // origin counts for x and y only

  std::size_t size() const { return x.size(); }
};

// Further boxes of the images, in pixels; beside the boxes and no part of them.
template <class Number>
struct SideColumns {
  std::span<const std::uint32_t> start;  // as boxStart; empty where nobody looked for them
  std::span<const Number> x, y, w, h;
  std::span<const std::uint8_t> type;
};

}  // namespace roadtune::data
