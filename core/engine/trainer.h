// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace roadtune::engine {

struct TrainRequest {
  std::filesystem::path run;  // folder that holds run.yaml; everything is written below it
  bool dryRun = false;        // proves the run instead of training; ROADTUNE_DRY_RUN=1 says the same
  int profileSteps = 0;       // so many steps of this rank become a Chrome trace, <run>/profile/rank-N.json
};

enum class TrainEnd {
  Finished,
  Stopped,
  Orphaned,  // saved and ended like one that was asked to stop, because its agent is gone
  Diverged
};

struct TrainOutcome {
  TrainEnd end = TrainEnd::Finished;
  std::int64_t steps = 0;
  double loss = 0;                        // mean over the run
  std::filesystem::path checkpoint = {};  // the last one written
  Error cause = {};                       // when nobody asked for the end: what happened, what to try
};

// One rank of a training run, from start to end: reads run.yaml, takes its place among the ranks from the
// environment, trains, evaluates, saves, and tells events/rank-NNN.jsonl about it. Blocks until the run ends. SIGTERM,
// a `stop` line on standard input or in DIR/control saves and ends it.
Result<TrainOutcome> train(const TrainRequest& request);

}  // namespace roadtune::engine
