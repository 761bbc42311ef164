// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/protocol/manifest.h"
#include "remote/launch/host_access.h"
#include "remote/launch/launch.h"
#include "remote/launch/launch_plan.h"

namespace roadtune::remote {

// Starts a run on other machines, one agent on each, as one job. The run's folder is made here as for a local run;
// every node gets a folder of its own below ~/.roadtune/runs and the bundle. Model and data must lie there
// already (run_inputs.h). When a node cannot start, those already started are stopped again and the error names the
// node. The caller then keeps RunMirrors to see what happens.
Result<StartedRun> launchOnHosts(const LaunchPlan& plan, const HostAccess& access, ProgressSink* progress = nullptr);

// Here, or on the machines that the plan names.
Result<StartedRun> launchAnywhere(const LaunchPlan& plan, const Prompts& prompts, ProgressSink* progress = nullptr);

}  // namespace roadtune::remote
