// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/self_led_run.h"

#include "core/base/exit_code.h"
#include "core/base/host_name.h"
#include "core/base/text.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/known_failure.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/last_word.h"
#include "remote/agent/log_tail.h"
#include "remote/agent/process_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace roadtune::remote {

namespace fs = std::filesystem;

namespace {

// Heartbeats come every 5 s, and shared file systems show them late. Where a rank has failed, others need no patience.
constexpr std::chrono::seconds kSilence{60}, kSilenceAfterFailure{20};
constexpr std::size_t kShownLines = 12, kReadLines = 60;

// What a rank says of itself in the latest of its lives.
struct Rank {
  int number = 0;
  std::string host;
  std::int64_t pid = 0;
  double lastEvent = 0;  // seconds since 1970, by its machine's clock
  std::string reason;    // of its goodbye; empty while it has said none
  std::string message;
  int exitCode = 0;

  bool failed() const { return reason != "finished" && reason != "stopped"; }
};

Rank readRank(const protocol::RunLayout& layout, int number) {
  Rank rank{.number = number};
  protocol::EventReader reader(layout.rankEvents(number));
  [[maybe_unused]] const Status read = reader.pollFlat([&rank](const protocol::FlatEvent& event) {
    rank.lastEvent = event.t;
    if (event.kind == "hello") {
      rank.host = event.members.textOr("host");
      rank.pid = event.members.integerOr("pid", 0);
    }
    const bool bye = event.kind == "bye";
    rank.reason = bye ? event.members.textOr("reason") : "";
    rank.message = bye ? event.members.textOr("message") : "";
    rank.exitCode = bye ? static_cast<int>(event.members.integerOr("exit_code", kExitFailed)) : 0;
  });
  return rank;
}

std::vector<Rank> readRanks(const fs::path& run) {
  const protocol::RunLayout layout(run);
  std::vector<Rank> ranks;
  for (const int number : layout.ranksWithEvents()) ranks.push_back(readRank(layout, number));
  return ranks;
}

fs::file_time_type changed(const fs::path& file) {
  std::error_code code;
  const auto time = fs::last_write_time(file, code);
  return code ? fs::file_time_type::min() : time;
}

bool isFresh(fs::file_time_type time, std::chrono::seconds limit) {
  return time != fs::file_time_type::min() && fs::file_time_type::clock::now() - time < limit;
}

// Ranks fail one after the other when the first of them does; the cause is the first that is not only a consequence.
const Rank* causeOf(const std::vector<Rank>& ranks, const protocol::RunLayout& layout) {
  std::vector<const Rank*> failed;
  for (const auto& rank : ranks)
    if (rank.failed()) failed.push_back(&rank);
  std::stable_sort(failed.begin(), failed.end(),
                   [](const Rank* a, const Rank* b) { return a->lastEvent < b->lastEvent; });
  for (const Rank* rank : failed) {
    const auto known = protocol::explainLog(lastLines(layout.rankLog(rank->number), kReadLines));
    if (!known || !known->consequence) return rank;
  }
  return failed.empty() ? nullptr : failed.front();
}

// A launcher kills the ranks that are left when one dies, and whichever was first is not to be told from heartbeats.
std::string silenceOf(const std::vector<Rank>& ranks, const Rank& first) {
  constexpr double kTogether = 15;  // seconds: three heartbeats
  constexpr std::size_t kNamed = 4;
  std::vector<std::string> silent;
  for (const auto& rank : ranks)
    if (rank.reason.empty() && rank.lastEvent - first.lastEvent < kTogether)
      silent.push_back(fmt::format("rank {} on {}", rank.number, rank.host));
  if (silent.size() == 1) return silent[0] + " fell silent without a word: it was killed, or its machine is gone";
  const std::size_t unnamed = silent.size() > kNamed ? silent.size() - kNamed : 0;
  silent.resize(silent.size() - unnamed);
  return fmt::format("{}{} fell silent without a word: they were killed, or their machines are gone",
                     join(silent, unnamed > 0 ? ", " : " and "),
                     unnamed > 0 ? fmt::format(" and {} more", unnamed) : "");
}

}  // namespace

bool isSelfLed(const fs::path& run) {
  const protocol::RunLayout layout(run);
  std::error_code code;
  return !fs::exists(layout.manifest(), code) && layout.nodesWithEvents().empty() && layout.isRun();
}

bool isSelfLedAlive(const fs::path& run) {
  const protocol::RunLayout layout(run);
  auto latest = fs::file_time_type::min(), latestOfSilent = latest;
  bool failed = false;
  for (const int rank : layout.ranksWithEvents()) {
    const auto time = changed(layout.rankEvents(rank));
    const auto word = lastWord(layout.rankEvents(rank));
    latest = std::max(latest, time);
    if (!word) latestOfSilent = std::max(latestOfSilent, time);
    failed |= word && word->reason != "finished" && word->reason != "stopped";
  }
  if (isFresh(latestOfSilent, failed ? kSilenceAfterFailure : kSilence)) return true;
  const auto made = changed(layout.config());  // written by the job before it starts its ranks
  return isFresh(made, kSilence) && made > latest;
}

RunOutcome outcomeOfSelfLed(const fs::path& run) {
  const protocol::RunLayout layout(run);
  const std::vector<Rank> ranks = readRanks(run);
  if (ranks.empty())
    return {.reason = "lost",
            .exitCode = kExitFailed,
            .message = "the ranks have not begun; the job waits, or its launcher's output says why"};
  const Rank* cause = causeOf(ranks, layout);
  if (!cause) return {ranks.front().reason, ranks.front().exitCode, ranks.front().message};
  RunOutcome outcome{.reason = "failed", .exitCode = std::max(cause->exitCode, int{kExitFailed})};
  outcome.firstFailedRank = cause->number;
  if (cause->reason.empty()) {
    outcome.reason = "lost";
    outcome.message = silenceOf(ranks, *cause);
  } else {
    outcome.message = fmt::format("rank {} on {} failed first: {}", cause->number, cause->host, cause->message);
  }
  outcome.lastLines = lastLines(layout.rankLog(cause->number), kShownLines);
  if (const auto known = protocol::explainLog(lastLines(layout.rankLog(cause->number), kReadLines)))
    outcome.advice = known->advice;
  return outcome;
}

std::vector<NodeProof> proveSelfLedGone(const fs::path& run) {
  std::vector<NodeProof> proofs;
  const std::string here = hostName();
  for (const auto& rank : readRanks(run)) {
    auto proof = std::find_if(proofs.begin(), proofs.end(), [&](const auto& one) { return one.host == rank.host; });
    if (proof == proofs.end())
      proof = proofs.insert(proofs.end(), {.node = static_cast<int>(proofs.size()), .host = rank.host, .gone = true});
    const auto process = rank.host == here ? lookUpProcess(static_cast<pid_t>(rank.pid)) : std::nullopt;
    const bool ours = process && commandLineOf(process->id.pid).find(run.string()) != std::string::npos;
    if (ours && process->alive())
      proof->left.push_back(fmt::format("rank {}: process {}", rank.number, rank.pid));
    else if (rank.reason.empty() && rank.host != here)
      proof->left.push_back(fmt::format("rank {} said no goodbye: process {}, if it lives", rank.number, rank.pid));
    proof->gone = proof->left.empty();
  }
  return proofs;
}

}  // namespace roadtune::remote
