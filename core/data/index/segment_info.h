// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/vocabulary.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace roadtune::data {

// A file that images or labels were read from, as it was at import.
struct SourceFile {
  std::filesystem::path path;    // absolute
  std::filesystem::path nearby;  // relative to the index folder: tried when `path` is gone
  std::uint64_t size = 0;
  std::int64_t modified = 0;  // ns since 1970
  std::uint64_t fingerprint = 0;
};

// What holds for all images of a segment.
struct SegmentInfo {
  std::string name;
  std::string split;  // "training", "validation", "testing", or what the user gave; may be empty
  std::string time;   // "Day", "Night", "Dawn/Dusk"; empty when not known
  std::string location, weather;
  std::string format;                // "waymo-v1", "waymo-v2", "coco", "jsonl", "vqa"
  bool waymo = false;                // made from Waymo's data: licence and attribution travel with it
  std::filesystem::path base;        // that relative image names refer to
  std::filesystem::path nearbyBase;  // the same, relative to the index folder
  std::uint32_t frames = 0, images = 0, boxes = 0;
  std::vector<SourceFile> sources;
};

// A box in pixels of the stored image.
struct Box {
  double x = 0, y = 0, w = 0, h = 0;  // left, top, width, height
  std::uint8_t type = kUnknown;       // class number: Index::classNames
  std::uint8_t detectionLevel = 0;    // as stored; see cameraBoxLevel
  std::uint8_t trackingLevel = 0;
  std::string id = {};    // track id
  double statedArea = 0;  // as the source gives it, of a mask for instance; 0: that of the box
  double area() const { return statedArea > 0 ? statedArea : w * h; }
  // Does any of it lie in a picture of this size? 0: not known.
  bool showsIn(int width, int height) const {
    return w > 0 && h > 0 && x + w > 0 && y + h > 0 && (width <= 0 || x < width) && (height <= 0 || y < height);
  }
};

}  // namespace roadtune::data
