// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/recording_reader.h"

namespace roadtune::data {

// Pascal VOC: an XML file per picture, in Annotations beside JPEGImages or with its picture. `difficult` objects are of
// level 2. One segment per folder, or one for each split where ImageSets/Main has train.txt, val.txt and test.txt.
class VocRecordings : public RecordingReader {
 public:
  std::string format() const override { return "voc"; }
  Result<std::vector<ImportUnit>> discover(const std::filesystem::path& path) const override;
  Status read(const ImportUnit& unit, RecordingSink& sink) const override;
};

}  // namespace roadtune::data
