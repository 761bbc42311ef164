// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/loop/session.h"
#include "core/engine/trainer.h"

namespace roadtune::engine {

// Proves in about a minute, over a prepared session, what would otherwise fail hours into a run: a step with the
// longest samples, steps at the run's own pace, an evaluation of the longest samples, predictions, a checkpoint that is
// written, verified, read back and removed, and whether disk and time suffice for all of it. Each proof becomes a
// `proof` event; the first that fails is the error.
Result<TrainOutcome> dryRun(Session& session);

}  // namespace roadtune::engine
