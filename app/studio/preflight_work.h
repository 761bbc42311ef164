// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/machine_means.h"
#include "core/base/progress.h"
#include "core/config/run_config.h"
#include "remote/agent/machine_facts.h"
#include "remote/ssh/prompts.h"
#include "widgets/panels/fleet/machine_reading.h"

#include <QStringList>

#include <map>
#include <optional>

namespace roadtune::studio {

struct PreflightResult {
  widgets::PreflightMatrix matrix;
  std::map<QString, MachineMeans> means;  // by name; "" is this machine
  QStringList reached;                    // of the other machines
};

// Looks at this machine and at others, as `roadtune fleet check` does: whether they suit this run, or any. Takes
// seconds: not for the UI thread.
PreflightResult checkMachines(const QStringList& hosts, const std::optional<config::RunConfig>& run,
                              const remote::Prompts& prompts, remote::DiskProbe probe);

// What lies between machines that were reached: links and sums, and whether they hold the same model and data of a run.
// Takes about a second for each of them; one line says so when it was cancelled.
std::vector<widgets::PreflightCheck> checkBetween(const QStringList& hosts, const std::optional<config::RunConfig>& run,
                                                  const remote::Prompts& prompts, ProgressSink* progress);
// In its place, while nobody has asked for that.
widgets::PreflightCheck linksNotMeasured();

}  // namespace roadtune::studio
