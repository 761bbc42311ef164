// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/machine_means.h"
#include "remote/ssh/prompts.h"
#include "widgets/panels/fleet/machine_reading.h"

#include <QStringList>

#include <map>

namespace roadtune::studio {

struct PreflightResult {
  widgets::PreflightMatrix matrix;
  std::map<QString, MachineMeans> means;  // by name; "" is this machine
  bool refused = false;                   // a machine wanted a secret and did not take it
};

// Looks at this machine and at others, as `roadtune fleet check` does. Takes seconds: not for the UI thread.
PreflightResult checkMachines(const QStringList& hosts, const QString& runsFolder, const remote::Prompts& prompts);

}  // namespace roadtune::studio
