// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/recording_reader.h"

namespace roadtune::data {

// BDD100K (and Scalabel) JSON: images with attributes and box2d labels. One segment for each time of day, weather
// and scene of a file, so that these can be asked for.
class BddRecordings : public RecordingReader {
 public:
  std::string format() const override { return "bdd"; }
  Result<std::vector<ImportUnit>> discover(const std::filesystem::path& path) const override;
  Status read(const ImportUnit& unit, RecordingSink& sink) const override;
};

}  // namespace roadtune::data
