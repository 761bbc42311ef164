// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/loop/session.h"

namespace roadtune::engine {

// Puts the weights of the best evaluation into the run's best/: an adapter or a model like that of a checkpoint,
// without what resuming needs, sealed like one. Rank 0 does it. Says why when there is nothing to take.
void exportBest(const Session& session);

}  // namespace roadtune::engine
