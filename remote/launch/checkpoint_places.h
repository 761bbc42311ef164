// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/protocol/manifest.h"
#include "remote/launch/host_access.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::remote {

// Where the complete checkpoints of a run lie. Rank 0 writes them on its machine.
struct CheckpointPlaces {
  std::vector<std::int64_t> here;
  std::vector<std::int64_t> there;  // on the machine of rank 0, when that is another one
  std::string host;                 // its name for ssh; empty for a run of this machine
  std::string folder;               // of the run over there
  std::string unreachable;          // why `there` is not known; empty when it is
  std::optional<std::int64_t> newest() const;
};
CheckpointPlaces findCheckpoints(const std::filesystem::path& run, const HostAccess& access);

// Steps of those that a run left where it was before it moved to other machines, and has not got here.
struct LeftCheckpoints {
  std::string host, folder;
  std::vector<std::int64_t> steps;
  std::string unreachable;  // why they are not known; empty when they are
};
std::vector<LeftCheckpoints> leftCheckpoints(const std::filesystem::path& run, const HostAccess& access);

// Notes where rank 0 was, for a run that goes on from this step with other machines than before.
void noteMove(const protocol::Manifest& before, std::int64_t step, protocol::Manifest& now);

// Moves aside what is newest and damaged, here and there, until the newest is whole by its files' sizes; the run goes
// on from it. Returns what is to be said of each.
Result<std::vector<std::string>> setAsideDamaged(const std::filesystem::path& run, CheckpointPlaces& places,
                                                 const HostAccess& access);

// Brings a complete checkpoint here when it is not, the newest one when no step is named; one with a step also from
// where the run was before. Returns its folder.
Result<std::filesystem::path> bringCheckpoint(const std::filesystem::path& run, std::optional<std::int64_t> step,
                                              const HostAccess& access, ProgressSink* progress = nullptr);

// Waits until events, logs and what else is mirrored are as long here as they are over there now. Fails when events or
// logs take longer than the limit, or a machine cannot be asked.
enum class Unreachable { Refuse, PassOver };
Status bringEvents(const std::filesystem::path& run, const HostAccess& access, double limitSeconds,
                   Unreachable unreachable = Unreachable::Refuse);

}  // namespace roadtune::remote
