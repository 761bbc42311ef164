// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/runs/series.h"

#include <optional>

namespace roadtune::runs {

// A loss that stands clearly higher than it began.
struct LossRise {
  double begin = 0, now = 0;
  bool grave() const { return now >= 2 * begin; }
};
// Nothing of a short loss, nor of a rise that its noise explains.
std::optional<LossRise> lossRise(const Series& loss);

// An evaluation loss that has gone up clearly since it was best, while the training loss went down.
struct EvalRise {
  std::int64_t bestStep = 0;
  double best = 0, now = 0;
};
std::optional<EvalRise> evalRise(const Series& evaluation, const Series& training);

}  // namespace roadtune::runs
