// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/recording_reader.h"

#include <string>
#include <string_view>

namespace roadtune::data {

// The class of a type of KITTI.
std::string kittiClass(std::string_view type);

// KITTI object folders: label_2/NAME.txt and image_2/NAME.png. Cars, vans and trucks become vehicles, DontCare
// a crowd of every class (crowdIsOf). Pictures of testing/image_2 without labels are not labelled. One segment per
// folder.
class KittiRecordings : public RecordingReader {
 public:
  std::string format() const override { return "kitti"; }
  Result<std::vector<ImportUnit>> discover(const std::filesystem::path& path) const override;
  Status read(const ImportUnit& unit, RecordingSink& sink) const override;
};

}  // namespace roadtune::data
