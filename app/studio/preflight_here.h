// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/fleet/machine_reading.h"

#include <QString>

namespace roadtune::studio {

// What a run on this machine needs, and whether it is there. May take a second: not for the UI thread.
widgets::PreflightChecks checkThisMachine(const QString& runsFolder);

// The part of it that is known at once.
widgets::PreflightChecks glanceAtThisMachine(const QString& runsFolder);

}  // namespace roadtune::studio
