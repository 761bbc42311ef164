// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/recording_reader.h"

namespace roadtune::data {

// A list of conversations about pictures, as chat trainers keep them: `messages` with roles, `conversations` with
// `from`, or `instruction`, `input` and `output`; pictures in `images` or `image`, or among the parts of a message.
// Each question with its answer becomes one of ours, without the ones before it.
class ConversationRecordings : public RecordingReader {
 public:
  std::string format() const override { return "conversations"; }
  Result<std::vector<ImportUnit>> discover(const std::filesystem::path& path) const override;
  Status read(const ImportUnit& unit, RecordingSink& sink) const override;
};

}  // namespace roadtune::data
