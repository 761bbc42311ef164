// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/loop/session.h"

namespace roadtune::engine {

// What the model says, greedily, to the first evaluation samples: predictions/step-<step>.jsonl, one object per sample
// {step, image, prompt, expected, text, score, ended}. Rank 0 writes; the others have nothing to do.
Status writeProbePredictions(Session& session);

}  // namespace roadtune::engine
