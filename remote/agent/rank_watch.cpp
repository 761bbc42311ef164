// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/rank_watch.h"

#include "remote/agent/process_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::remote {

namespace {

constexpr std::size_t kRemembered = 50;  // steps
constexpr std::size_t kEnough = 20;      // steps to judge a rank by
constexpr double kSlowScore = 0.75;      // of the fastest rank's speed
constexpr double kSilenceIsOdd = 20;     // seconds; heartbeats come every 5

double medianOf(const std::deque<double>& values) {
  if (values.empty()) return 0;
  std::vector<double> sorted(values.begin(), values.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

void remember(std::deque<double>& values, double value) {
  values.push_back(value);
  if (values.size() > kRemembered) values.pop_front();
}

}  // namespace

RankWatch::RankWatch(const protocol::RunLayout& layout, const RankPlan& plan, Supervision supervision)
    : m_supervision(supervision) {
  for (int local = 0; local < plan.processes; ++local) {
    auto& rank = m_ranks.emplace_back(plan.firstRank + local, layout);
    // What an earlier life of the run has written is not about these processes.
    [[maybe_unused]] const Status skipped = rank.reader.pollFlat([](const protocol::FlatEvent&) {});
  }
}

void RankWatch::take(Rank& rank, const protocol::FlatEvent& event, double now) {
  rank.heard = now;
  if (event.kind == "phase") {
    rank.phase = event.members.textOr("name");
    rank.advanced = now;
  }
  if (event.kind == "progress") rank.advanced = now;
  if (event.kind != "step") return;
  rank.advanced = now;
  rank.step = event.step;
  const double seconds = event.members.numberOr("step_s", 0);
  remember(rank.steps, seconds);
  protocol::FlatObject anatomy;
  const auto* field = event.members.find("anatomy");
  const bool known = field && field->kind == protocol::FlatField::Kind::Object && anatomy.parse(field->raw);
  remember(rank.computing, seconds - (known ? anatomy.numberOr("comm", 0) : 0));
}

void RankWatch::look(double now) {
  m_now = now;
  for (auto& rank : m_ranks) {
    if (rank.advanced == 0) rank.advanced = rank.heard = now;
    [[maybe_unused]] const Status read =
        rank.reader.pollFlat([&](const protocol::FlatEvent& event) { take(rank, event, now); });
  }
}

double RankWatch::limitOf(const Rank& rank) const {
  const double median = medianOf(rank.steps);
  const double least = rank.phase == "training" && median > 0 ? m_supervision.stallMinimum : m_supervision.phaseMinimum;
  return std::max(least, m_supervision.stallFactor * median);
}

// Who waits while rank 0 writes a checkpoint cannot tell how far that is: rank 0 alone is judged by it.
bool RankWatch::isLate(const Rank& rank, double now) const {
  const bool waits = rank.phase == "paused" || rank.phase == "finishing" || (rank.phase == "saving" && rank.rank != 0);
  return !waits && rank.advanced > 0 && now - rank.advanced > limitOf(rank);
}

RankAlarm RankWatch::alarmAbout(const Rank& rank, double now, const std::string& why, std::string hint) const {
  const double median = medianOf(rank.steps);
  std::string message =
      fmt::format("rank {} has not got on for {:.0f} s while {}", rank.rank, now - rank.advanced, rank.phase);
  if (median > 0) message += fmt::format(" (a step takes {:.2g} s)", median);
  return {rank.rank, message + ": " + why, std::move(hint), now - rank.advanced};
}

// Ranks do the same exchanges in the same order: one that has not come to where another one is, is waited for. On a GPU
// an exchange counts as finished when it was handed to the stream, so that those who wait need not be in one.
std::optional<RankAlarm> RankWatch::blameByExchange(double now) const {
  const Rank* behind = nullptr;
  std::optional<protocol::Exchange> reached, furthest;
  for (const auto& rank : m_ranks) {
    const auto exchange = protocol::lastExchange(rank.exchanges);
    if (!exchange) return std::nullopt;
    if (!furthest || exchange->number > furthest->number) furthest = exchange;
    if (!reached || exchange->number < reached->number) {
      behind = &rank;
      reached = exchange;
    }
  }
  if (!reached || !reached->finished || reached->number >= furthest->number) return std::nullopt;
  return alarmAbout(*behind, now, "it has not come to the " + furthest->text() + ", in which others wait for it",
                    "its log may say why; roadtune stop --now, then roadtune resume");
}

// Who keeps the others waiting? The process itself tells best; else the one that others wait for; else the silent one;
// else the one that is behind.
RankAlarm RankWatch::blame(double now, const std::vector<RankProcess>& processes) const {
  const auto alarm = [&](const Rank& rank, const std::string& why, std::string hint) {
    return alarmAbout(rank, now, why, std::move(hint));
  };
  for (const auto& rank : m_ranks)
    for (const auto& process : processes) {
      if (process.rank != rank.rank || process.exit) continue;
      const auto entry = lookUpProcess(process.id.pid);
      if (entry && (entry->state == 'T' || entry->state == 't'))
        return alarm(rank, fmt::format("its process {} was stopped by a signal", process.id.pid),
                     fmt::format("kill -CONT {}", process.id.pid));
      if (entry && entry->state == 'D' && now - rank.heard > kSilenceIsOdd)
        return alarm(rank, fmt::format("its process {} hangs in the kernel, on a disk or network", process.id.pid),
                     "look at dmesg and at the file systems of that machine");
    }
  if (auto alarmed = blameByExchange(now)) return *alarmed;
  const auto quietest =
      std::min_element(m_ranks.begin(), m_ranks.end(), [](const Rank& a, const Rank& b) { return a.heard < b.heard; });
  if (now - quietest->heard > kSilenceIsOdd)
    return alarm(*quietest, fmt::format("nothing was heard of it for {:.0f} s", now - quietest->heard),
                 "roadtune stop --now, then roadtune resume");
  const auto last =
      std::min_element(m_ranks.begin(), m_ranks.end(), [](const Rank& a, const Rank& b) { return a.step < b.step; });
  const bool behind =
      std::any_of(m_ranks.begin(), m_ranks.end(), [&](const Rank& rank) { return rank.step > last->step; });
  if (behind) return alarm(*last, "the other ranks of this machine are further", "its log may say why");
  const auto exchange = protocol::lastExchange(last->exchanges);
  const std::string where = exchange && !exchange->finished ? " in the " + exchange->text() : "";
  return alarm(*last,
               "it lives and waits" + where + ", as do all ranks of this machine: for another machine, or for data",
               "roadtune doctor; roadtune fleet check tries the network");
}

std::optional<RankAlarm> RankWatch::stall(double now, const std::vector<RankProcess>& processes) {
  if (m_supervision.stallFactor <= 0 || m_stalled || m_ranks.empty()) return std::nullopt;
  if (std::none_of(m_ranks.begin(), m_ranks.end(), [&](const Rank& rank) { return isLate(rank, now); })) return {};
  m_stalled = true;
  RankAlarm alarm = blame(now, processes);
  for (const auto& rank : m_ranks)
    if (const auto exchange = protocol::lastExchange(rank.exchanges))
      alarm.exchanges.emplace_back(rank.rank, *exchange);
  m_blamed = alarm.rank;
  m_stallBegan = now - alarm.seconds;
  return alarm;
}

std::optional<RankAlarm> RankWatch::relief() {
  if (!m_stalled) return std::nullopt;
  if (std::any_of(m_ranks.begin(), m_ranks.end(), [&](const Rank& rank) { return isLate(rank, m_now); })) return {};
  m_stalled = false;
  return RankAlarm{m_blamed,
                   fmt::format("the run goes on after {:.0f} s without a step", m_now - m_stallBegan),
                   {},
                   m_now - m_stallBegan};
}

std::optional<RankAlarm> RankWatch::straggler() {
  double best = 0;
  for (const auto& rank : m_ranks) {
    if (rank.computing.size() < kEnough) return std::nullopt;
    const double median = medianOf(rank.computing);
    best = best == 0 ? median : std::min(best, median);
  }
  for (auto& rank : m_ranks) {
    const double median = medianOf(rank.computing);
    if (rank.told || median <= 0 || best / median >= kSlowScore) continue;
    rank.told = true;
    return RankAlarm{rank.rank,
                     fmt::format("rank {} computes {:.2g} s a step where the fastest of this machine takes {:.2g} s; "
                                 "all wait for it",
                                 rank.rank, median, best),
                     "roadtune doctor tells which part is slower: data, another program, heat, a slower link"};
  }
  return std::nullopt;
}

std::int64_t RankWatch::lastStep() const {
  std::int64_t step = 0;
  for (const auto& rank : m_ranks) step = std::max(step, rank.step);
  return step;
}

}  // namespace roadtune::remote
