// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/protocol/control.h"
#include "core/protocol/event_writer.h"
#include "core/protocol/known_failure.h"
#include "core/protocol/line_follower.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/agent_options.h"
#include "remote/agent/clock_note.h"
#include "remote/agent/control_server.h"
#include "remote/agent/last_word.h"
#include "remote/agent/node_sampler.h"
#include "remote/agent/nvml.h"
#include "remote/agent/rank_cgroup.h"
#include "remote/agent/rank_group.h"
#include "remote/agent/rank_watch.h"
#include "remote/agent/stop_ladder.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::remote {

// Owns the ranks of one machine from their start to the proof that they are gone. One thread, one poll loop; the
// event file has a thread of its own. Signals of the process are taken over: SIGTERM and SIGINT mean save and stop.
class Agent {
 public:
  // Everything that can be refused is refused here: the folder, the port, the trainer. The ranks run when it returns.
  static Result<std::unique_ptr<Agent>> start(AgentOptions options);
  ~Agent();

  std::string readyLine() const;  // {"pid":...,"start":...,"socket":...,"master_port":...}
  int run();                      // until no process is left; the exit code of the job

 private:
  explicit Agent(AgentOptions options);
  Status open();
  Status choosePort();
  Status startRanks();
  void encloseRanks();
  void updateManifest();
  void takeSignals();
  void readControlFile();
  void readClockNote();
  std::string answer(const std::string& line);
  std::string obey(const protocol::ControlCommand& command);
  void collect();
  void judge(const RankProcess& ended);
  bool wasStopped(const RankProcess& rank) const;
  void climb(double now);
  void sample(double now);
  void clearDescendants();
  void watchRanks(double now);
  void tell(const RankAlarm& alarm);
  void superviseToTheEnd();
  std::vector<std::string> logOf(int rank, std::size_t lines) const;
  std::optional<LastWord> wordOf(int rank) const;
  std::string lastWordOf(const RankProcess& rank) const;
  std::optional<protocol::KnownFailure> explain(const RankProcess& rank) const;
  const RankProcess* firstCause() const;
  bool mayPass(const RankProcess& cause) const;
  bool restart();
  nlohmann::json failureBody(const RankProcess& cause) const;
  nlohmann::json stallBody() const;
  std::optional<int> ranksOnCards() const;  // that the driver still counts; nothing without cards
  std::string wordsOfStop() const;
  int finish();
  void sayGoodbye(const nlohmann::json& body);
  int waitTime(double now) const;

  AgentOptions m_options;
  protocol::RunLayout m_layout;
  UniqueFd m_signals;
  std::unique_ptr<protocol::EventWriter> m_events;
  std::optional<ControlServer> m_server;
  protocol::LineFollower m_controlFile;
  std::unique_ptr<Nvml> m_nvml;
  NodeSampler m_sampler;
  ClockNote m_clock;
  RankGroup m_ranks;
  std::optional<RankCgroup> m_cgroup;
  StopLadder m_ladder;
  std::optional<RankWatch> m_watch;
  std::vector<RankProcess> m_failed;                         // by themselves, in the order in which they ended
  std::optional<RankAlarm> m_stalled;                        // what the ranks were ended for
  std::map<int, std::uintmax_t> m_logBegins, m_eventBegins;  // by rank: what lies before is of an earlier life
  int m_restarts = 0;
  std::int64_t m_lastFailedStep = -1;
  bool m_stopAsked = false, m_stopNowAsked = false, m_terminated = false;
  double m_nextSample = 0, m_nextGlance = 0;
  double m_signalled = 0;  // when a signal was last obeyed
  long m_oomKillsBefore = 0;
};

}  // namespace roadtune::remote
