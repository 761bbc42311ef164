// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/document.h"
#include "core/protocol/control.h"
#include "core/protocol/run_layout.h"

#include <string>
#include <vector>

namespace roadtune::remote {

// Where a run stood when it ended, and what was changed while it went on.
struct RunPast {
  std::int64_t lastStep = 0;
  protocol::LiveEdit edits;          // the last value of each
  bool rateAfterCheckpoint = false;  // the learning rate was set after the checkpoint was written, which lacks it
};
RunPast pastOf(const protocol::RunLayout& layout, std::int64_t checkpointStep);

// Writes edits that a checkpoint does not hold into the run's own configuration. Returns a line for each.
Result<std::vector<std::string>> keepEdits(const RunPast& past, config::Document& document);

}  // namespace roadtune::remote
