// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/protocol/run_layout.h"

#include <cstdint>
#include <string>
#include <vector>

namespace roadtune::runs {

// What one sample cost in one step.
struct SampleLossEntry {
  std::int64_t step = 0;
  double epoch = 0;
  std::string sample;
  double loss = 0;          // mean over its answer tokens; may be nan
  std::int64_t tokens = 0;  // answer tokens
};

// The ledgers of all ranks (ledger/rank-NNN.jsonl) by step, then rank. Steps that a resumed run went through again are
// there once, as they were the last time. Lines that cannot be read are passed over. Empty for a run without ledgers.
Result<std::vector<SampleLossEntry>> readSampleLosses(const protocol::RunLayout& layout);

// Why a run has no ledgers here, and what to do about it: they lie on machines that it ran on and have not come here
// yet, nothing has been trained yet, or it keeps none.
enum class NoLosses { NotKept, NotYet, Elsewhere };
struct NoLossesReason {
  NoLosses why = NoLosses::NotKept;
  std::vector<std::string> machines = {};  // that have them
};
NoLossesReason whyNoLosses(const protocol::RunLayout& layout);

// One sample over the whole run.
struct SampleSummary {
  std::string sample;
  std::int64_t seen = 0;
  double first = 0, last = 0, mean = 0, worst = 0;
  std::int64_t worstStep = 0, lastStep = 0;
};

// By their last loss, the highest first. Losses that are not finite count as higher than any other.
std::vector<SampleSummary> summarizeSamples(const std::vector<SampleLossEntry>& losses);

}  // namespace roadtune::runs
