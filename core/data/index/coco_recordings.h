// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/recording_reader.h"

namespace roadtune::data {

// COCO detection files: one segment per file, or, when the images carry `segment`, `timestamp_micros` and `camera` (as
// our own exports do), one per named segment. Images of a file without `annotations` are not labelled.
class CocoRecordings : public RecordingReader {
 public:
  std::string format() const override { return "coco"; }
  Result<std::vector<ImportUnit>> discover(const std::filesystem::path& path) const override;
  Status read(const ImportUnit& unit, RecordingSink& sink) const override;
};

}  // namespace roadtune::data
