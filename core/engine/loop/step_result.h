// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/optim/gradient_norms.h"

#include <cstdint>

namespace roadtune::engine {

// Seconds of a step, on a GPU as it sees them: it waits for what it has not been given yet. Reading, decoding and
// tokenising happen inside the loader's threads and are not part of the sum.
struct Anatomy {
  double wait = 0, copy = 0, forward = 0, backward = 0, comm = 0, optimizer = 0, other = 0;
  double read = 0, decode = 0, tokenise = 0;

  double sum() const { return wait + copy + forward + backward + comm + optimizer + other; }
};

// One optimizer step. Sums are over all ranks; seconds are this rank's.
struct StepResult {
  double loss = 0;
  double rate = 0;
  GradientNorms gradientNorms;  // before clipping
  std::int64_t samples = 0, tokens = 0, targets = 0;
  double seconds = 0;               // all of the anatomy
  double flops = 0, peakFlops = 0;  // of all ranks: needed by the step; what their devices can do a second, if known
  std::uint64_t plannedBytes = 0;   // of this rank's tensors, in the heaviest of its passes; 0: it had none
  std::int64_t peakBytes = 0;       // and what they held at most
  double epoch = 0;
  bool endsEpoch = false;
  Anatomy anatomy;
  bool finite = true;
  bool applied = true;  // the optimizer moved
};

}  // namespace roadtune::engine
