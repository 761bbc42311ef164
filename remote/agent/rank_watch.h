// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/protocol/event_reader.h"
#include "core/protocol/exchange_log.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/rank_group.h"
#include "remote/agent/supervision.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace roadtune::remote {

// Something about the ranks that people should hear now.
struct RankAlarm {
  int rank = 0;
  std::string message, hint;
  double seconds = 0;                                              // without a step
  std::vector<std::pair<int, protocol::Exchange>> exchanges = {};  // rank -> what it is in, or did last, with others
};

// Reads what the ranks of this machine write and notices when they stop getting on, and when one of them is slower than
// the others by itself. Told the time (monotonic seconds); cheap enough to be asked every second.
class RankWatch {
 public:
  RankWatch(const protocol::RunLayout& layout, const RankPlan& plan, Supervision supervision);

  void look(double now);
  // Once for every stall, with the rank that most likely causes it; nothing while all is well.
  std::optional<RankAlarm> stall(double now, const std::vector<RankProcess>& processes);
  // The end of a stall that was told.
  std::optional<RankAlarm> relief();
  // Once for every rank: it computes less than three quarters as fast as the fastest one.
  std::optional<RankAlarm> straggler();

  bool stalled() const { return m_stalled; }
  std::int64_t lastStep() const;

 private:
  struct Rank {
    Rank(int number, const protocol::RunLayout& layout)
        : rank(number), exchanges(layout.rankExchanges(number)), reader(layout.rankEvents(number)) {}
    int rank;
    std::filesystem::path exchanges;
    protocol::EventReader reader;
    std::string phase = "starting";
    double advanced = 0, heard = 0;  // when it last made a step, got on in its phase or changed it; said anything
    std::int64_t step = 0;
    std::deque<double> steps, computing;  // seconds of the last ones; without waiting for others
    bool told = false;                    // as a straggler
  };
  void take(Rank& rank, const protocol::FlatEvent& event, double now);
  double limitOf(const Rank& rank) const;
  bool isLate(const Rank& rank, double now) const;
  RankAlarm alarmAbout(const Rank& rank, double now, const std::string& why, std::string hint) const;
  std::optional<RankAlarm> blameByExchange(double now) const;
  RankAlarm blame(double now, const std::vector<RankProcess>& processes) const;

  Supervision m_supervision;
  std::vector<Rank> m_ranks;
  bool m_stalled = false;
  int m_blamed = 0;
  double m_stallBegan = 0, m_now = 0;
};

}  // namespace roadtune::remote
