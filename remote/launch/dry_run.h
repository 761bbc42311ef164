// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/runs/run_store.h"
#include "remote/launch/host_access.h"
#include "remote/launch/launch_plan.h"

#include <functional>
#include <vector>

namespace roadtune::remote {

// A plan that proves the run on its own machines instead of training: beside output_dir, never in it. Refuses what the
// run itself would be refused for.
Result<LaunchPlan> planDryRun(LaunchRequest request);

// Shown what there is a few times a second; false ends the dry run.
using DryRunWatcher = std::function<bool(const runs::RunStore&)>;

// Starts it, waits for its end and gives what it proved. A dry run that proved everything leaves nothing behind on any
// machine; one that failed leaves its folder here, and the error names it.
Result<std::vector<runs::ProofInfo>> dryRun(const LaunchPlan& plan, const HostAccess& access, ProgressSink* progress,
                                            const DryRunWatcher& watcher);

}  // namespace roadtune::remote
