// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/run_screen.h"
#include "remote/launch/launch_plan.h"
#include "remote/ssh/prompts.h"

namespace roadtune::cli {

// Starts a planned dry run and shows each proof as it comes: a line on stdout, or an object where `style` is JSON.
// Ctrl-C ends it.
Result<int> dryRunToTheEnd(const remote::LaunchPlan& plan, ScreenStyle style, const remote::Prompts& prompts);

}  // namespace roadtune::cli
