// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/run_store.h"

#include "core/base/clock.h"
#include "core/runs/run_store_impl.h"

#include <algorithm>
#include <cmath>

namespace roadtune::runs {

RunStore::RunStore(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
RunStore::RunStore(RunStore&&) noexcept = default;
RunStore& RunStore::operator=(RunStore&&) noexcept = default;
RunStore::~RunStore() = default;

Result<RunStore> RunStore::open(const fs::path& folder) {
  std::error_code code;
  if (!fs::exists(folder, code)) return badInput("there is no such run", folder.string(), "roadtune runs ls FOLDER");
  if (!fs::is_directory(folder, code)) return badInput("is a file; a run is a folder", folder.string());
  auto impl = std::make_unique<Impl>(folder);
  impl->findFiles();
  return RunStore(std::move(impl));
}

Result<bool> RunStore::refresh(std::size_t maxBytes) { return m_impl->refresh(maxBytes); }
bool RunStore::caughtUp() const { return m_impl->caughtUp; }
std::uint64_t RunStore::revision() const { return m_impl->revision; }

const fs::path& RunStore::folder() const { return m_impl->layout.root(); }
bool RunStore::foreign() const { return m_impl->foreign; }

std::string RunStore::id() const {
  if (m_impl->manifest && !m_impl->manifest->runId.empty()) return m_impl->manifest->runId;
  return fs::absolute(folder()).lexically_normal().filename().string();
}

std::string RunStore::displayName() const {
  if (m_impl->manifest && !m_impl->manifest->name.empty()) return m_impl->manifest->name;
  fs::path path = fs::absolute(folder()).lexically_normal();
  if (path.filename().empty()) path = path.parent_path();
  return path.filename().string();
}

std::string RunStore::configText() const {
  const Result<std::string> text = readFile(m_impl->layout.config());
  return text.ok() ? text.value() : std::string();
}

std::vector<std::string> RunStore::metricNames() const {
  std::vector<std::string> names;
  for (const auto& [name, series] : m_impl->facts.series) names.push_back(name);
  return names;
}

const Series* RunStore::series(std::string_view metric) const {
  const auto found = m_impl->facts.series.find(metric);
  return found == m_impl->facts.series.end() ? nullptr : &found->second;
}

const std::vector<Phase>& RunStore::phases() const { return m_impl->facts.phases; }
const std::vector<CheckpointInfo>& RunStore::checkpoints() const { return m_impl->facts.checkpoints; }
const std::vector<Notice>& RunStore::notices() const { return m_impl->facts.notices; }

std::vector<ProcessInfo> RunStore::processes() const {
  std::vector<ProcessInfo> list;
  for (const auto& [rank, facts] : m_impl->facts.ranks) list.push_back(facts.process);
  return list;
}

const std::map<int, protocol::Exchange>& RunStore::exchanges() const { return m_impl->facts.exchanges; }
const std::vector<ProofInfo>& RunStore::proofs() const { return m_impl->facts.proofs; }
const ReceiptInfo* RunStore::receipt() const { return m_impl->facts.receipt ? &*m_impl->facts.receipt : nullptr; }
const StartInfo* RunStore::start() const { return m_impl->facts.start ? &*m_impl->facts.start : nullptr; }

const EndInfo* RunStore::end() const { return m_impl->end && !startedAgain() ? &*m_impl->end : nullptr; }
bool RunStore::startedAgain() const { return m_impl->startedAgain(); }

bool RunStore::Impl::startedAgain() const {
  const auto agent = facts.agents.find(0);
  return manifest && agent != facts.agents.end() && isStartedAgain(*manifest, agent->second.pid);
}

std::vector<std::string> RunStore::machines() const {
  std::vector<std::string> names;
  if (m_impl->manifest)
    for (const auto& node : m_impl->manifest->nodes)
      if (!node.address.empty()) names.push_back(node.address);
  return names;
}

namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::optional<double> secondsPerStep(const RunFacts& facts) {
  std::vector<double> paces;
  for (std::size_t i = 1; i < facts.recentSteps.size(); ++i) {
    const auto steps = facts.recentSteps[i].first - facts.recentSteps[i - 1].first;
    const double seconds = facts.recentSteps[i].second - facts.recentSteps[i - 1].second;
    if (steps > 0 && seconds > 0) paces.push_back(seconds / static_cast<double>(steps));
  }
  if (!paces.empty()) return median(std::move(paces));
  const auto rank0 = facts.ranks.find(0);
  if (rank0 == facts.ranks.end() || rank0->second.anatomy.empty()) return {};
  const double last = rank0->second.anatomy.back().step;
  return std::isfinite(last) && last > 0 ? std::optional(last) : std::nullopt;
}

StepAnatomy averaged(const std::deque<AnatomySample>& samples, std::size_t limit) {
  StepAnatomy result;
  std::optional<double>* const slots[kAnatomyParts] = {
      &result.wait,      &result.copy,  &result.forward, &result.backward, &result.comm,
      &result.optimizer, &result.other, &result.read,    &result.decode,   &result.tokenise};
  const std::size_t first = samples.size() > limit ? samples.size() - limit : 0;
  double steps = 0, stepSum = 0;
  std::array<double, kAnatomyParts> sums{}, counts{};
  for (std::size_t i = first; i < samples.size(); ++i) {
    if (std::isfinite(samples[i].step)) {
      stepSum += samples[i].step;
      ++steps;
    }
    for (std::size_t part = 0; part < kAnatomyParts; ++part) {
      if (!std::isfinite(samples[i].parts[part])) continue;
      sums[part] += samples[i].parts[part];
      ++counts[part];
    }
  }
  for (std::size_t part = 0; part < kAnatomyParts; ++part)
    if (counts[part] > 0) *slots[part] = sums[part] / counts[part];
  if (steps > 0) result.step = stepSum / steps;
  result.steps = static_cast<std::int64_t>(steps);
  return result;
}

}  // namespace

RunProgress RunStore::progress() const {
  const RunFacts& facts = m_impl->facts;
  RunProgress progress;
  progress.step = facts.step;
  progress.totalSteps = facts.totalSteps;
  progress.epoch = facts.epoch;
  progress.secondsPerStep = secondsPerStep(facts);
  if (progress.secondsPerStep && facts.totalSteps > 0 && !end())
    progress.etaSeconds =
        *progress.secondsPerStep * static_cast<double>(std::max<std::int64_t>(0, facts.totalSteps - facts.step));
  const double begin = facts.start ? facts.start->time : facts.firstEvent;
  progress.elapsedSeconds = begin > 0 ? std::max(0.0, facts.lastEvent - begin - facts.apartSeconds) : 0;
  return progress;
}

StepAnatomy RunStore::anatomy(std::size_t lastSteps) const { return anatomyOfRank(0, lastSteps); }

StepAnatomy RunStore::anatomyOfRank(int rank, std::size_t lastSteps) const {
  const auto found = m_impl->facts.ranks.find(rank);
  return found == m_impl->facts.ranks.end() ? StepAnatomy{} : averaged(found->second.anatomy, lastSteps);
}

StateClues RunStore::Impl::clues() const {
  StateClues clues;
  clues.started = !facts.ranks.empty() || !facts.agents.empty();
  clues.lastEvent = facts.lastEvent;
  clues.agentEnded = !facts.agents.empty() && facts.agentEnds.size() == facts.agents.size();
  if (startedAgain()) {
    clues.agentEnded = false;
    clues.lastEvent = std::max(clues.lastEvent, secondsOf(manifestTime));
  } else if (const EndInfo* last = facts.end()) {
    clues.endReason = last->reason;
  }
  if (manifest) clues.stale = isUnfollowed(layout, *manifest);
  if (manifest && runsElsewhere(*manifest)) {
    clues.heard = lastHeard(layout, *manifest);
    return clues;
  }
  if (manifest)
    for (const auto& node : manifest->nodes)
      if (node.agentPid > 0) clues.witnesses.push_back({node.host, node.agentPid, node.agentStart});
  if (clues.witnesses.empty())
    for (const auto& [node, agent] : facts.agents) clues.witnesses.push_back(agent);
  if (clues.witnesses.empty() && facts.start) clues.witnesses.push_back({facts.start->host, facts.start->pid, 0});
  return clues;
}

RunState RunStore::state(double now, double lostAfterSeconds) const {
  if (now <= 0) now = wallSeconds();
  if (!m_impl->foreign) return decideState(m_impl->clues(), now, lostAfterSeconds);
  return now - m_impl->facts.lastEvent > lostAfterSeconds ? RunState::Finished : RunState::Running;
}

std::optional<double> RunStore::asOf() const {
  return m_impl->foreign ? std::nullopt : staleSince(m_impl->clues(), state());
}

std::vector<std::string> RunStore::logTail(int rank, std::size_t limit) const {
  const auto found = m_impl->logs.find(rank);
  return found == m_impl->logs.end() ? std::vector<std::string>() : found->second.last(limit);
}

std::vector<std::string> RunStore::logOfThisLife(int rank, std::size_t limit) const {
  const auto found = m_impl->logs.find(rank);
  const auto facts = m_impl->facts.ranks.find(rank);
  const std::uint64_t begin = facts == m_impl->facts.ranks.end() ? 0 : facts->second.logBegin;
  return found == m_impl->logs.end() ? std::vector<std::string>() : found->second.last(limit, begin);
}

std::vector<int> RunStore::logRanks() const {
  std::vector<int> list;
  for (const auto& [rank, log] : m_impl->logs) list.push_back(rank);
  return list;
}

}  // namespace roadtune::runs
