// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/base/unique_fd.h"
#include "remote/agent/process_table.h"

#include <filesystem>
#include <optional>

namespace roadtune::remote {

// At most one agent per run and node. The kernel drops the lock with the last process that holds it, so a lock that
// is held means that something of the run still lives: the agent, or its guardian while it clears up.
class AgentLock {
 public:
  // Refuses, naming the holder, when the run is alive.
  static Result<AgentLock> take(const std::filesystem::path& run, int node);

  // Who is to be asked; written into the file for people and for holder().
  Status name(const ProcessId& agent);

  // The agent of a living run; nothing when nobody holds the lock. A holder that has not named itself yet has pid -1.
  static std::optional<ProcessId> holder(const std::filesystem::path& run, int node);

 private:
  explicit AgentLock(UniqueFd fd) : m_fd(std::move(fd)) {}
  UniqueFd m_fd;
};

std::filesystem::path agentLockPath(const std::filesystem::path& run, int node);

}  // namespace roadtune::remote
