// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/runs/run_store.h"
#include "remote/launch/host_access.h"
#include "remote/launch/launch_plan.h"

#include <functional>
#include <vector>

namespace roadtune::remote {

// What proves the run that `run` is the plan of, on its own machines, instead of training: beside its folder, never in
// it. `request` is what the run was planned from.
Result<LaunchPlan> planDryRun(LaunchRequest request, const LaunchPlan& run);

// Shown what there is a few times a second; false ends the dry run.
using DryRunWatcher = std::function<bool(const runs::RunStore&)>;

// Starts it, waits for its end and gives what it proved. A dry run that proved everything leaves nothing behind on any
// machine; one that failed leaves its folder here, and the error names it.
Result<std::vector<runs::ProofInfo>> dryRun(const LaunchPlan& plan, const HostAccess& access, ProgressSink* progress,
                                            const DryRunWatcher& watcher);

}  // namespace roadtune::remote
