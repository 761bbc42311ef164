// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/loop/long_loop.h"
#include "core/engine/loop/probe_scores.h"
#include "core/engine/loop/session.h"

namespace roadtune::engine {

// What the model says, greedily, to the first evaluation samples: predictions/step-<step>.jsonl, one object per sample
// {step, image, prompt, expected, text, score, boxes, ended}; `boxes` are those of the text, [{label, bbox, score}]
// with left, top, width, height in pixels of the picture. Rank 0 writes, and answers how right they are; elsewhere the
// scores are empty. Cancelled on all ranks, without a file, where one was told to stop meanwhile.
Result<ProbeScores> writeProbePredictions(Session& session, const LongLoop::Asked& stop = {});

}  // namespace roadtune::engine
