// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/run_layout.h"

#include "core/base/text.h"
#include "core/protocol/checkpoint_marker.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace roadtune::protocol {

namespace {

// "rank-007.jsonl", "rank-", ".jsonl" -> 7
std::optional<std::int64_t> numberIn(std::string_view name, std::string_view before, std::string_view after) {
  if (!startsWith(name, before) || !endsWith(name, after) || name.size() <= before.size() + after.size()) return {};
  const std::string_view digits = name.substr(before.size(), name.size() - before.size() - after.size());
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (problem != std::errc() || end != digits.data() + digits.size() || value < 0) return {};
  return value;
}

std::vector<int> numbersIn(const fs::path& folder, std::string_view before, std::string_view after) {
  std::vector<int> numbers;
  std::error_code code;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code))
    if (const auto number = numberIn(at->path().filename().string(), before, after))
      numbers.push_back(static_cast<int>(*number));
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

bool isFile(const fs::path& path) {
  std::error_code code;
  return fs::is_regular_file(path, code);
}

}  // namespace

std::optional<std::int64_t> checkpointStep(std::string_view folderName) {
  return numberIn(folderName, "checkpoint-", "");
}

fs::path RunLayout::rankEvents(int rank) const { return events() / fmt::format("rank-{:03}.jsonl", rank); }
fs::path RunLayout::nodeEvents(int node) const { return events() / fmt::format("node-{:02}.jsonl", node); }
fs::path RunLayout::rankLog(int rank) const { return logs() / fmt::format("rank-{:03}.log", rank); }
fs::path RunLayout::agentLog(int node) const { return logs() / fmt::format("agent-{:02}.log", node); }
fs::path RunLayout::rankExchanges(int rank) const { return m_root / "exchanges" / fmt::format("rank-{:03}.bin", rank); }
fs::path RunLayout::rankLedger(int rank) const { return ledger() / fmt::format("rank-{:03}.jsonl", rank); }
fs::path RunLayout::mirrorLock(int node) const { return m_root / fmt::format(".mirror-{}.lock", node); }
fs::path RunLayout::checkpoint(std::int64_t step) const { return m_root / fmt::format("checkpoint-{}", step); }

bool RunLayout::isRun() const {
  if (isFile(rankEvents(0))) return true;
  std::error_code code;
  return fs::is_directory(events(), code) && (isFile(config()) || isFile(manifest()));
}

std::vector<CheckpointFolder> RunLayout::checkpoints() const {
  std::vector<CheckpointFolder> found;
  std::error_code code;
  for (fs::directory_iterator at(m_root, code), end; !code && at != end; at.increment(code)) {
    const auto step = checkpointStep(at->path().filename().string());
    std::error_code ignored;
    if (step && at->is_directory(ignored)) found.push_back({*step, at->path(), isFile(at->path() / kCompleteMarker)});
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.step < b.step; });
  return found;
}

std::optional<CheckpointFolder> RunLayout::lastCompleteCheckpoint() const {
  const auto all = checkpoints();
  const auto last = std::find_if(all.rbegin(), all.rend(), [](const auto& one) { return one.complete; });
  if (last == all.rend()) return {};
  return *last;
}

std::vector<int> RunLayout::ranksWithEvents() const { return numbersIn(events(), "rank-", ".jsonl"); }
std::vector<int> RunLayout::nodesWithEvents() const { return numbersIn(events(), "node-", ".jsonl"); }
std::vector<int> RunLayout::ranksWithLogs() const { return numbersIn(logs(), "rank-", ".log"); }
std::vector<int> RunLayout::ranksWithLedgers() const { return numbersIn(ledger(), "rank-", ".jsonl"); }

}  // namespace roadtune::protocol
