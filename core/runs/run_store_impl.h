// SPDX-License-Identifier: GPL-3.0-or-later
// What lies behind RunStore: what the files say, and who reads which file.
#pragma once
#include "core/protocol/event_reader.h"
#include "core/protocol/exchange_log.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "core/runs/run_facts.h"
#include "core/runs/run_state.h"
#include "core/runs/run_store.h"
#include "core/runs/series.h"
#include "core/runs/tensorboard_reader.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::runs {

inline constexpr std::size_t kAnatomyParts = 10;
inline constexpr std::array<const char*, kAnatomyParts> kAnatomyNames = {
    "wait", "copy", "forward", "backward", "comm", "optimizer", "other", "read", "decode", "tokenise"};

// Seconds of one step of one rank; NaN where nothing was said.
struct AnatomySample {
  double step = 0;
  std::array<double, kAnatomyParts> parts{};
};

// What one rank's file says.
struct RankFacts {
  ProcessInfo process;
  double processTime = 0;      // when the agent last spoke of the process
  double spoke = 0;            // and when it did so itself
  std::uint64_t logBegin = 0;  // what its log holds before is of an earlier life
  std::optional<EndInfo> end;
  std::deque<AnatomySample> anatomy;                   // the latest
  std::map<std::string, Series*, std::less<>> fields;  // key of a step event -> its series
};

// Everything the events of a run say. Folding is what turns live and replay into the same thing.
struct RunFacts {
  std::map<std::string, Series, std::less<>> series;  // addresses stay
  std::map<int, RankFacts> ranks;
  std::vector<Phase> phases;
  std::vector<CheckpointInfo> checkpoints;
  std::vector<Notice> notices;
  std::optional<ReceiptInfo> receipt;
  std::vector<ProofInfo> proofs;
  std::map<int, protocol::Exchange> exchanges;  // by rank, as told when steps stopped coming
  std::optional<StartInfo> start;
  std::map<int, EndInfo> agentEnds;                         // node -> what its agent said at its end
  std::map<int, Witness> agents;                            // node -> the latest hello of its agent
  std::deque<std::pair<std::int64_t, double>> recentSteps;  // of rank 0: (step, time) of the last attempt that made any
  bool newAttempt = false;                                  // none made since its hello
  std::int64_t totalSteps = 0;
  std::int64_t step = 0;  // of rank 0
  double epoch = 0;
  bool seeking = false;  // rank 0 has begun again and does not know yet where it goes on
  double firstEvent = 0, lastEvent = 0;
  double apartSeconds = 0;  // between the last word of a life and the first of the next

  Series& seriesNamed(std::string_view name, Axis axis);
  void foldRank(int rank, const protocol::FlatEvent& event);
  void foldNode(int node, const protocol::FlatEvent& event);
  void foldMirror(const protocol::FlatEvent& event);
  void note(Severity severity, const protocol::FlatEvent& event);
  void touch(double time);
  // The first rank that failed tells why; else rank 0 speaks for all; else, when ranks died without a word, the agent.
  // Where an agent stopped its ranks, that others lost them is no failure: they had not heard of it yet.
  const EndInfo* end() const;

 private:
  void rankHello(int rank, const protocol::FlatEvent& event, double beforeThis);
  double epochAt(std::int64_t atStep) const;
  void beginStep(std::int64_t next);
  void rankStep(int rank, const protocol::FlatEvent& event);
  void rankAnatomy(int rank, const protocol::FlatEvent& event);
  void rankEval(const protocol::FlatEvent& event);
  void rankProof(const protocol::FlatEvent& event);
  void rankBye(int rank, const protocol::FlatEvent& event);
  void beginPhase(const std::string& name, double time, std::int64_t step);
  void addCheckpoint(const protocol::FlatEvent& event);
  void nodeSample(int node, const protocol::FlatEvent& event);
  void gpuSample(const std::string& prefix, const protocol::FlatObject& gpu, double time);
  void nodeExchanges(const protocol::FlatEvent& event);
  void nodeProcess(int node, const protocol::FlatEvent& event);
  void supersedeSteps(std::int64_t from);
};

// Failed, and in its words only for another rank's end.
bool isConsequence(const EndInfo& end);

// That, with the machine's name in its message where the run is on several.
std::optional<EndInfo> toldEnd(const RunFacts& facts, const protocol::Manifest* manifest);

// The last lines of a text that grows.
class LogTail {
 public:
  explicit LogTail(fs::path path);
  bool poll();                                                                      // true when there was something new
  std::vector<std::string> last(std::size_t limit, std::uint64_t begin = 0) const;  // of what lies behind `begin`

 private:
  protocol::LineFollower m_follower;
  std::deque<std::pair<std::uint64_t, std::string>> m_lines;  // and where they begin
  bool m_cut = false;                                         // begins in the middle of a line
};

struct RunStore::Impl {
  explicit Impl(fs::path folder) : layout(std::move(folder)) {}

  protocol::RunLayout layout;
  RunFacts facts;
  std::map<int, protocol::EventReader> ranks, nodes, mirror;  // `mirror` has one or none
  std::map<fs::path, TensorboardReader> tensorboard;
  std::map<int, LogTail> logs;  // -1: the agent of node 0
  std::optional<protocol::Manifest> manifest;
  std::string manifestProblem;
  std::optional<EndInfo> end;  // as toldEnd() has it
  fs::file_time_type manifestTime{};
  std::uint64_t revision = 0;
  bool caughtUp = false, foreign = false;

  Result<bool> refresh(std::size_t maxBytes);
  Result<bool> readEvents(std::size_t maxBytes);
  Result<bool> readTensorboard(std::size_t maxBytes);
  bool readLogs();
  bool readManifest();
  bool findFiles();
  bool collectNotices(int rank, protocol::EventReader& reader);
  void startOver();
  void markCheckpointsOnDisk();
  void placeCheckpoint(CheckpointInfo& info) const;
  bool startedAgain() const;
  StateClues clues() const;
};

}  // namespace roadtune::runs
