// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace roadtune::protocol {

struct CheckpointFolder {
  std::int64_t step = 0;
  fs::path path;
  bool complete = false;  // COMPLETE is there
};

// Names inside a run's folder. Knows no content.
class RunLayout {
 public:
  explicit RunLayout(fs::path root) : m_root(std::move(root)) {}

  const fs::path& root() const { return m_root; }
  fs::path config() const { return m_root / "run.yaml"; }
  fs::path manifest() const { return m_root / "manifest.json"; }
  fs::path events() const { return m_root / "events"; }
  fs::path rankEvents(int rank) const;  // events/rank-000.jsonl
  fs::path nodeEvents(int node) const;  // events/node-00.jsonl
  fs::path mirrorEvents() const { return events() / "mirror.jsonl"; }
  fs::path logs() const { return m_root / "logs"; }
  fs::path rankLog(int rank) const;   // logs/rank-000.log
  fs::path agentLog(int node) const;  // logs/agent-00.log
  fs::path tensorboard() const { return m_root / "runs"; }
  fs::path provenance() const { return m_root / "provenance"; }
  fs::path preparedData() const { return m_root / "data"; }  // indexes of data that had to be imported
  fs::path ledger() const { return m_root / "ledger"; }
  fs::path rankLedger(int rank) const;     // ledger/rank-000.jsonl
  fs::path rankExchanges(int rank) const;  // exchanges/rank-000.bin, see exchange_log.h
  fs::path predictions() const { return m_root / "predictions"; }
  fs::path control() const { return m_root / "control"; }
  fs::path mirrorLock(int node) const;  // .mirror-0.lock, held by who brings over what a node elsewhere writes
  fs::path allResults() const { return m_root / "all_results.json"; }
  fs::path best() const { return m_root / "best"; }  // weights of the best evaluation, when asked for
  fs::path checkpoint(std::int64_t step) const;      // checkpoint-<step>

  // True for a folder that holds a run: run.yaml or manifest.json beside events/, or events/rank-000.jsonl.
  bool isRun() const;

  // By step, the oldest first. Folders with other names are not ours.
  std::vector<CheckpointFolder> checkpoints() const;
  std::optional<CheckpointFolder> lastCompleteCheckpoint() const;

  // What lies under events/ and logs/, by number.
  std::vector<int> ranksWithEvents() const;
  std::vector<int> nodesWithEvents() const;
  std::vector<int> ranksWithLogs() const;
  std::vector<int> ranksWithLedgers() const;

 private:
  fs::path m_root;
};

// "checkpoint-40" -> 40
std::optional<std::int64_t> checkpointStep(std::string_view folderName);

}  // namespace roadtune::protocol
