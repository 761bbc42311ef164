// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/runs/run_store.h"
#include "widgets/panels/runs/step_facts.h"

namespace roadtune::studio {

// Looks up what the run says about a step: the nearest logged one for its numbers, exactly that one for its samples.
// Reads files: not for the UI thread.
widgets::StepFactsPtr stepFactsOf(const runs::RunStore& store, std::int64_t step);

}  // namespace roadtune::studio
