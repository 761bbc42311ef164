// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/synth/sink.h"

#include <filesystem>
#include <memory>
#include <string>

namespace roadtune::data {

struct WaymoV2WriteOptions {
  std::string split = "training";
  std::string codec = "brotli";  // none, brotli, snappy, zstd, gzip
  int imageRowGroup = 250;       // rows of a row group in camera_image
};

// <root>/<split>/<component>/<context>.parquet for camera_image, camera_box, projected_lidar_box, lidar_box,
// camera_to_lidar_box_association, camera_calibration, stats and vehicle_pose, with the columns of the release.
Result<std::unique_ptr<SynthSink>> makeWaymoV2Sink(const std::filesystem::path& root,
                                                   const WaymoV2WriteOptions& options = {});

}  // namespace roadtune::data
