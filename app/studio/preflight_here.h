// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "remote/agent/nvml.h"
#include "widgets/panels/fleet/machine_reading.h"

#include <vector>

namespace roadtune::studio {

// What a run on this machine needs, and whether it is there. May take a second: not for the UI thread.
std::vector<widgets::PreflightCheck> checkThisMachine(const QString& runsFolder, const remote::Nvml* nvml);

}  // namespace roadtune::studio
