// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune fetch RUN: checkpoints of a run on other machines, brought here.
#include "app/cli/command.h"
#include "app/cli/host_list.h"
#include "app/cli/number_checks.h"
#include "app/cli/terminal_prompts.h"
#include "core/base/progress.h"
#include "remote/launch/checkpoint_places.h"
#include "remote/launch/run_folder.h"

#include <fmt/format.h>

#include <set>

namespace roadtune::cli {

namespace {

struct FetchOptions {
  std::string run, progress;
  std::vector<std::string> trusted;
  std::int64_t step = -1;
  bool all = false;
};

Result<int> fetch(const FetchOptions& options) {
  ROADTUNE_TRY(const auto run, remote::findRun(options.run));
  ROADTUNE_TRY(const ProgressStyle style, parseProgressStyle(options.progress));
  ROADTUNE_TRY(const remote::HostAccess access, remote::HostAccess::load(terminalPrompts(options.trusted)));
  Interrupt::install();
  const auto progress = makeProgressSink(style, [] { return Interrupt::requested(); });
  std::set<std::optional<std::int64_t>> wanted;
  std::string unasked;
  if (options.all) {
    const auto places = remote::findCheckpoints(run, access);
    if (!places.unreachable.empty()) return failed(places.unreachable, places.host);
    wanted.insert(places.there.begin(), places.there.end());
    for (const auto& left : remote::leftCheckpoints(run, access)) {
      wanted.insert(left.steps.begin(), left.steps.end());
      if (!left.unreachable.empty()) unasked = left.unreachable;
    }
  }
  if (options.step >= 0) wanted.insert(options.step);
  if (wanted.empty()) wanted.emplace();
  for (const auto& step : wanted) {
    ROADTUNE_TRY(const auto folder, remote::bringCheckpoint(run, step, access, progress.get()));
    fmt::print("{}\n", folder.string());
  }
  if (!unasked.empty()) return failed("where the run was before cannot be asked: " + unasked, run.string());
  return kExitDone;
}

const Registration kFetch{"fetch", "Bring checkpoints of a run on other machines here", [](CLI::App& app) -> Action {
                            auto options = std::make_shared<FetchOptions>();
                            app.add_option("run", options->run, "the run's folder (output_dir)")->required();
                            auto* step = app.add_option("--step", options->step,
                                                        "the checkpoint of this step (default: the newest)")
                                             ->check(wholeNumberFrom(0));
                            app.add_flag("--all", options->all, "every complete one")->excludes(step);
                            addTrustOption(app, options->trusted);
                            app.add_option("--progress", options->progress, "json, bar or none");
                            return [options] { return fetch(*options); };
                          }};

}  // namespace
}  // namespace roadtune::cli
