// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/run_state.h"

#include "core/base/files.h"
#include "core/base/host_name.h"
#include "core/base/text.h"
#include "core/base/unique_fd.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace roadtune::runs {

namespace {

// A process that ends writes its last events first; so long after its death nothing more is to be expected.
constexpr double kLastWordsSeconds = 3;

// Field 22 of /proc/PID/stat, counted behind the command's name (which may hold blanks and brackets).
std::uint64_t startTicks(std::int64_t pid) {
  const Result<std::string> stat = readFile("/proc/" + std::to_string(pid) + "/stat");
  if (!stat.ok()) return 0;
  const std::size_t close = stat.value().rfind(')');
  if (close == std::string::npos || close + 2 > stat.value().size()) return 0;
  const auto fields = split(std::string_view(stat.value()).substr(close + 2), ' ');
  if (fields.size() < 20 || fields[0] == "Z") return 0;
  std::uint64_t ticks = 0;
  std::from_chars(fields[19].data(), fields[19].data() + fields[19].size(), ticks);
  return ticks;
}

}  // namespace

std::string_view name(RunState state) {
  switch (state) {
    case RunState::Created: return "created";
    case RunState::Running: return "running";
    case RunState::Finished: return "finished";
    case RunState::Stopped: return "stopped";
    case RunState::Failed: return "failed";
    case RunState::Lost: return "lost";
  }
  return "";
}

bool isPaused(const std::vector<Phase>& phases) {
  return !phases.empty() && !phases.back().end && phases.back().name == "paused";
}

bool isBroken(RunState state) {
  return state == RunState::Stopped || state == RunState::Failed || state == RunState::Lost;
}

Alive isAlive(const Witness& witness) {
  if (witness.pid <= 0 || witness.host != hostName()) return Alive::Unknown;
  const std::uint64_t ticks = startTicks(witness.pid);
  if (ticks == 0) return Alive::No;
  if (witness.startTicks != 0 && witness.startTicks != ticks) return Alive::No;  // the number went to another process
  return Alive::Yes;
}

double lastHeard(const protocol::RunLayout& layout, const protocol::Manifest& manifest) {
  double last = 0;
  for (const auto& node : manifest.nodes) {
    std::error_code code;
    const auto written = fs::last_write_time(layout.nodeEvents(node.node), code);
    if (!node.address.empty() && !code) last = std::max(last, secondsOf(written));
  }
  return last;
}

bool isUnfollowed(const protocol::RunLayout& layout, const protocol::Manifest& manifest) {
  return std::any_of(manifest.nodes.begin(), manifest.nodes.end(), [&](const auto& node) {
    if (node.address.empty()) return false;
    const UniqueFd lock(::open(layout.mirrorLock(node.node).c_str(), O_RDONLY | O_CLOEXEC));
    return !lock.valid() || ::flock(lock.get(), LOCK_SH | LOCK_NB) == 0;
  });
}

bool isStartedAgain(const protocol::Manifest& manifest, std::int64_t agent) {
  return agent > 0 && std::any_of(manifest.nodes.begin(), manifest.nodes.end(), [agent](const auto& node) {
           return node.node == 0 && !node.address.empty() && node.agentPid > 0 && node.agentPid != agent;
         });
}

double secondsOf(fs::file_time_type time) {
  return std::chrono::duration<double>(fs::file_time_type::clock::to_sys(time).time_since_epoch()).count();
}

std::optional<double> staleSince(const StateClues& clues, RunState state) {
  const bool open = state == RunState::Running || state == RunState::Created;
  return clues.stale && open && clues.lastEvent > 0 ? std::optional(clues.lastEvent) : std::nullopt;
}

RunState decideState(const StateClues& clues, double now, double lostAfterSeconds) {
  if (clues.endReason == "finished") return RunState::Finished;
  if (clues.endReason == "stopped") return RunState::Stopped;
  if (clues.endReason == "lost") return RunState::Lost;
  if (!clues.endReason.empty()) return RunState::Failed;
  if (clues.agentEnded) return RunState::Failed;
  if (clues.stale) return clues.started ? RunState::Running : RunState::Created;
  const double silence = now - std::max(clues.lastEvent, clues.heard);
  bool allDead = !clues.witnesses.empty();
  for (const Witness& witness : clues.witnesses) {
    const Alive alive = isAlive(witness);
    if (alive == Alive::Yes) return RunState::Running;
    if (alive == Alive::Unknown) allDead = false;
  }
  if (!clues.started) return allDead ? RunState::Lost : RunState::Created;
  if (allDead) return silence > kLastWordsSeconds ? RunState::Lost : RunState::Running;
  return silence > lostAfterSeconds ? RunState::Lost : RunState::Running;
}

}  // namespace roadtune::runs
