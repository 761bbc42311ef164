// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/queue/own_run.h"

#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/agent_lock.h"

#include <algorithm>
#include <unistd.h>

namespace roadtune::remote {

namespace {

Result<protocol::Manifest> manifestIn(const QueueJob& job) {
  return protocol::readManifest(protocol::RunLayout(job.folder).manifest());
}

}  // namespace

std::optional<protocol::Manifest> ownRun(const QueueJob& job) {
  const auto there = manifestIn(job);
  if (!there.ok()) return std::nullopt;
  const protocol::Manifest& run = there.value();
  // Earlier versions kept no ids: what is older than the job's start was there before it.
  const bool own = job.runs.empty() ? job.started > 0 && run.created >= job.started
                                    : std::find(job.runs.begin(), job.runs.end(), run.runId) != job.runs.end();
  return own ? std::optional(run) : std::nullopt;
}

bool hasBegun(const QueueJob& job) {
  const auto there = manifestIn(job);
  if (!there.ok() || job.runs.empty()) return false;
  const protocol::Manifest& run = there.value();
  if (run.runId != job.runs.back() || run.attempt < job.starting) return false;
  return std::any_of(run.nodes.begin(), run.nodes.end(), [&job](const protocol::ManifestNode& node) {
    return !node.address.empty() || node.agentPid > 0 || AgentLock::holder(job.folder, node.node);
  });
}

std::string newRunId(const QueueJob& job) {
  const auto salt = static_cast<std::uint64_t>(::getpid()) + static_cast<std::uint64_t>(monotonicSeconds() * 1e6);
  return protocol::makeRunId(wallSeconds(), hash64(job.folder, salt));
}

}  // namespace roadtune::remote
