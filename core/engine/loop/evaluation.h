// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/loop/long_loop.h"
#include "core/engine/loop/session.h"

#include <vector>

namespace roadtune::engine {

struct EvalResult {
  double loss = 0;  // mean of the batches' token means, each weighted by its samples, as in Trainer
  std::int64_t samples = 0, batches = 0;
  double seconds = 0;
};

// One pass over the evaluation data, shared out among the ranks; the same numbers on all of them. Cancelled on all of
// them where one was told to stop meanwhile.
Result<EvalResult> evaluate(Session& session, const LongLoop::Asked& stop = {});

// The same over these batches of this rank; `rounds` is the most that any rank has.
Result<EvalResult> evaluate(Session& session, std::vector<std::vector<std::int64_t>> batches, std::int64_t rounds,
                            const LongLoop::Asked& stop = {});

}  // namespace roadtune::engine
