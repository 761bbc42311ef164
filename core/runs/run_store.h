// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"
#include "core/base/result.h"
#include "core/protocol/exchange_log.h"
#include "core/runs/run_facts.h"
#include "core/runs/series.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::runs {

// One run, followed while it goes on or replayed when it is over: the same code. Reads every rank's and node's event
// file and the logs; TensorBoard files only when there are no event files. refresh() reads what was appended since
// and nothing else; reading again from nothing gives the same content. A resumed run continues its files, and its
// newer steps take the place of older ones (Series::superseded keeps those).
//
// Metric names: train/loss, train/learning_rate, train/grad_norm, train/epoch, train/samples_per_second,
// train/tokens_per_second, train/step_seconds, train/memory_bytes; anatomy/wait ... anatomy/other (rank 0, seconds);
// rank/1/step_seconds, rank/1/wait (every rank); eval/loss and all numbers an evaluation reports; by time and per node
// system/cpu, system/memory, system/disk_read ... (node 0; node/1/system/cpu for others) and
// gpu/0/utilization, gpu/0/memory_usage, gpu/0/power, gpu/0/temp, gpu/0/sm_clock, gpu/0/throttle (how many reasons),
// gpu/0/throttle_thermal ... (node/1/gpu/0/...); `metric` events under their own name. Utilizations are percent, memory
// is bytes.
//
// Not synchronized: one thread at a time.
class RunStore {
 public:
  // `folder` need not hold events yet. Refuses what is not a folder. Reads nothing: call refresh().
  static Result<RunStore> open(const fs::path& folder);
  RunStore(RunStore&&) noexcept;
  RunStore& operator=(RunStore&&) noexcept;
  ~RunStore();

  // Reads on, at most about `maxBytes`; true when something new was seen. Call again while !caughtUp().
  // An error for what cannot be read at all (permission, later format); single bad lines become notices.
  Result<bool> refresh(std::size_t maxBytes = SIZE_MAX);
  bool caughtUp() const;
  std::uint64_t revision() const;  // grows with every change

  const fs::path& folder() const;
  std::string id() const;  // of the manifest, else the folder's name
  std::string displayName() const;
  std::string configText() const;  // run.yaml; empty when there is none

  std::vector<std::string> metricNames() const;            // sorted
  const Series* series(std::string_view metric) const;     // null when there is none; valid until the next refresh
  const std::vector<Phase>& phases() const;                // of rank 0, in order
  std::vector<ProcessInfo> processes() const;              // by rank
  const std::vector<CheckpointInfo>& checkpoints() const;  // by step
  const std::vector<Notice>& notices() const;              // warnings, errors and oddities of the files, in order
  const ReceiptInfo* receipt() const;
  const std::vector<ProofInfo>& proofs() const;  // of a dry run, in order
  // By rank, what it was in with the others when its agent last missed steps; empty when none were missed.
  const std::map<int, protocol::Exchange>& exchanges() const;
  const StartInfo* start() const;
  const EndInfo* end() const;  // of the latest attempt; null while it goes on
  RunProgress progress() const;
  StepAnatomy anatomy(std::size_t lastSteps = 200) const;
  StepAnatomy anatomyOfRank(int rank, std::size_t lastSteps = 200) const;
  // `now` in seconds since 1970, 0 for the clock's. Lost: silent for longer than `lostAfterSeconds` with no agent
  // alive.
  RunState state(double now = 0, double lostAfterSeconds = 30) const;
  // Of a run on other machines that nobody follows: when this was true. Absent when it is over, or is followed.
  std::optional<double> asOf() const;
  bool startedAgain() const;  // on other machines, and nothing of that has been brought over (run_state.h)
  std::vector<std::string> machines() const;  // as they are reached; empty for a run of this one
  bool foreign() const;                       // a TensorBoard folder of another program

  // Log lines of a rank that were read so far (the last `limit`); -1 is the agent of node 0.
  std::vector<std::string> logTail(int rank, std::size_t limit = 1000) const;
  std::vector<std::string> logOfThisLife(int rank, std::size_t limit = 1000) const;  // since it was started last
  std::vector<int> logRanks() const;

  struct Impl;

 private:
  explicit RunStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> m_impl;
};

}  // namespace roadtune::runs
