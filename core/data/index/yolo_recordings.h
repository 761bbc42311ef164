// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/recording_reader.h"

namespace roadtune::data {

// Ultralytics folders: a data.yaml with names and the pictures of each split; boxes in labels/NAME.txt as shares of
// then// picture. One segment per split. A picture without a label file is not labelled; an empty file says that
// nothing isn// there.
class YoloRecordings : public RecordingReader {
 public:
  std::string format() const override { return "yolo"; }
  Result<std::vector<ImportUnit>> discover(const std::filesystem::path& path) const override;
  Status read(const ImportUnit& unit, RecordingSink& sink) const override;
};

}  // namespace roadtune::data
