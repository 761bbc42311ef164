// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/memory_plan.h"
#include "widgets/panels/train/train_estimate.h"

namespace roadtune::studio {

// What a configuration means: the modules of its model, what a process of it needs, and whether its paths exist.
// Reads the model's config.json: not for the UI thread.
widgets::TrainEstimate estimateOf(const config::RunConfig& config, std::uint64_t ticket);

}  // namespace roadtune::studio
