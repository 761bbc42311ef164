// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/loop/session.h"
#include "core/model/memory_plan.h"

#include <cstdint>

namespace roadtune::engine {

// The configuration's step on this device, with the ranks that there are.
model::StepShape stepShapeOf(const Session& session);

// What the plan says that this rank's tensors take at most in a pass over so many samples, with tokens and answer
// tokens of that many in all.
std::uint64_t plannedBytes(const Session& session, std::int64_t samples, std::int64_t tokens, std::int64_t targets);

}  // namespace roadtune::engine
