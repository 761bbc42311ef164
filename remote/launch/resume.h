// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"
#include "remote/launch/launch.h"
#include "remote/ssh/prompts.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::remote {

struct ResumeRequest {
  std::filesystem::path run;
  std::optional<int> processesPerNode = {};            // else as before
  std::optional<std::vector<std::string>> hosts = {};  // else where it was; empty: this machine
  bool assumeGone = false;                             // a machine that cannot be asked runs nothing any more
};

// Continues a run that is not going on, in its own folder, from its newest complete checkpoint, wherever that lies: it
// is brought to where it is needed, and so are the event files, so that their numbering goes on. Edits made while the
// run went on stay. A run of this machine may go on elsewhere and the other way about.
Result<StartedRun> resumeRun(const ResumeRequest& request, const Prompts& prompts = {},
                             ProgressSink* progress = nullptr);

}  // namespace roadtune::remote
