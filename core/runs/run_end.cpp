// SPDX-License-Identifier: GPL-3.0-or-later
// Whose word tells how a run ended.
#include "core/protocol/known_failure.h"
#include "core/runs/end_words.h"
#include "core/runs/run_store_impl.h"

#include <algorithm>
#include <utility>

namespace roadtune::runs {

namespace {

void takeEarlier(const EndInfo*& first, const EndInfo& one) {
  if (!first || one.time < first->time) first = &one;
}

// Some rank's end, or an agent's, that is no news where others were stopped.
bool isAside(const EndInfo& end, const EndInfo* stopped) { return stopped && end.consequence; }

const EndInfo* saidOfTheStopped(const RunFacts& facts) {
  const EndInfo* first = nullptr;
  for (const auto& [node, one] : facts.agentEnds)
    if (one.reason == "stopped") takeEarlier(first, one);
  return first;
}

// One that was killed says nothing; what the others say is what that did to them.
const EndInfo* saidOfTheKilled(const RunFacts& facts) {
  const EndInfo* first = nullptr;
  for (const auto& [node, one] : facts.agentEnds) {
    if (one.reason != "failed" || one.culprit < 0) continue;
    const auto culprit = facts.ranks.find(one.culprit);
    if (culprit == facts.ranks.end() || !culprit->second.end) takeEarlier(first, one);
  }
  return first;
}

const EndInfo* saidByRanks(const RunFacts& facts, const EndInfo* stopped) {
  const EndInfo* first = nullptr;
  for (const auto& [rank, one] : facts.ranks) {
    const bool bad = one.end && one.end->reason != "finished" && one.end->reason != "stopped";
    if (bad && one.end->reason != "lost" && !isAside(*one.end, stopped)) takeEarlier(first, *one.end);
  }
  return first;
}

// Ranks whose agent was killed save and end, and so do those beside them. Whoever outlived it knows most.
const EndInfo* saidOfTheLost(const RunFacts& facts, const EndInfo* stopped) {
  const EndInfo* first = nullptr;
  for (const char* reason : {"failed", "lost"}) {
    for (const auto& [node, one] : facts.agentEnds)
      if (one.reason == reason && !isAside(one, stopped)) takeEarlier(first, one);
    if (first) return first;
  }
  for (const auto& [rank, one] : facts.ranks)
    if (one.end && one.end->reason == "lost") takeEarlier(first, *one.end);
  return first;
}

}  // namespace

const EndInfo* RunFacts::end() const {
  if (const EndInfo* killed = saidOfTheKilled(*this)) return killed;
  const EndInfo* stopped = saidOfTheStopped(*this);
  if (const EndInfo* failed = saidByRanks(*this, stopped)) return failed;
  const EndInfo* lost = saidOfTheLost(*this, stopped);
  const auto rank0 = ranks.find(0);
  if (rank0 != ranks.end() && rank0->second.end) {
    const EndInfo& end = *rank0->second.end;
    if (end.reason != "finished" && lost) return lost;
    return isAside(end, stopped) ? stopped : &end;
  }
  if (agents.empty() || agentEnds.size() < agents.size()) return nullptr;
  if (lost) return lost;
  return stopped ? stopped : &agentEnds.begin()->second;
}

bool isConsequence(const EndInfo& end) {
  const auto known = end.reason == "failed" ? protocol::explainLog({end.message}) : std::nullopt;
  return known && known->consequence;
}

std::optional<EndInfo> toldEnd(const RunFacts& facts, const protocol::Manifest* manifest) {
  const EndInfo* said = facts.end();
  if (!said) return {};
  EndInfo end = *said;
  if (!manifest || manifest->nodes.size() < 2 || (end.reason != "failed" && end.reason != "lost")) return end;
  const auto node = std::find_if(manifest->nodes.begin(), manifest->nodes.end(),
                                 [&end](const auto& one) { return one.node == end.node; });
  const int rank = end.reason == "failed" ? end.rank : -1;
  if (node != manifest->nodes.end()) end.message = placedEnd(end.message, rank, node->address);
  return end;
}

}  // namespace roadtune::runs
