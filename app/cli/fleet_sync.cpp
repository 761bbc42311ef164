// SPDX-License-Identifier: GPL-3.0-or-later
// fleet sync: model and data of a run to the machines that lack them, without starting it.
#include "app/cli/command.h"
#include "app/cli/host_list.h"
#include "app/cli/sync_inputs.h"
#include "app/cli/terminal_prompts.h"
#include "core/base/json_text.h"
#include "core/config/resolve.h"
#include "remote/launch/run_inputs.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace roadtune::cli {

namespace {

using nlohmann::json;

struct FleetSyncOptions {
  std::string config, progress;
  HostList hosts;
  SyncOptions sync{.sync = true};
  bool look = false, json = false;
};

json toJson(const remote::HostInputs& inputs) {
  json files = json::array();
  for (const auto& copy : inputs.copies) files.push_back({{"path", copy.target}, {"bytes", copy.bytes}});
  return {{"host", inputs.host},          {"complete", inputs.complete()},
          {"files", std::move(files)},    {"bytes", inputs.bytes},
          {"differing", inputs.replaced}, {"free", inputs.copies.empty() ? json() : json(inputs.space)},
          {"fits", inputs.fits()},        {"nowhere", inputs.nowhere},
          {"moved", inputs.moved}};
}

// What is missing, and nothing else.
Result<int> tell(const FleetSyncOptions& options, const config::RunConfig& config,
                 const std::vector<std::string>& hosts, const remote::HostAccess& access) {
  ROADTUNE_TRY(const auto groups, remote::runInputs(config));
  ROADTUNE_TRY(const auto inputs, remote::inputsOn(hosts, groups, access));
  json all = json::array();
  bool complete = true;
  for (const auto& one : inputs) {
    complete &= one.complete();
    all.push_back(toJson(one));
    if (!options.json) fmt::print("{}: {}\n", one.host, one.text());
  }
  if (options.json) fmt::print("{}\n", jsonText(all));
  return complete ? kExitDone : kExitMissing;
}

Result<int> sync(const FleetSyncOptions& options) {
  ROADTUNE_TRY(const config::RunConfig config, config::loadRunConfig(options.config));
  ROADTUNE_TRY(const auto hosts, readHosts(options.hosts, "roadtune fleet sync", config));
  if (hosts.empty()) return badInput("to which machines?", {}, "--hosts a,b, or hosts: in " + options.config);
  ROADTUNE_TRY(const remote::HostAccess access, remote::HostAccess::load(terminalPrompts(options.hosts.trusted)));
  ROADTUNE_CHECK(access.requireDistinct(hosts));
  if (options.look) return tell(options, config, hosts, access);
  Interrupt::install();
  ROADTUNE_TRY(const ProgressStyle style, parseProgressStyle(options.progress));
  const auto progress = makeProgressSink(style, [] { return Interrupt::requested(); });
  ROADTUNE_CHECK(syncInputs(config, hosts, options.sync, access, *progress));
  return options.json ? tell(options, config, hosts, access) : Result<int>(kExitDone);
}

const Registration kFleetSync{
    "fleet sync", "Copy model and data of a run to machines that lack them", [](CLI::App& app) -> Action {
      auto options = std::make_shared<FleetSyncOptions>();
      app.add_option("config", options->config, "the run's configuration (RUN.yaml)")->required();
      addHostOptions(app, options->hosts);
      app.add_flag("--look", options->look, "only tell what is missing, and how much that is; exit code 3 then");
      app.add_flag("--yes", options->sync.yes, "do not ask");
      app.add_flag("--json", options->json, "tell it as JSON; after a copy, what is missing still");
      app.add_option("--progress", options->progress, "json, bar or none");
      return [options] { return sync(*options); };
    }};

}  // namespace
}  // namespace roadtune::cli
