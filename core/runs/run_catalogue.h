// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"
#include "core/runs/run_facts.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::runs {

// A line of the list of runs: what the first and last kilobytes of its files tell.
struct RunEntry {
  fs::path path;
  std::string id, name;
  RunState state = RunState::Created;
  std::string reason;    // of its end, in words; empty while it goes on
  bool foreign = false;  // a TensorBoard folder of another program
  std::string model, method;
  double started = 0;  // seconds since 1970; when it was created, until it starts
  double updated = 0;  // latest event
  // Of a run on other machines that nobody follows: when this was true. Absent when it is over, or is followed.
  std::optional<double> asOf = {};
  std::int64_t step = 0, totalSteps = 0;
  std::optional<double> loss = {};  // the latest
  std::optional<double> evalLoss = {};
  bool lossRisen = false;  // clearly above where it began
  std::optional<double> samplesPerSecond = {}, tokensPerSecond = {};
  std::int64_t totalParams = 0, trainableParams = 0;
  int worldSize = 1;
  bool paused = false;     // while it goes on
  bool resumable = false;  // has a complete checkpoint, or may have one on the machines it ran on
};

// To put runs in order by: one that is not known, or no number, comes after all others.
double comparableLoss(const std::optional<double>& loss);

struct CatalogueOptions {
  int maxDepth = 6;         // folders below a root
  bool foreignRuns = true;  // TensorBoard folders too
  double now = 0;           // 0: the clock's
  double lostAfterSeconds = 30;
  std::function<bool()> stop = {};  // asked between folders; true ends the search early
};

// Runs below the roots (a root may be a run itself), newest first. Does not descend into runs, hidden folders or
// checkpoints; follows no symbolic links to folders. Unreadable folders are passed over.
std::vector<RunEntry> findRuns(const std::vector<fs::path>& roots, const CatalogueOptions& options = {});

// Is it a run, of ours or of another program, or a folder with runs directly in it?
bool isRunFolder(const fs::path& folder);
bool holdsRuns(const fs::path& folder);

// One run; reads a bounded part of its files however long they are. An error when `folder` holds no run.
Result<RunEntry> describeRun(const fs::path& folder, const CatalogueOptions& options = {});

}  // namespace roadtune::runs
