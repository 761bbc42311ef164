// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"
#include "core/engine/loop/session.h"

namespace roadtune::engine {

// Whether the checkpoint of the best evaluation outlives save_total_limit.
bool keepsBest(const Session& session);

// Writes checkpoint-<step> aside, sealed, and renames it into place; then removes what save_total_limit no longer
// allows. Rank 0 writes, the others wait. A failure (a full disk) leaves the earlier checkpoints alone, is reported,
// and the run goes on: the answer then holds no path. All ranks get the same answer.
fs::path saveCheckpoint(Session& session, const TrainerFacts& facts);

}  // namespace roadtune::engine
