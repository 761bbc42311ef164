// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/recording_reader.h"

namespace roadtune::data {

// JSON lines with image, prefix and suffix. <loc> tokens of the suffix become boxes, so that they can be seen and
// searched; the text is kept as it is. And the lines with boxes that `data export --format jsonl` writes, in segments
// of the names they had.
class JsonlRecordings : public RecordingReader {
 public:
  std::string format() const override { return "jsonl"; }
  Result<std::vector<ImportUnit>> discover(const std::filesystem::path& path) const override;
  Status read(const ImportUnit& unit, RecordingSink& sink) const override;
};

}  // namespace roadtune::data
