// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"
#include "core/protocol/run_layout.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::engine {

// What one sample cost in one step.
struct SampleLoss {
  std::string sample;
  double loss = 0;          // mean over its answer tokens
  std::int64_t tokens = 0;  // answer tokens
};

// ledger/rank-NNN.jsonl: one line {step, epoch, sample, loss, tokens} per sample and step of this rank, appended only.
// A run that goes on from an earlier step says so with a line {resumed_from}: what this file holds of later steps
// counts no more.
class LossLedger {
 public:
  LossLedger(const protocol::RunLayout& layout, int rank, std::int64_t startStep);

  Status append(std::int64_t step, double epoch, const std::vector<SampleLoss>& losses);

 private:
  Status open();

  fs::path m_path;
  std::int64_t m_startStep;
  std::optional<AppendFile> m_file;
};

}  // namespace roadtune::engine
