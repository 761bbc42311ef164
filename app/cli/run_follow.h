// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/run_screen.h"
#include "core/base/result.h"
#include "remote/launch/agent_watch.h"

#include <filesystem>

namespace roadtune::cli {

enum class OnInterrupt {
  StopRun,  // once: save and stop; twice: stop now
  Detach,   // leave it alone and go
};

struct Followed {
  bool detached = false;
  std::string unknown = {};         // detached: why it is not known whether the run goes on; empty where it does
  remote::RunOutcome outcome = {};  // unless detached
};

// Shows a run from its first event until it ends. Interrupt::install() must have been called. What was `told` in an
// earlier attempt is not shown again.
Result<Followed> followRun(const std::filesystem::path& run, ScreenStyle style, OnInterrupt onInterrupt,
                           const ToldNotices& told = {});

// The end of a run for people: Hugging Face's summary table and the run's folder, on stdout.
Status printSummary(const std::filesystem::path& run, const remote::RunOutcome& outcome);

// followRun, the summary, and the exit code; a failed run becomes an error with its first cause and last lines.
Result<int> followToTheEnd(const std::filesystem::path& run, ScreenStyle style, OnInterrupt onInterrupt,
                           const ToldNotices& told = {});

}  // namespace roadtune::cli
