// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "remote/launch/launch_plan.h"
#include "remote/ssh/prompts.h"

namespace roadtune::studio {

// Brings model and data of a planned run to the machines that lack them. Takes as long as that takes.
Status copyMissing(const remote::LaunchPlan& plan, const remote::Prompts& prompts, ProgressSink* progress);

}  // namespace roadtune::studio
