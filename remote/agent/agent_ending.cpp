// SPDX-License-Identifier: GPL-3.0-or-later
// How a life of the ranks ends: who failed first and why, whether they start again, and the agent's last word.
#include "core/base/clock.h"
#include "core/base/exit_code.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/protocol/exchange_log.h"
#include "core/protocol/known_failure.h"
#include "core/protocol/manifest.h"
#include "remote/agent/agent.h"
#include "remote/agent/last_word.h"
#include "remote/agent/log_tail.h"
#include "remote/agent/machine_processes.h"
#include "remote/agent/oom.h"
#include "remote/agent/spare_room.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace roadtune::remote {

using nlohmann::json;

namespace {

constexpr std::size_t kShownLines = 12, kReadLines = 60;
constexpr double kGpuPatience = 5;  // seconds

json bodyOf(const protocol::Exchange& exchange) {
  return {{"number", exchange.number}, {"what", exchange.what},         {"group", exchange.group},
          {"bytes", exchange.bytes},   {"finished", exchange.finished}, {"begun", exchange.time}};
}

}  // namespace

std::vector<std::string> Agent::logOf(int rank, std::size_t lines) const {
  const auto began = m_logBegins.find(rank);
  return lastLines(m_layout.rankLog(rank), lines, began == m_logBegins.end() ? 0 : began->second);
}

std::optional<LastWord> Agent::wordOf(int rank) const {
  const auto began = m_eventBegins.find(rank);
  return lastWord(m_layout.rankEvents(rank), began == m_eventBegins.end() ? 0 : began->second);
}

// The last word of a rank; one that could not even say it, on a disk that is full, ended for that.
std::string Agent::lastWordOf(const RankProcess& rank) const {
  if (const auto word = wordOf(rank.rank)) return word->message;
  return rank.exit->signal == 0 && isDiskFull(m_layout.root()) ? std::strerror(ENOSPC) : std::string();
}

std::optional<protocol::KnownFailure> Agent::explain(const RankProcess& rank) const {
  auto known = protocol::explainLog(logOf(rank.rank, kReadLines));
  return known ? known : protocol::explainLog({lastWordOf(rank)});
}

void Agent::tell(const RankAlarm& alarm) {
  json body{{"message", alarm.message}, {"where", fmt::format("rank {}", alarm.rank)}, {"hint", alarm.hint}};
  for (const auto& [rank, exchange] : alarm.exchanges) {
    json one = bodyOf(exchange);
    one["rank"] = rank;
    body["exchanges"].push_back(std::move(one));
  }
  m_events->write("warning", m_watch->lastStep(), std::move(body));
  std::fputs((alarm.message + "\n").c_str(), stderr);
}

void Agent::watchRanks(double now) {
  m_watch->look(now);
  if (m_ladder.requested()) return;  // they are being ended; standing still is no news
  if (const auto alarm = m_watch->straggler()) tell(*alarm);
  if (const auto alarm = m_watch->relief()) tell(*alarm);
  const auto alarm = m_watch->stall(now, m_ranks.ranks());
  if (!alarm) return;
  tell(*alarm);
  if (!m_options.supervision.endStalled) return;
  m_stalled = alarm;
  m_ladder.request(now, 0, m_options.killGrace);
}

// The rank whose end is the cause. One that was killed, or says something telling itself, comes before one that only
// lost its neighbour.
const RankProcess* Agent::firstCause() const {
  for (const auto& rank : m_failed) {
    const auto known = explain(rank);
    if (rank.exit->signal != 0 || !known || !known->consequence) return &rank;
  }
  return m_failed.empty() ? nullptr : &m_failed.front();
}

// Is the failure one that need not happen again? Wrong input, full disks and want of memory do.
bool Agent::mayPass(const RankProcess& cause) const {
  if (cause.exit->code == kExitBadInput || cause.exit->code == kExitMissing) return false;
  if (cause.exit->signal == SIGKILL && oomKills() > m_oomKillsBefore) return false;
  if (const auto word = wordOf(cause.rank); word && word->reason == "diverged") return false;
  const auto known = explain(cause);
  return known ? known->transient : cause.exit->signal != 0;
}

bool Agent::restart() {
  const RankProcess* cause = firstCause();
  const int allowed = m_options.supervision.maxRestarts;
  if (m_stopAsked || (!cause && !m_stalled) || m_restarts >= allowed) return false;
  if (!m_stalled && !mayPass(*cause)) return false;
  m_watch->look(monotonicSeconds());
  const std::int64_t failedStep = m_watch->lastStep();
  if (failedStep == m_lastFailedStep) {
    tell({.rank = cause ? cause->rank : m_stalled->rank,
          .message = fmt::format("it failed at step {} again: not started once more", failedStep)});
    return false;
  }
  m_lastFailedStep = failedStep;
  const auto checkpoint = m_layout.lastCompleteCheckpoint();
  const std::int64_t from = checkpoint ? checkpoint->step : 0;
  const std::string why =
      m_stalled ? m_stalled->message : fmt::format("rank {} failed first: {}", cause->rank, cause->exit->text());
  ++m_restarts;
  tell({.rank = cause ? cause->rank : m_stalled->rank,
        .message = fmt::format("{}; started again from {} ({} of {} restarts), {} steps are repeated", why,
                               checkpoint ? checkpoint->path.filename().string() : "the beginning", m_restarts, allowed,
                               std::max<std::int64_t>(0, failedStep - from))});
  m_events->write("restart", failedStep, {{"from_step", from}, {"repeated_steps", failedStep - from}, {"why", why}});
  m_failed.clear();
  m_stalled.reset();
  m_ladder = {};
  m_terminated = false;
  m_ranks = {};
  if (const Status ready = choosePort(); !ready.ok()) return tell({.message = ready.error().text()}), false;
  if (const Status started = startRanks(); !started.ok()) return tell({.message = started.error().text()}), false;
  updateManifest();
  return true;
}

