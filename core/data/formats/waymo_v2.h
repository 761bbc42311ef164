// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/records/waymo_types.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::data {

// The files of one segment below a v2 root: <root>/<split>/<component>/<context>.parquet.
struct WaymoV2Segment {
  std::string context;
  std::string split;
  std::map<std::string, std::filesystem::path> components;  // "camera_image" -> file

  bool has(const std::string& component) const { return components.contains(component); }
};

// Every segment below `root`, which may be the root itself, one split of it, or a folder of splits; sorted by split
// and context. Nothing is opened. Not a v2 root: an empty list.
std::vector<WaymoV2Segment> findWaymoV2Segments(const std::filesystem::path& root);

// Everything of a segment but its pictures, joined by keys, never by position: one frame per timestamp that any
// component names, in order of time. Labels lie in cameraLabels when a camera_box file could be read: every image of
// the segment is then labelled, with an empty list where the file has no row. Missing component files leave their part
// empty; unreadable ones do too and are named in `problems`.
struct WaymoV2Labels {
  std::vector<WaymoFrame> frames;  // images[] hold what camera_image says without offset and size
  std::vector<WaymoCalibration> calibrations;
  bool labelled = false;              // a readable camera_box file was there
  std::vector<std::string> problems;  // "path: what; what was done"
};
Result<WaymoV2Labels> readWaymoV2Labels(const WaymoV2Segment& segment);

// One row of camera_image. The bytes live during the call only.
struct WaymoV2Image {
  std::string_view context;
  std::int64_t timestampMicros = 0;
  int camera = 0;
  std::span<const std::uint8_t> jpeg;
};

// Streams a camera_image file row group by row group, in file order; `visit` returns false to stop. Memory: one row
// group.
Status forEachWaymoV2Image(const std::filesystem::path& file, const std::function<bool(const WaymoV2Image&)>& visit);

}  // namespace roadtune::data
