// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/config/run_config.h"

#include <cstdint>
#include <vector>

namespace roadtune::policy {

struct BatchSpec {
  std::int64_t samples = 0;  // in the training set
  std::int64_t perDeviceBatch = 8;
  std::int64_t accumulation = 1;
  std::int64_t worldSize = 1;
  bool dropLast = false;       // dataloader_drop_last
  double epochs = 3.0;         // num_train_epochs
  std::int64_t maxSteps = -1;  // > 0 overrides epochs
};

BatchSpec batchSpecOf(const config::RunConfig& config, std::int64_t samples, std::int64_t worldSize);

// How a set of samples becomes optimizer steps, as transformers.Trainer counts them. The last batch of an epoch may
// be short, and the last accumulation window of an epoch may hold fewer micro-batches.
struct BatchPlan {
  std::int64_t microBatchesPerEpoch = 0;  // per rank
  std::int64_t stepsPerEpoch = 0;         // optimizer steps
  std::int64_t totalSteps = 0;
  std::int64_t epochs = 0;          // begun, the last one possibly in part
  std::int64_t effectiveBatch = 0;  // perDeviceBatch x accumulation x worldSize
  BatchSpec spec = {};

  static Result<BatchPlan> make(const BatchSpec& spec);

  // Micro-batches of optimizer step `stepInEpoch` (0-based): `accumulation`, or less for the last of an epoch.
  std::int64_t microBatches(std::int64_t stepInEpoch) const;
  // Epochs done after `step` optimizer steps, as the Trainer logs it (fractions of micro-batches).
  double epochAt(std::int64_t step) const;
  // Which positions of the epoch's order rank `rank` gets in micro-batch `microBatch` (0-based within the epoch): rank
  // r of W takes batches r, r + W, ... The last one of a single rank may be short; with several ranks the last round
  // is filled up with the first samples of the epoch, as accelerate does (even_batches).
  std::vector<std::int64_t> positions(std::int64_t microBatch, std::int64_t rank) const;
};

}  // namespace roadtune::policy
