// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"
#include "core/base/result.h"
#include "core/engine/checkpoint/writing_told.h"
#include "core/engine/dist/distribution.h"
#include "core/engine/loop/run_state.h"
#include "core/engine/optim/adamw.h"

#include <cstdint>
#include <string>

namespace roadtune::engine {

struct ResumeWriting {
  std::string configHash = {};
  std::uint64_t maxShardBytes = 5'000'000'000;
  bool writes = true;  // false: only takes part, for a rank that writes
  WritingTold told = {};
};

// What makes a checkpoint exact: resume.safetensors (above the limit several files and an index, as weights have) holds
// both moments of every trained tensor by its canonical name, and its float32 value where the weights file holds fewer
// bits; resume.json holds the run's state. All ranks call it; no rank ever holds more than one unit's state in whole.
// What is written does not depend on how many ranks there are.
Status writeResume(Distribution& distribution, const ModelState& model, const AdamW& optimizer, const RunState& state,
                   const ResumeWriting& writing, const fs::path& folder);

// The reverse, after the weights were read: a rank takes what it holds. The trained tensors must be the same ones.
Status readResumeTensors(AdamW& optimizer, const fs::path& folder);
Result<RunState> readResumeState(const fs::path& folder);

}  // namespace roadtune::engine
