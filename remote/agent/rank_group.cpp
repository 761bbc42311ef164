// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/rank_group.h"

#include "core/base/clock.h"
#include "core/protocol/control.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <sys/wait.h>

namespace roadtune::remote {

Status RankGroup::start(const RankPlan& plan, const std::vector<std::string>& command,
                        const protocol::RunLayout& layout, const Variables& variables) {
  for (int local = 0; local < plan.processes; ++local)
    if (Status started = startOne(plan, command, layout, variables, local); !started.ok()) {
      signalAll(SIGKILL);
      while (anyLeft()) {
        reap();
        ::usleep(1000);
      }
      return started;
    }
  return {};
}

Status RankGroup::startOne(const RankPlan& plan, const std::vector<std::string>& command,
                           const protocol::RunLayout& layout, const Variables& variables, int localRank) {
  const int rank = plan.firstRank + localRank;
  const UniqueFd log(::open(layout.rankLog(rank).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  // A rank without a log is better than no rank: the disk may have room again later.
  if (!log.valid()) std::fprintf(stderr, "%s\n", systemError("no log", layout.rankLog(rank).string()).text().c_str());
  SpawnOptions options;
  options.command = command;
  options.environment = rankEnvironment(plan, localRank);
  options.environment.insert(options.environment.end(), variables.begin(), variables.end());
  options.environment.emplace_back(protocol::kAgentVariable, std::to_string(::getpid()));
  options.input = Stream::pipe();
  options.output = log.valid() ? Stream::given(log.get()) : Stream::null();
  options.error = options.output;
  options.newGroup = true;
  ROADTUNE_TRY(Subprocess child, Subprocess::start(options));
  RankProcess process{.localRank = localRank, .rank = rank, .started = monotonicSeconds()};
  process.id.pid = child.pid();
  if (const auto entry = lookUpProcess(child.pid())) process.id = entry->id;
  m_ranks.push_back(process);
  m_inputs.push_back(std::move(child.input()));
  ::fcntl(m_inputs.back().get(), F_SETFL, O_NONBLOCK);
  return {};
}

int RankGroup::send(const std::string& line) {
  const std::string text = line + "\n";
  int taken = 0;
  for (std::size_t i = 0; i < m_ranks.size(); ++i) {
    if (m_ranks[i].exit || !m_inputs[i].valid()) continue;
    // Lines are shorter than PIPE_BUF: written as a whole or not at all.
    if (::write(m_inputs[i].get(), text.data(), text.size()) == static_cast<ssize_t>(text.size())) ++taken;
  }
  return taken;
}

void RankGroup::signalAll(int signal) {
  for (const auto& rank : m_ranks)
    if (!rank.exit) ::kill(-rank.id.pid, signal);
}

std::vector<RankProcess> RankGroup::reap() {
  std::vector<RankProcess> ended;
  int status = 0;
  for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;)
    for (std::size_t i = 0; i < m_ranks.size(); ++i) {
      if (m_ranks[i].id.pid != pid || m_ranks[i].exit) continue;
      m_ranks[i].exit = ExitStatus::fromWait(status);
      m_ranks[i].ended = monotonicSeconds();
      m_inputs[i].reset();
      ended.push_back(m_ranks[i]);
    }
  return ended;
}

bool RankGroup::anyLeft() const {
  for (const auto& rank : m_ranks)
    if (!rank.exit) return true;
  return false;
}

}  // namespace roadtune::remote