json Agent::failureBody(const RankProcess& cause) const {
  const ExitStatus& exit = *cause.exit;
  std::string message = fmt::format("rank {} failed first: {}", cause.rank, exit.text());
  if (exit.signal == SIGKILL && oomKills() > m_oomKillsBefore) message += " by the kernel, which ran out of memory";
  if (const std::string word = lastWordOf(cause); !word.empty()) message += ": " + word;
  json body{{"reason", "failed"}, {"transient", mayPass(cause)}};
  body["exit_code"] = exit.code == kExitBadInput || exit.code == kExitMissing ? exit.code : int{kExitFailed};
  body["first_failed"] = {
      {"rank", cause.rank}, {"exit_code", exit.code}, {"signal", exit.signal}, {"log", logOf(cause.rank, kShownLines)}};
  if (const auto exchange = protocol::lastExchange(m_layout.rankExchanges(cause.rank)))
    body["first_failed"]["exchange"] = bodyOf(*exchange);
  if (const auto known = explain(cause)) {
    body["first_failed"]["known"] = {
        {"id", known->id}, {"title", known->title}, {"advice", known->advice}, {"consequence", known->consequence}};
    if (lower(message).find(lower(known->title)) == std::string::npos) message += ". " + known->title;
  }
  body["message"] = message;
  return body;
}

json Agent::stallBody() const {
  return {{"reason", "failed"},
          {"exit_code", int{kExitFailed}},
          {"transient", true},
          {"message", m_stalled->message},
          {"first_failed",
           {{"rank", m_stalled->rank},
            {"exit_code", 0},
            {"signal", 0},
            {"log", logOf(m_stalled->rank, kShownLines)},
            {"known", {{"id", "stall"}, {"title", "A rank stalled"}, {"advice", m_stalled->hint}}}}}};
}

// A driver gives memory back a moment after the process is gone.
std::optional<int> Agent::ranksOnCards() const {
  if (!m_nvml) return {};
  std::vector<pid_t> ranks;
  for (const auto& rank : m_ranks.ranks()) ranks.push_back(rank.id.pid);
  for (const double deadline = monotonicSeconds() + kGpuPatience;; ::usleep(100'000))
    if (const int left = onCards(*m_nvml, ranks); left == 0 || monotonicSeconds() > deadline) return left;
}

// Ranks that had to be ended may have come to their last checkpoint before that, or not.
std::string Agent::wordsOfStop() const {
  if (m_stopNowAsked) return "stopped without saving";
  if (!m_terminated) return m_watch->lastStep() > 0 ? "saved and stopped" : "stopped before its first step";
  const auto checkpoint = m_layout.lastCompleteCheckpoint();
  const bool saved = checkpoint && checkpoint->step >= m_watch->lastStep();
  return saved ? "saved, but ended by force" : "ended without saving: the ranks had not stopped by themselves in time";
}

int Agent::finish() {
  m_watch->look(monotonicSeconds());
  json body{{"reason", "finished"}, {"exit_code", 0}, {"message", ""}};
  const bool stopped = std::any_of(m_ranks.ranks().begin(), m_ranks.ranks().end(),
                                   [this](const auto& rank) { return wasStopped(rank); });
  const RankProcess* cause = firstCause();
  if (m_stalled) {
    body = stallBody();
  } else if (cause) {
    body = failureBody(*cause);
  } else if (stopped) {
    body["reason"] = "stopped";
    body["exit_code"] = int{kExitInterrupted};
    body["message"] = wordsOfStop();
  }
  body["left"] = descendantsOf(::getpid()).size();
  if (m_cgroup) {
    body["left"] = std::max(descendantsOf(::getpid()).size(), m_cgroup->members().size());
    body["cgroup_removed"] = m_cgroup->remove();
  }
  if (const auto left = ranksOnCards()) body["gpu_left"] = *left;
  sayGoodbye(body);
  return body["exit_code"];
}

// On a full disk the spare room is for the last word alone: what waits to be written before it is let go.
void Agent::sayGoodbye(const json& body) {
  bool said = false;
  if (!m_events->trouble()) {
    m_events->write("bye", 0, body);
    said = m_events->flush();
  }
  if (!said) m_events.reset();
  const int node = m_options.plan.node;
  giveUpSpareRoom(m_options.run, node);
  if (said) return;
  if (auto events = protocol::EventWriter::open(m_layout.nodeEvents(node), node); events.ok())
    events.value()->write("bye", 0, body);
}

}  // namespace roadtune::remote
