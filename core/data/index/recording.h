// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/segment_info.h"
#include "core/data/index/vocabulary.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::data {

// One image as a reader hands it over. Its bytes lie either in one of the unit's files (file + offset + length),
// in the segment's blob (RecordingSink::storeBytes), or in a file of their own (external).
struct RecordedImage {
  static constexpr std::uint32_t kBlob = 0xffffffff, kExternal = 0xfffffffe, kNowhere = 0xfffffffd;  // see Segment

  std::int64_t timestamp = 0;  // microseconds; readers without time number their images 0, 1, 2 ...
  Camera camera = Camera::Unknown;
  std::uint32_t file = kNowhere;  // position in ImportUnit::files, or one of the constants
  std::uint64_t offset = 0;
  std::uint32_t length = 0;
  std::optional<std::uint32_t> crc = {};  // CRC-32C of the bytes, checked at every read; all images have it or none
  int width = 0, height = 0;              // 0: not known
  bool labelled = false;
  bool corrupt = false;             // the bytes are no picture
  std::uint32_t unread = 0;         // labels of it that could not be read: without any other it is not labelled
  std::vector<Box> boxes = {};      // type: position in Recording::classes
  std::vector<Box> projected = {};  // laser labels as the camera sees them; only where Recording::projected says so
  std::vector<Box> crowds = {};     // see Segment::crowdsOf; only where Recording::crowds says so
  std::string name = {};  // file name in the source; for kExternal the path (absolute, or relative to the unit)
  std::string prefix = {}, suffix = {};  // JSONL and VQA
};

// One segment as a reader hands it over; the importer sorts it and writes the columns.
struct Recording {
  std::string name, split, time, location, weather;
  std::string format;
  bool waymo = false;
  bool projected = false;  // the reader looked for laser labels in the pictures; an image without any has none
  bool crowds = false;     // the same of crowd regions
  std::vector<std::string> classes = {"unknown", "vehicle", "pedestrian", "sign", "cyclist"};
  std::vector<RecordedImage> images;
  std::string metaJson = {};  // a JSON object kept beside the columns (calibrations ...); may be empty
  // Where the vehicle was, per timestamp: x, y, z in metres. May be empty.
  std::map<std::int64_t, std::array<double, 3>> positions = {};
};

}  // namespace roadtune::data
