// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/formats/waymo_v2.h"
#include "core/data/index/split_names.h"

#include <algorithm>
#include <array>
#include <set>

namespace roadtune::data {

namespace fs = std::filesystem;

namespace {

// Folders of these names, holding Parquet files, make a split.
constexpr std::array<std::string_view, 17> kV2Components = {"camera_image",
                                                            "camera_box",
                                                            "camera_calibration",
                                                            "camera_segmentation",
                                                            "camera_hkp",
                                                            "camera_to_lidar_box_association",
                                                            "projected_lidar_box",
                                                            "lidar_box",
                                                            "lidar_camera_synced_box",
                                                            "lidar_calibration",
                                                            "lidar",
                                                            "lidar_pose",
                                                            "lidar_camera_projection",
                                                            "lidar_segmentation",
                                                            "lidar_hkp",
                                                            "stats",
                                                            "vehicle_pose"};

bool isComponent(const fs::path& folder) {
  return std::find(kV2Components.begin(), kV2Components.end(), folder.filename().string()) != kV2Components.end();
}

std::vector<fs::path> foldersIn(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code code;
  for (fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, code), end; !code && it != end;
       it.increment(code))
    if (std::error_code inner; it->is_directory(inner)) out.push_back(it->path());
  std::sort(out.begin(), out.end());
  return out;
}

// Below the folder that was given, one that means no known split is a split of its own name.
std::string splitOfContext(const fs::path& file, const fs::path& split, const fs::path& root) {
  std::string known = splitOfWaymoFile(file, root);
  return known.empty() && split != root ? split.filename().string() : known;
}

void addSplit(const fs::path& split, const fs::path& root,
              std::map<std::pair<std::string, std::string>, WaymoV2Segment>& found) {
  for (const fs::path& component : foldersIn(split)) {
    if (!isComponent(component)) continue;
    std::error_code code;
    for (fs::directory_iterator it(component, code), end; !code && it != end; it.increment(code)) {
      if (it->path().extension() != ".parquet") continue;
      const std::string context = it->path().stem().string();
      WaymoV2Segment& segment = found[{split.string(), context}];
      segment.context = context;
      segment.split = splitOfContext(it->path(), split, root);
      segment.components[component.filename().string()] = it->path();
    }
  }
}

bool isSplit(const fs::path& folder) {
  const auto below = foldersIn(folder);
  return std::any_of(below.begin(), below.end(), isComponent);
}

}  // namespace

std::vector<WaymoV2Segment> findWaymoV2Segments(const fs::path& given) {
  const fs::path normal = fs::absolute(given).lexically_normal();
  const fs::path root = normal.has_filename() ? normal : normal.parent_path();
  std::map<std::pair<std::string, std::string>, WaymoV2Segment> found;
  if (isSplit(root)) {
    addSplit(root, root, found);
  } else {
    for (const fs::path& folder : foldersIn(root)) {
      if (isSplit(folder)) addSplit(folder, root, found);
      for (const fs::path& deeper : foldersIn(folder))
        if (!isSplit(folder) && isSplit(deeper)) addSplit(deeper, root, found);
    }
  }
  std::vector<WaymoV2Segment> out;
  for (auto& [key, segment] : found) out.push_back(std::move(segment));
  return out;
}

}  // namespace roadtune::data
