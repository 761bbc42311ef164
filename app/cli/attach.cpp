// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/run_follow.h"
#include "app/cli/terminal_prompts.h"
#include "core/base/progress.h"
#include "remote/launch/cut_start.h"
#include "remote/launch/run_folder.h"

namespace roadtune::cli {

namespace {

struct AttachOptions {
  std::string run, progress;
};

const Registration kAttach{"attach", "Follow a run from its first step; Ctrl-C leaves it alone",
                           [](CLI::App& app) -> Action {
                             auto options = std::make_shared<AttachOptions>();
                             app.add_option("run", options->run, "the run's folder (output_dir)")->required();
                             app.add_option("--progress", options->progress, "json, bar or none");
                             return [options]() -> Result<int> {
                               ROADTUNE_TRY(const ScreenStyle style, parseScreenStyle(options->progress));
                               ROADTUNE_TRY(const auto run, remote::findRun(options->run));
                               ROADTUNE_TRY(const auto access, remote::HostAccess::loadFor(run, terminalPrompts()));
                               ROADTUNE_CHECK(remote::closeStart(run, access));
                               ROADTUNE_CHECK(remote::requireWholeStart(run));
                               Interrupt::install();
                               return followToTheEnd(run, style, OnInterrupt::Detach);
                             };
                           }};

}  // namespace
}  // namespace roadtune::cli
