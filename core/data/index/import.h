// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/data/index/problem.h"
#include "core/data/index/recording_reader.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace roadtune::data {

struct ImportRequest {
  std::vector<std::filesystem::path> sources;
  std::filesystem::path out;
  std::string split = {};  // where neither folder nor file name say
  int jobs = 0;            // 0: one per processor
  bool thumbnails = false;
  // Asked once, before anything of Waymo's is written; an error ends the import. Empty: not asked.
  std::function<Status()> acceptWaymoLicense = {};
  std::function<void(const Problem&)> onProblem = {};  // called from any thread, one at a time
};

struct ImportOutcome {
  std::size_t imported = 0;   // segments read now
  std::size_t unchanged = 0;  // segments kept from before
  std::size_t usable = 0;     // segments of the given sources that are in the index now
  std::size_t problems = 0;
};

// Imports the sources into the index folder. What is done stays done: an interrupted import leaves a usable index, and
// the next one takes up where it stopped. Unchanged sources (size, time, content sample) are skipped.
// Errors: nothing could be written, the licence was not accepted, or cancelled().
Result<ImportOutcome> importInto(const ImportRequest& request, const RecordingReaders& readers, ProgressSink& progress);

}  // namespace roadtune::data
