// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sync_inputs.h"

#include "app/cli/terminal_prompts.h"
#include "remote/launch/run_inputs.h"

#include <fmt/format.h>

#include <cstdio>

namespace roadtune::cli {

void addSyncOptions(CLI::App& app, SyncOptions& options) {
  app.add_flag("--sync", options.sync, "copy model and data to the machines that lack them; shows how much first");
  app.add_flag("--yes", options.yes, "with --sync: do not ask");
}

namespace {

struct Found {
  std::vector<remote::InputGroup> groups;
  std::vector<remote::HostInputs> inputs;
  bool complete = true;
};

Result<Found> look(const config::RunConfig& config, const std::vector<std::string>& hosts,
                   const remote::HostAccess& access, ProgressSink& progress) {
  Found found;
  ROADTUNE_TRY(found.groups, remote::runInputs(config));
  ROADTUNE_TRY(found.inputs, remote::inputsOn(hosts, found.groups, access, &progress));
  for (const auto& one : found.inputs) {
    fmt::print(stderr, "{}: {}\n", one.host, one.text());
    found.complete &= one.complete();
  }
  return found;
}

Status agree(const Found& found, const SyncOptions& options, const std::string& question) {
  if (found.complete || options.yes) return {};
  const auto answer = askAtTerminal(question);
  if (!answer) return badInput("nobody is there to ask whether to copy", "--sync", "--yes");
  return *answer == "y" || *answer == "yes" ? Status() : Status(cancelled());
}

Status checkOptions(const SyncOptions& options, const std::vector<std::string>& hosts) {
  if (options.yes && !options.sync) return badInput("belongs to --sync", "--yes");
  return options.sync && hosts.empty() ? Status(badInput("is for other machines", "--sync", "--hosts a,b")) : Status();
}

}  // namespace

Result<bool> agreeToSync(const config::RunConfig& config, const std::vector<std::string>& hosts,
                         const SyncOptions& options, const remote::HostAccess& access, const std::string& question,
                         ProgressSink& progress) {
  ROADTUNE_CHECK(checkOptions(options, hosts));
  ROADTUNE_TRY(const Found found, look(config, hosts, access, progress));
  ROADTUNE_CHECK(agree(found, options, question));
  return !found.complete;
}

Status syncInputs(const config::RunConfig& config, const std::vector<std::string>& hosts, const SyncOptions& options,
                  const remote::HostAccess& access, ProgressSink& progress) {
  ROADTUNE_CHECK(checkOptions(options, hosts));
  if (!options.sync) return {};
  ROADTUNE_TRY(const Found found, look(config, hosts, access, progress));
  ROADTUNE_CHECK(agree(found, options, "Copy it now? [y/N] "));
  return found.complete ? Status() : remote::copyInputs(found.inputs, found.groups, access, &progress);
}

}  // namespace roadtune::cli
