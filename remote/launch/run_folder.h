// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/base/unique_fd.h"
#include "core/protocol/control.h"
#include "remote/launch/launch_plan.h"

#include <filesystem>

namespace roadtune::remote {

// Makes the folder of a new run with its frozen run.yaml and its manifest. A folder that already holds a run is refused
// unless the configuration says overwrite_output_dir, or that run ended before its first step, by its own word or
// because certainly nothing of it is left: then its logs are kept as logs.1. A living run is never overwritten. Files
// of others are kept.
// Keep what it returns until the run's agents hold their own locks: two starts of one folder at once would mix.
Result<UniqueFd> createRunFolder(const LaunchPlan& plan);

// Held in the folder of a run by who starts its agents, while it does.
std::filesystem::path startLock(const std::filesystem::path& run);

// Fails when another program goes on starting the run.
Result<UniqueFd> holdStart(const std::filesystem::path& run);

// Leaves word in the folder of a run whose agents could not start, so that whoever looks finds its end.
void sayNeverBegan(const std::filesystem::path& folder, const Error& error);

// Refuses where ranks of a run outlived their agent on this machine: a second set would write beside them.
Status requireNothingLeft(const std::filesystem::path& folder);

// Would createRunFolder refuse because of what lies there?
Status checkFolderFree(const std::filesystem::path& folder, bool overwrite);

// The next name beside it that nothing has: runs/demo-2 after runs/demo, runs/demo-3 after that.
std::filesystem::path nextFreeFolder(const std::filesystem::path& folder);

// Removes what belongs to a run, and the folder unless something else lies in it.
Status removeRunFiles(const std::filesystem::path& folder);

// An existing run's folder, absolute; refuses, saying what is missing, what is none.
Result<std::filesystem::path> findRun(const std::filesystem::path& folder);

}  // namespace roadtune::remote
