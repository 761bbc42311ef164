// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sync_inputs.h"

#include "app/cli/terminal_prompts.h"
#include "remote/launch/run_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace roadtune::cli {

void addSyncOptions(CLI::App& app, SyncOptions& options) {
  app.add_flag("--sync", options.sync, "copy model and data to the machines that lack them; shows how much first");
  app.add_flag("--yes", options.yes, "with --sync: do not ask");
}

Status syncInputs(const config::RunConfig& config, const std::vector<std::string>& hosts, const SyncOptions& options,
                  const remote::HostAccess& access, ProgressSink& progress) {
  if (options.yes && !options.sync) return badInput("belongs to --sync", "--yes");
  if (!options.sync) return {};
  if (hosts.empty()) return badInput("is for other machines", "--sync", "--hosts a,b");
  ROADTUNE_TRY(const auto groups, remote::runInputs(config));
  ROADTUNE_TRY(const auto inputs, remote::inputsOn(hosts, groups, access, &progress));
  for (const auto& one : inputs) fmt::print(stderr, "{}: {}\n", one.host, one.text());
  if (std::all_of(inputs.begin(), inputs.end(), [](const auto& one) { return one.complete(); })) return {};
  if (!options.yes) {
    const auto answer = askAtTerminal("Copy it now? [y/N] ");
    if (!answer) return badInput("nobody is there to ask whether to copy", "--sync", "--yes");
    if (*answer != "y" && *answer != "yes") return cancelled();
  }
  return remote::copyInputs(inputs, groups, access, &progress);
}

}  // namespace roadtune::cli
