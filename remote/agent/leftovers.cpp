// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/leftovers.h"

#include "core/base/clock.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/agent_lock.h"
#include "remote/agent/process_table.h"
#include "remote/agent/rank_cgroup.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <unistd.h>

namespace roadtune::remote {

namespace fs = std::filesystem;

namespace {

constexpr useconds_t kGlance = 50'000;

struct Left {
  ProcessId id;
  bool inGroup = false;  // found in the ranks' control group, not by what the agent wrote
};

// Whose process it is, by the log that it writes and the folder that it was told.
enum class Owner { ThisRun, OtherRun, Unknown };

struct Owned {
  Owner owner = Owner::Unknown;
  fs::path other = {};
};

bool isSame(const fs::path& a, const fs::path& b) {
  std::error_code code;
  return fs::equivalent(a, b, code) && !code;
}

// A folder that was moved takes its logs along, and the paths that its ranks were told lead nowhere, or to a new folder
// of the old name: so the logs are asked first.
Owned ownerOf(pid_t pid, const fs::path& run) {
  const fs::path process = fmt::format("/proc/{}", pid);
  const protocol::RunLayout layout(run);
  std::error_code code;
  Owned owned;
  for (const char* stream : {"fd/1", "fd/2"}) {
    const fs::path log = fs::read_symlink(process / stream, code);
    if (code || log.parent_path().filename() != layout.logs().filename()) continue;
    if (isSame(process / stream, layout.logs() / log.filename())) return {Owner::ThisRun};
    if (isSame(process / stream, log)) owned = {Owner::OtherRun, log.parent_path().parent_path()};
  }
  if (owned.owner == Owner::OtherRun) return owned;
  const auto words = argumentsOf(pid);
  const auto option = std::find(words.begin(), words.end(), "--run");
  if (option == words.end() || option + 1 == words.end()) return {};
  const fs::path told = process / "cwd" / *(option + 1);  // an absolute one stays as it is
  if (!fs::is_directory(told, code)) return {};
  return isSame(told, run) ? Owned{Owner::ThisRun} : Owned{Owner::OtherRun, *(option + 1)};
}

// Every process that the node's events name and that lives.
std::vector<Left> namedProcesses(const fs::path& run, int node) {
  std::vector<Left> left;
  std::string group;
  const auto add = [&left](const ProcessId& id, bool inGroup) {
    const bool known = std::any_of(left.begin(), left.end(), [&](const Left& one) { return one.id == id; });
    if (!known && isAlive(id)) left.push_back({id, inGroup});
  };
  protocol::EventReader reader(protocol::RunLayout(run).nodeEvents(node));
  [[maybe_unused]] const Status read = reader.pollFlat([&](const protocol::FlatEvent& event) {
    if (event.kind == "group") group = event.members.textOr("cgroup");
    if (event.kind != "process" || event.members.textOr("state") != "started") return;
    add({static_cast<pid_t>(event.members.integerOr("pid", -1)),
         static_cast<std::uint64_t>(event.members.integerOr("start_ticks", 0))},
        false);
  });
  if (!group.empty())
    for (const pid_t pid : RankCgroup(group).members())
      if (const auto process = lookUpProcess(pid)) add(process->id, true);
  return left;
}

// Ranks and what they started; not the agent. What says nothing of itself belongs to whom the others do.
std::vector<Left> leftOfRanks(const fs::path& run, int node, fs::path* original = nullptr) {
  std::vector<Left> ours, unknown;
  bool others = false;
  for (const Left& one : namedProcesses(run, node)) {
    const Owned owned = ownerOf(one.id.pid, run);
    if (owned.owner == Owner::ThisRun) ours.push_back(one);
    if (owned.owner == Owner::Unknown) unknown.push_back(one);
    if (owned.owner == Owner::OtherRun && original) *original = owned.other;
    others |= owned.owner == Owner::OtherRun;
  }
  if (!ours.empty() || !others) ours.insert(ours.end(), unknown.begin(), unknown.end());
  return ours;
}

// An agent whose ranks have ended says its last word and goes; one that hangs is killed, and its guardian, woken where
// it was stopped with it, says that word.
void endAgent(const fs::path& run, int node, double grace) {
  const auto goes = [&] {
    for (const double deadline = monotonicSeconds() + grace; monotonicSeconds() < deadline; ::usleep(kGlance))
      if (!AgentLock::holder(run, node)) return true;
    return false;
  };
  const auto agent = AgentLock::holder(run, node);
  if (!agent || goes()) return;
  const auto entry = lookUpProcess(agent->pid);
  if (!entry || !(entry->id == *agent)) return;
  ::kill(entry->id.pid, SIGKILL);
  if (entry->parent > 1) ::kill(entry->parent, SIGCONT);
  goes();
}

}  // namespace

std::vector<std::string> leftovers(const fs::path& run, int node) {
  std::vector<std::string> left;
  for (const auto& [id, inGroup] : leftOfRanks(run, node))
    left.push_back(fmt::format("process {} ({}){}", id.pid, commandLineOf(id.pid).substr(0, 80),
                               inGroup ? ", in the ranks' control group" : ""));
  if (const auto holder = AgentLock::holder(run, node)) left.push_back(fmt::format("agent: process {}", holder->pid));
  return left;
}

std::optional<fs::path> livingOriginal(const fs::path& run) {
  fs::path original;
  for (const int node : protocol::RunLayout(run).nodesWithEvents())
    if (!leftOfRanks(run, node, &original).empty() || AgentLock::holder(run, node)) return std::nullopt;
  return original.empty() ? std::nullopt : std::optional(original);
}

void endLeftovers(const fs::path& run, int node, double grace) {
  const auto signalAll = [&](int signal) {
    const auto left = leftOfRanks(run, node);
    for (const auto& one : left) ::kill(one.id.pid, signal);
    return left.size();
  };
  const double deadline = monotonicSeconds() + grace;
  if (signalAll(SIGTERM) > 0) {
    while (!leftOfRanks(run, node).empty() && monotonicSeconds() < deadline) ::usleep(kGlance);
    const double last = monotonicSeconds() + 1;
    while (signalAll(SIGKILL) > 0 && monotonicSeconds() < last) ::usleep(kGlance);
  }
  endAgent(run, node, grace);
}

}  // namespace roadtune::remote
