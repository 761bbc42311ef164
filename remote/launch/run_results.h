// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"
#include "remote/launch/checkpoint_places.h"
#include "remote/launch/host_access.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace roadtune::remote {

// What rank 0 of a run elsewhere leaves behind that is not appended to, and so does not come with the mirror:
// predictions/, all_results.json and what else lies beside it, and best/. Brings what is not here yet or differs.
// Nothing to do for a run of this machine.
Status bringResults(const std::filesystem::path& run, const HostAccess& access, ProgressSink* progress = nullptr);

// The step of the best evaluation so far, as a checkpoint tells it; nothing when it tells of none, or of itself.
std::optional<std::int64_t> bestStepOf(const std::filesystem::path& checkpoint);

// Why a run that was to keep its best model has none: empty when it has, or was not to.
std::string bestMissing(const std::filesystem::path& run);

}  // namespace roadtune::remote
