// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/machine_means.h"
#include "app/studio/train_length.h"
#include "core/model/memory_plan.h"
#include "widgets/panels/train/train_estimate.h"

#include <vector>

namespace roadtune::studio {

// What a configuration means: the modules of its model, what a process of it needs, and whether its paths exist.
// Reads the model's config.json: not for the UI thread.
// `machines` are those the run goes to; empty: this one.
widgets::TrainEstimate estimateOf(const config::RunConfig& config, std::uint64_t ticket,
                                  const std::vector<MachineMeans>& machines, SampleCounts& counts);

}  // namespace roadtune::studio
