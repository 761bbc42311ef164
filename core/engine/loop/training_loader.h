// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/loader/batch_loader.h"
#include "core/engine/loop/session.h"

#include <memory>
#include <vector>

namespace roadtune::engine {

// This rank's micro-batches of an epoch, in its order.
std::vector<std::vector<std::int64_t>> trainingBatches(const Session& session, std::int64_t epoch);

// Makes encoded samples one batch, packed where the run wants that, and ready for its device.
BatchLoader::Finish intoBatch(const Session& session);

// Prepares the given micro-batches of the training data as that epoch does.
std::unique_ptr<BatchLoader> trainingLoader(const Session& session, std::vector<std::vector<std::int64_t>> batches,
                                            std::int64_t epoch);

}  // namespace roadtune::engine
