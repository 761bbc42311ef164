// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune runs from HOST: runs on that machine that were started elsewhere, to be followed from here as well.
#include "app/cli/command.h"
#include "app/cli/host_list.h"
#include "app/cli/terminal_prompts.h"
#include "core/base/clock.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "remote/launch/whereabouts.h"

#include <fmt/format.h>

namespace roadtune::cli {

namespace {

struct FromOptions {
  std::string host, run, out;
  std::vector<std::string> trusted;
  bool list = false, json = false;
};

std::vector<std::string> machinesOf(const remote::RunThere& run) {
  std::vector<std::string> machines;
  for (const auto& node : run.manifest.nodes) machines.push_back(node.address);
  return machines;
}

void print(const std::vector<remote::RunThere>& runs, bool json) {
  if (json) {
    nlohmann::ordered_json all = nlohmann::json::array();
    for (const auto& run : runs)
      all.push_back({{"id", run.manifest.runId},
                     {"name", run.manifest.name},
                     {"created", run.manifest.created},
                     {"ended", run.ended},
                     {"method", run.manifest.method},
                     {"machines", machinesOf(run)}});
    fmt::print("{}\n", jsonText(all));
    return;
  }
  for (const auto& run : runs)
    fmt::print("{}  {:<7}  {}  {}  on {}\n", run.manifest.runId, run.ended ? "ended" : "running",
               isoTime(run.manifest.created), run.manifest.name, join(machinesOf(run), ", "));
}

Result<int> runsFrom(const FromOptions& options) {
  ROADTUNE_TRY(const auto access, remote::HostAccess::load(terminalPrompts(options.trusted)));
  ROADTUNE_TRY(const auto runs, remote::runsOn(options.host, access));
  if (options.list || options.json) {
    if (runs.empty() && !options.json) fmt::print(stderr, "{} keeps no run that was started elsewhere\n", options.host);
    print(runs, options.json);
    return kExitDone;
  }
  ROADTUNE_TRY(const remote::RunThere run, remote::chooseRun(runs, options.host, options.run));
  const std::filesystem::path folder =
      options.out.empty() ? remote::adoptedFolder(run) : std::filesystem::absolute(options.out);
  ROADTUNE_CHECK(remote::adoptRun(run, options.host, folder, access));
  fmt::print("{}\n", folder.string());
  return kExitDone;
}

const Registration kRunsFrom{
    "runs from", "Follow a run from here that was started from another machine, as a machine of it knows it",
    [](CLI::App& app) -> Action {
      auto options = std::make_shared<FromOptions>();
      app.add_option("host", options->host, "a machine that the run is on, as for --hosts")->required();
      app.add_option("run", options->run, "its name or id; not needed where there is one alone");
      app.add_option("--out", options->out, "folder for it here (default: where the studio looks for runs)");
      app.add_flag("--list", options->list, "only say which runs there are");
      app.add_flag("--json", options->json, "the same, as a list for machines");
      addTrustOption(app, options->trusted);
      return [options] { return runsFrom(*options); };
    }};

}  // namespace
}  // namespace roadtune::cli
