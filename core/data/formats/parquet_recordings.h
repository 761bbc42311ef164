// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/recording_reader.h"

namespace roadtune::data {

// Waymo v2: one unit per segment, from its component files. JPEGs are copied unchanged into the index, because a
// picture cannot be fetched alone from a Parquet file.
class WaymoV2Recordings : public RecordingReader {
 public:
  std::string format() const override { return "waymo-v2"; }
  Result<std::vector<ImportUnit>> discover(const std::filesystem::path& path) const override;
  Status read(const ImportUnit& unit, RecordingSink& sink) const override;
};

// Parquet files with image, question and answer.
class VqaRecordings : public RecordingReader {
 public:
  std::string format() const override { return "vqa"; }
  Result<std::vector<ImportUnit>> discover(const std::filesystem::path& path) const override;
  Status read(const ImportUnit& unit, RecordingSink& sink) const override;
};

// basicReaders() and the two above, in the order in which they claim files.
RecordingReaders allReaders();

}  // namespace roadtune::data
