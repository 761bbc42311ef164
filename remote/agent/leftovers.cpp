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

namespace {

constexpr useconds_t kGlance = 50'000;

struct Left {
  ProcessId id;
  bool inGroup = false;  // found in the ranks' control group, not by what the agent wrote
};

// Ranks and what they started; not the agent.
std::vector<Left> leftOfRanks(const std::filesystem::path& run, int node) {
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

// An agent whose ranks have ended says its last word and goes; one that hangs is killed, and its guardian, woken where
// it was stopped with it, says that word.
void endAgent(const std::filesystem::path& run, int node, double grace) {
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

std::vector<std::string> leftovers(const std::filesystem::path& run, int node) {
  std::vector<std::string> left;
  for (const auto& [id, inGroup] : leftOfRanks(run, node))
    left.push_back(fmt::format("process {} ({}){}", id.pid, commandLineOf(id.pid).substr(0, 80),
                               inGroup ? ", in the ranks' control group" : ""));
  if (const auto holder = AgentLock::holder(run, node)) left.push_back(fmt::format("agent: process {}", holder->pid));
  return left;
}

void endLeftovers(const std::filesystem::path& run, int node, double grace) {
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
