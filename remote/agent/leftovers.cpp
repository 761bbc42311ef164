// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/leftovers.h"

#include "core/protocol/event_reader.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/agent_lock.h"
#include "remote/agent/process_table.h"
#include "remote/agent/rank_cgroup.h"

#include <fmt/format.h>

namespace roadtune::remote {

std::vector<std::string> leftovers(const std::filesystem::path& run, int node) {
  std::vector<std::string> left;
  std::string group;
  protocol::EventReader reader(protocol::RunLayout(run).nodeEvents(node));
  [[maybe_unused]] const Status read = reader.pollFlat([&](const protocol::FlatEvent& event) {
    if (event.kind == "group") group = event.members.textOr("cgroup");
    if (event.kind != "process" || event.members.textOr("state") != "started") return;
    const ProcessId id{static_cast<pid_t>(event.members.integerOr("pid", -1)),
                       static_cast<std::uint64_t>(event.members.integerOr("start_ticks", 0))};
    if (isAlive(id)) left.push_back(fmt::format("process {} ({})", id.pid, commandLineOf(id.pid).substr(0, 80)));
  });
  if (!group.empty())
    for (const pid_t pid : RankCgroup(group).members())
      left.push_back(
          fmt::format("process {} ({}), in the ranks' control group", pid, commandLineOf(pid).substr(0, 80)));
  if (const auto holder = AgentLock::holder(run, node)) left.push_back(fmt::format("agent: process {}", holder->pid));
  return left;
}

}  // namespace roadtune::remote
