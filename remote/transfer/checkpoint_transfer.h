// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/unique_fd.h"
#include "remote/ssh/session.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace roadtune::remote {

// Who follows a run, who copies it away and who merges it may want the same files of it at the same time.
Result<UniqueFd> waitToFetch(const std::filesystem::path& run, ProgressSink* progress);

// Steps of the complete checkpoints in a run's folder on another machine, the oldest first.
Result<std::vector<std::int64_t>> checkpointsThere(Session& session, const std::string& runFolder);

// Brings checkpoint-<step> of the run over there into the run here. It is gathered aside, every file compared with the
// hash the trainer wrote down, and renamed at last: what is called checkpoint-<step> is complete. An interrupted copy
// goes on where it ended. Nothing is done when it is here already.
Status fetchCheckpoint(Session& session, const std::string& runFolder, const std::filesystem::path& run,
                       std::int64_t step, ProgressSink* progress = nullptr);

// Brings best/ likewise, in the place of another one. Nothing is done when there is none, or the same is here.
Status fetchBest(Session& session, const std::string& runFolder, const std::filesystem::path& run,
                 ProgressSink* progress = nullptr);

// The other way, COMPLETE last. Returns the folder over there.
Result<std::string> sendCheckpoint(Session& session, const std::filesystem::path& checkpoint,
                                   const std::string& runFolder, ProgressSink* progress = nullptr);

}  // namespace roadtune::remote
