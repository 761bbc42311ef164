// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>

namespace roadtune::engine {

// Seconds of a step as seen from outside; decode happens inside the loader's threads and is not part of the sum.
struct Anatomy {
  double wait = 0, decode = 0, forward = 0, backward = 0, comm = 0, optimizer = 0, other = 0;
};

// One optimizer step. Sums are over all ranks; seconds are this rank's.
struct StepResult {
  double loss = 0;
  double rate = 0;
  double gradientNorm = 0;  // before clipping
  std::int64_t samples = 0, tokens = 0, targets = 0;
  double seconds = 0;
  double epoch = 0;
  Anatomy anatomy;
  bool finite = true;
  bool applied = true;  // the optimizer moved
};

}  // namespace roadtune::engine
