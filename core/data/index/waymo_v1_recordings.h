// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/recording_reader.h"

namespace roadtune::data {

// Waymo v1: TFRecord files of Frame messages. Pictures stay where they are; labels are read, lidar bytes are not.
class WaymoV1Recordings : public RecordingReader {
 public:
  std::string format() const override { return "waymo-v1"; }
  Result<std::vector<ImportUnit>> discover(const std::filesystem::path& path) const override;
  Status read(const ImportUnit& unit, RecordingSink& sink) const override;
};

}  // namespace roadtune::data
