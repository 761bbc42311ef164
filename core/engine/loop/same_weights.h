// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/loop/session.h"

#include <filesystem>

namespace roadtune::engine {

// Are the weights there, of a model's folder or in a file, the same on every machine of the run? Called by every rank;
// one of each machine reads them all once more. A run on one machine is not asked.
Status checkSameWeights(const Session& session, const std::filesystem::path& place);

}  // namespace roadtune::engine
