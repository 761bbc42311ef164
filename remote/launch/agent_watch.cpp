// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/agent_watch.h"

#include "core/base/clock.h"
#include "core/base/exit_code.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/protocol/exchange_log.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/agent_lock.h"
#include "remote/agent/log_tail.h"
#include "remote/agent/spare_room.h"
#include "remote/launch/run_control.h"
#include "remote/launch/run_folder.h"
#include "remote/launch/self_led_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <unistd.h>

namespace roadtune::remote {

namespace {

constexpr std::size_t kLogLines = 12;
constexpr const char* kFreeSpace = "free some space, then roadtune resume";
constexpr double kSilence = 30;  // seconds without a way to a machine, after which its neighbours' word counts

// "sum no. 4,312 of 25.2 MB, begun 61 s before the end and not finished".
std::string exchangeWords(const nlohmann::json& body, double end) {
  protocol::Exchange exchange{static_cast<std::uint64_t>(protocol::integerOr(body, "number", 0)),
                              protocol::textOr(body, "what"), protocol::textOr(body, "group"),
                              static_cast<std::uint64_t>(protocol::integerOr(body, "bytes", 0))};
  const bool finished = body.value("finished", false);
  const double before = end - protocol::numberOr(body, "begun", end);
  return exchange.text() + ", begun " + formatDuration(std::max(0.0, before)) + " before the end and " +
         (finished ? "finished" : "not finished");
}

}  // namespace

AgentWatch::AgentWatch(fs::path run) : m_run(std::move(run)) {
  const protocol::RunLayout layout(m_run);
  const auto manifest = protocol::readManifest(layout.manifest());
  const std::size_t nodes = manifest.ok() ? std::max<std::size_t>(1, manifest.value().nodes.size()) : 1;
  for (std::size_t node = 0; node < nodes; ++node) m_nodes.emplace_back(layout.nodeEvents(static_cast<int>(node)));
  if (manifest.ok() && nodes > 1)
    for (std::size_t node = 0; node < nodes; ++node) m_nodes[node].machine = manifest.value().nodes[node].address;
}

void AgentWatch::take(Node& node, const protocol::FlatEvent& flat) {
  if (flat.kind == "hello") node.outcome.reset();
  if (flat.kind != "bye") return;
  const auto decoded = protocol::decode(flat.line);
  if (!decoded.ok()) return;
  const protocol::Event& event = decoded.value();
  RunOutcome outcome;
  outcome.reason = protocol::textOr(event.body, "reason");
  outcome.exitCode = static_cast<int>(protocol::integerOr(event.body, "exit_code", kExitFailed));
  outcome.message = protocol::textOr(event.body, "message");
  if (const auto found = event.body.find("transient"); found != event.body.end() && found->is_boolean())
    outcome.mayPass = found->get<bool>();
  if (const auto first = event.body.find("first_failed"); first != event.body.end() && first->is_object()) {
    outcome.firstFailedRank = static_cast<int>(protocol::integerOr(*first, "rank", 0));
    if (const auto lines = first->find("log"); lines != first->end() && lines->is_array())
      for (const auto& line : *lines)
        if (line.is_string()) outcome.lastLines.push_back(line.get<std::string>());
    if (const auto exchange = first->find("exchange"); exchange != first->end() && exchange->is_object())
      outcome.exchange = exchangeWords(*exchange, event.t);
    if (const auto known = first->find("known"); known != first->end() && known->is_object()) {
      outcome.advice = protocol::textOr(*known, "advice");
      outcome.consequence = known->value("consequence", false);
    }
  }
  if (outcome.message == kDiskWasFull) outcome.advice = kFreeSpace;
  if ((outcome.reason == "failed" || outcome.reason == "lost") && !node.machine.empty())
    outcome.message = node.machine + ": " + outcome.message;
  node.ended = event.t;
  node.outcome = std::move(outcome);
}

std::optional<RunOutcome> AgentWatch::told() const {
  const auto& first = m_nodes.front().outcome;
  // Ranks that lost a neighbour fail, and those whose neighbour's agent died save and stop: the cause is told
  // elsewhere.
  const bool maybeCausedElsewhere =
      first && (first->reason == "stopped" || (first->reason == "failed" && first->consequence));
  if (!maybeCausedElsewhere) return first;
  const Node* cause = nullptr;
  for (const auto& node : m_nodes)
    if (node.outcome && (node.outcome->reason == "failed" || node.outcome->reason == "lost") &&
        !node.outcome->consequence && (!cause || node.ended < cause->ended))
      cause = &node;
  if (cause || first->reason == "stopped") return cause ? cause->outcome : first;
  // Where its ranks were stopped, the others had not heard of it yet when they lost them.
  for (const auto& node : m_nodes)
    if (node.outcome && node.outcome->reason == "stopped") return node.outcome;
  return first;
}

// A machine that was switched off says nothing, and its neighbours end for want of it.
std::optional<RunOutcome> AgentWatch::withoutTheSilent(const std::vector<std::string>& unreached) {
  std::vector<std::string> silent;
  const RunOutcome* ended = nullptr;
  for (const auto& node : m_nodes) {
    if (node.outcome && !ended && node.outcome->reason != "finished") ended = &*node.outcome;
    if (!node.outcome) silent.push_back(node.machine);
  }
  const bool all = std::all_of(silent.begin(), silent.end(), [&](const std::string& machine) {
    return std::find(unreached.begin(), unreached.end(), machine) != unreached.end();
  });
  if (!ended || silent.empty() || !all) {
    m_silentSince.reset();
    return std::nullopt;
  }
  if (!m_silentSince) m_silentSince = monotonicSeconds();
  if (monotonicSeconds() - *m_silentSince < kSilence) return std::nullopt;
  const auto cause = told();
  RunOutcome outcome = cause ? *cause : *ended;
  if (!cause || cause->consequence) outcome.reason = "lost";
  outcome.message +=
      fmt::format("; {} cannot be reached, and what came of the run there is not known", join(silent, ", "));
  return outcome;
}

// The others may still have a better word for it, once theirs have ended.
std::optional<RunOutcome> AgentWatch::withoutTheLost(const std::string& lost) {
  if (!m_lostSince) m_lostSince = monotonicSeconds();
  const bool ended = std::any_of(m_nodes.begin(), m_nodes.end(), [](const Node& node) { return node.outcome; });
  if (m_nodes.size() > 1 && !ended && monotonicSeconds() - *m_lostSince < kSilence) return std::nullopt;
  const bool full = lost.find(kDiskWasFull) != std::string::npos;
  return RunOutcome{.reason = "lost", .exitCode = kExitFailed, .message = lost, .advice = full ? kFreeSpace : ""};
}

RunOutcome AgentWatch::goneWithoutAWord() const {
  RunOutcome lost{.reason = "lost",
                  .exitCode = kExitFailed,
                  .message = "the run's agent is gone without a word: it was killed, or the machine was restarted"};
  if (wasDiskFull(m_run, 0)) {
    lost.message = kDiskWasFull;
    lost.advice = kFreeSpace;
  }
  if (const Status left = requireNothingLeft(m_run); !left.ok())
    lost.message += "; its ranks save and end by themselves, `roadtune stop --now` ends them at once";
  lost.lastLines = lastLines(protocol::RunLayout(m_run).agentLog(0), kLogLines);
  return lost;
}

std::optional<RunOutcome> AgentWatch::poll(const std::vector<std::string>& unreached, const std::string& lost) {
  // Asked before reading: an agent that ends in between has written its last word before it let go of the lock.
  const bool alive = isAlive(m_run);
  for (auto& node : m_nodes)
    [[maybe_unused]] const Status read =
        node.events.pollFlat([&node](const protocol::FlatEvent& event) { take(node, event); });
  if (!alive && m_nodes.front().outcome) return told();
  if (alive && !lost.empty()) return withoutTheLost(lost);
  m_lostSince.reset();
  if (alive) return withoutTheSilent(unreached);
  return isSelfLed(m_run) ? outcomeOfSelfLed(m_run) : goneWithoutAWord();
}

Error toError(const RunOutcome& outcome) {
  Error error = failed(outcome.message);
  if (outcome.exitCode == kExitBadInput) error.kind = ErrorKind::BadInput;
  if (outcome.exitCode == kExitMissing) error.kind = ErrorKind::Missing;
  if (outcome.exitCode == kExitInterrupted) error.kind = ErrorKind::Cancelled;
  for (const auto& line : outcome.lastLines) error.what += "\n    " + line;
  if (!outcome.exchange.empty()) error.what += "\n  last exchange with other ranks: " + outcome.exchange;
  if (!outcome.advice.empty()) error.what += "\n  what to do: " + outcome.advice;
  return error;
}

Result<bool> waitForStart(const fs::path& run, double limitSeconds, const protocol::ReaderPosition& told) {
  AgentWatch watch(run);
  protocol::EventReader rank(protocol::RunLayout(run).rankEvents(0), told);
  const double deadline = monotonicSeconds() + limitSeconds;
  bool greeted = false;
  while (!greeted && monotonicSeconds() < deadline) {
    ROADTUNE_CHECK(rank.pollFlat([&greeted](const protocol::FlatEvent& event) {
      if (event.kind == "hello") greeted = true;
      if (event.kind == "bye") greeted = false;
    }));
    if (greeted) break;
    if (const auto outcome = watch.poll()) {
      if (outcome->reason == "finished") return true;
      return toError(*outcome);
    }
    ::usleep(50'000);
  }
  return greeted;
}

}  // namespace roadtune::remote
