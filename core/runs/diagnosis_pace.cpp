// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the run keeps its pace: steps that take longer than they did, and steps that no longer come.
#include "core/base/units.h"
#include "core/runs/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace roadtune::runs {

namespace {

constexpr std::size_t kRecent = 20, kBefore = 200, kLeastBefore = 40;  // steps
constexpr double kSlower = 1.5;                                        // times the median before
constexpr double kStallFactor = 20, kLeastStall = 120;                 // times the median, seconds

// Of the finite ones among [first, end); NaN when there is none.
double medianOf(const Series& series, std::size_t first, std::size_t end) {
  std::vector<double> values;
  for (std::size_t i = first; i < end; ++i)
    if (std::isfinite(series.values()[i])) values.push_back(series.values()[i]);
  if (values.empty()) return NAN;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// What may slow steps down; without a card, nothing of cards.
std::string slowerAdvice(const RunStore& store) {
  const auto names = store.metricNames();
  const bool cards = std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return name.starts_with("gpu/") || name.find("/gpu/") != std::string::npos;
  });
  return cards ? "look at the clocks and temperatures of the cards, at the disk the data is read from, "
                 "and at what else the machines do"
               : "look at the disk the data is read from, and at what else the machines do";
}

void checkSlower(const RunStore& store, const Series& seconds, Diagnosis& diagnosis) {
  const std::size_t size = seconds.size();
  if (size < kRecent + kLeastBefore) {
    diagnosis.abstained.push_back({"slower", fmt::format("fewer than {} steps", kRecent + kLeastBefore)});
    return;
  }
  const std::size_t end = size - kRecent;
  const double before = medianOf(seconds, end > kBefore ? end - kBefore : 0, end), now = medianOf(seconds, end, size);
  if (!(before > 0) || !(now >= kSlower * before)) return;
  diagnosis.verdicts.push_back(
      {"slower", VerdictLevel::Warning, "Steps take longer than they did",
       fmt::format("{} instead of {} in the last {} steps", formatDuration(now), formatDuration(before), kRecent),
       slowerAdvice(store), now / before - 1});
}

// Ranks do the same exchanges in the same order. "; missing at the sum no. 4,312: rank 3".
std::string whoIsMissing(const RunStore& store) {
  const auto& exchanges = store.exchanges();
  const auto behind = std::min_element(exchanges.begin(), exchanges.end(),
                                       [](const auto& a, const auto& b) { return a.second.number < b.second.number; });
  if (behind == exchanges.end() || !behind->second.finished) return {};
  const auto further = [&](const auto& one) { return one.second.number > behind->second.number; };
  const auto waiting = std::find_if(exchanges.begin(), exchanges.end(), further);
  if (waiting == exchanges.end()) return {};
  const auto waiters = std::count_if(exchanges.begin(), exchanges.end(), further);
  return fmt::format("; missing at the {}: rank {} (ranks that wait there: {})", waiting->second.text(), behind->first,
                     waiters);
}

// Machines that still tell of themselves while steps no longer come; by the run's own clocks.
void checkStall(const RunStore& store, const Series& seconds, Diagnosis& diagnosis) {
  const Series* machine = store.series("system/memory");
  const bool training = !store.phases().empty() && store.phases().back().name == "training";
  if (!machine || machine->empty() || seconds.empty() || !training || store.state() != RunState::Running) return;
  const std::size_t size = seconds.size();
  const double usual = medianOf(seconds, size > kBefore ? size - kBefore : 0, size);
  const double silent = machine->last().time - seconds.last().time;
  if (!(silent > std::max(kLeastStall, kStallFactor * usual))) return;
  diagnosis.verdicts.push_back(
      {"stalled", VerdictLevel::Critical, fmt::format("No step for {}", formatDuration(silent)),
       fmt::format("after step {}; a step usually takes {}", seconds.last().step, formatDuration(usual)) +
           whoIsMissing(store),
       "see the logs of all ranks; save and stop, then resume goes on from the last checkpoint"});
}

}  // namespace

void checkPace(const RunStore& store, Diagnosis& diagnosis) {
  const Series* seconds = store.series("train/step_seconds");
  if (!seconds || seconds->empty()) return;
  checkSlower(store, *seconds, diagnosis);
  checkStall(store, *seconds, diagnosis);
}

}  // namespace roadtune::runs
