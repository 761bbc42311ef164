// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/agent_lock.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace roadtune::remote {

namespace fs = std::filesystem;

fs::path agentLockPath(const fs::path& run, int node) { return run / fmt::format("agent-{:02}.lock", node); }

namespace {

ProcessId readHolder(int fd) {
  char text[64] = {};
  ProcessId id;
  long long pid = -1;
  unsigned long long start = 0;
  if (::pread(fd, text, sizeof text - 1, 0) > 0 && std::sscanf(text, "%lld %llu", &pid, &start) == 2)
    id = {static_cast<pid_t>(pid), start};
  return id;
}

}  // namespace

Result<AgentLock> AgentLock::take(const fs::path& run, int node) {
  const fs::path path = agentLockPath(run, node);
  UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!fd.valid()) return systemError("cannot write into the run's folder", path.string());
  // Somebody who only looks whether the run is alive holds the lock for a moment: a few tries tell the two apart.
  for (int attempt = 0; ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0; ++attempt) {
    if (errno != EWOULDBLOCK && errno != EINTR) return systemError("cannot lock", path.string());
    if (attempt < 20) {
      ::usleep(10'000);
      continue;
    }
    return failed(fmt::format("this run is already going on (agent {} on this machine)", readHolder(fd.get()).pid),
                  run.string(), "roadtune attach, or roadtune stop, with this folder");
  }
  // What a former agent left here must not pass for the name of this one.
  [[maybe_unused]] const int ignored = ::ftruncate(fd.get(), 0);
  return AgentLock(std::move(fd));
}

Status AgentLock::name(const ProcessId& agent) {
  const std::string text = fmt::format("{} {}\n", agent.pid, agent.startTicks);
  if (::ftruncate(m_fd.get(), 0) != 0 || ::pwrite(m_fd.get(), text.data(), text.size(), 0) < 0)
    return systemError("cannot write the agent's lock file");
  return {};
}

std::optional<ProcessId> AgentLock::holder(const fs::path& run, int node) {
  UniqueFd fd(::open(agentLockPath(run, node).c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return std::nullopt;
  if (::flock(fd.get(), LOCK_SH | LOCK_NB) == 0) return std::nullopt;
  return readHolder(fd.get());
}

}  // namespace roadtune::remote
