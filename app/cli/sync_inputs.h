// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/command.h"
#include "core/base/progress.h"
#include "core/config/run_config.h"
#include "remote/launch/host_access.h"

#include <string>
#include <vector>

namespace roadtune::cli {

// Consent to copying a run's model and data to other machines.
struct SyncOptions {
  bool sync = false, yes = false;
};

void addSyncOptions(CLI::App& app, SyncOptions& options);

// The sizes and the consent, without the copy: true when something is to be copied. `question` is asked at the terminal
// unless --yes was given.
Result<bool> agreeToSync(const config::RunConfig& config, const std::vector<std::string>& hosts,
                         const SyncOptions& options, const remote::HostAccess& access, const std::string& question,
                         ProgressSink& progress);

// Shows on stderr what each machine lacks and how much that is, asks at the terminal unless --yes was given, and copies
// it. Without anything to copy nothing is asked. Refused without a terminal and --yes, and where the answer is no.
Status syncInputs(const config::RunConfig& config, const std::vector<std::string>& hosts, const SyncOptions& options,
                  const remote::HostAccess& access, ProgressSink& progress);

}  // namespace roadtune::cli
