// SPDX-License-Identifier: GPL-3.0-or-later
// What the machines' own counters say: GPUs, memory, disk.
#include "core/base/units.h"
#include "core/runs/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roadtune::runs {

namespace {

constexpr double kLowUse = 30, kModerateUse = 70;        // percent
constexpr double kBusyMemory = 70;                       // percent of the time
constexpr double kComputingShare = 0.9;                  // of a step
constexpr double kFullMemory = 0.95, kHalfMemory = 0.5;  // shares
constexpr double kThrottledShare = 0.10;
constexpr double kMinutesToFull = 60;
constexpr double kSomeRoom = 1e6;  // bytes that a run needs for its events and logs

struct Spread {
  double mean = 0, max = 0;
};

// Over the time in which the run trained, where that is known: loading and saving leave cards idle by design.
std::optional<Spread> whileTraining(const RunStore& store, const Series& series) {
  double sum = 0, top = 0;
  std::size_t count = 0;
  const auto add = [&](std::size_t first, std::size_t end) {
    if (end <= first) return;
    const Column part = series.summarize(first, end - first);
    const auto finite = static_cast<double>(part.count - part.nonFinite);
    if (finite == 0) return;
    sum += part.mean * finite;
    top = count == 0 ? part.max : std::max(top, part.max);
    count += static_cast<std::size_t>(finite);
  };
  bool phased = false;
  for (const Phase& phase : store.phases()) {
    if (phase.name != "training") continue;
    phased = true;
    add(series.lowerBound(Axis::Time, phase.begin),
        phase.end ? series.lowerBound(Axis::Time, *phase.end) : series.size());
  }
  if (!phased) add(0, series.size());
  if (count < 2) return {};
  return Spread{sum / static_cast<double>(count), top};
}

// "gpu/0", "node/1/gpu/3": every card that sent samples.
std::vector<std::string> cardsOf(const RunStore& store) {
  std::vector<std::string> cards;
  constexpr std::string_view kEnding = "/utilization";
  for (const std::string& metric : store.metricNames())
    if (metric.find("gpu/") != std::string::npos && metric.ends_with(kEnding))
      cards.push_back(metric.substr(0, metric.size() - kEnding.size()));
  return cards;
}

void checkThrottling(const RunStore& store, const std::string& card, Diagnosis& diagnosis) {
  const Series* samples = store.series(card + "/throttle");
  if (!samples || samples->size() < 10) return;
  for (const char* reason : {"thermal", "hardware_thermal", "hardware_slowdown", "power_brake", "power_cap"}) {
    const Series* held = store.series(card + "/throttle_" + reason);
    if (!held) continue;
    const double share = static_cast<double>(held->size()) / static_cast<double>(samples->size());
    if (share < kThrottledShare) continue;
    std::string words = reason;
    std::replace(words.begin(), words.end(), '_', ' ');
    const bool harmless = words == "power cap";
    diagnosis.verdicts.push_back({harmless ? "power-capped" : "throttled",
                                  harmless ? VerdictLevel::Info : VerdictLevel::Warning,
                                  fmt::format("{} is held back: {}", card, words),
                                  fmt::format("in {:.0f} % of {} samples", 100 * share, samples->size()),
                                  harmless ? "normal under full load; a higher power limit would raise the clocks"
                                           : "check cooling and power of this machine"});
  }
}

// Steps that do nothing but compute, on a card that is idle half of the time, wait for work to be handed to it; one
// whose memory is busy and whose units are not waits for its memory. Both need the card's own counters.
void checkArithmetic(const RunStore& store, const std::string& card, Diagnosis& diagnosis) {
  const Series* units = store.series(card + "/sm_active");
  const Series* memory = store.series(card + "/dram_active");
  const auto busyUnits = units ? whileTraining(store, *units) : std::nullopt;
  const auto busyMemory = memory ? whileTraining(store, *memory) : std::nullopt;
  if (!busyUnits || !busyMemory) {
    diagnosis.abstained.push_back({"launch-bound", card + " does not tell how busy its units and its memory are"});
    return;
  }
  const StepAnatomy& steps = diagnosis.anatomy;
  const double computing = steps.forward.value_or(0) + steps.backward.value_or(0) + steps.optimizer.value_or(0);
  if (busyMemory->mean >= kBusyMemory && busyUnits->mean < kBusyMemory) {
    diagnosis.verdicts.push_back(
        {"memory-bound", VerdictLevel::Info, card + " waits for its own memory",
         fmt::format("memory is busy {:.0f} % of the time, the units {:.0f} %", busyMemory->mean, busyUnits->mean),
         "bf16: true, a larger per_device_train_batch_size, or fewer modules in float32"});
  } else if (steps.step > 0 && computing >= kComputingShare * steps.step && busyUnits->mean < kLowUse) {
    diagnosis.verdicts.push_back(
        {"launch-bound", VerdictLevel::Warning, card + " waits for work to be handed to it",
         fmt::format("steps are {:.0f} % computing, but the units are busy only {:.0f} % of the time",
                     100 * computing / steps.step, busyUnits->mean),
         "a larger per_device_train_batch_size with less accumulation", 100 / std::max(busyUnits->mean, 1.0) - 1});
  }
}

void checkCard(const RunStore& store, const std::string& card, Diagnosis& diagnosis) {
  checkThrottling(store, card, diagnosis);
  const Series* total = store.series(card + "/memory_total");
  const Series* used = store.series(card + "/memory_usage");
  const auto memory = used ? whileTraining(store, *used) : std::nullopt;
  const double capacity = total && !total->empty() ? total->last().value : 0;
  if (memory && capacity > 0 && memory->max >= kFullMemory * capacity)
    diagnosis.verdicts.push_back(
        {"memory-full", VerdictLevel::Warning, card + " is nearly out of memory",
         fmt::format("{} of {} were used", formatBytes(memory->max), formatBytes(capacity)),
         "gradient_checkpointing: true, or a smaller per_device_train_batch_size with more accumulation"});
  const auto use = whileTraining(store, *store.series(card + "/utilization"));
  if (!use) {
    diagnosis.abstained.push_back({"gpu-use", card + " sent fewer than two samples while training"});
    return;
  }
  checkArithmetic(store, card, diagnosis);
  if (use->mean >= kModerateUse) return;
  const bool roomy = memory && capacity > 0 && memory->max < kHalfMemory * capacity;
  diagnosis.verdicts.push_back(
      {roomy ? "batch-too-small" : "gpu-underused", use->mean < kLowUse ? VerdictLevel::Warning : VerdictLevel::Info,
       fmt::format("{} is busy {:.0f} % of the time", card, use->mean),
       roomy ? fmt::format("and uses {} of its {}", formatBytes(memory->max), formatBytes(capacity))
             : "mean utilization while training (100 % would not yet mean that all of the card works)",
       roomy ? "a larger per_device_train_batch_size with less accumulation" : "see where the steps spend their time"});
}

void checkDisk(const RunStore& store, Diagnosis& diagnosis) {
  const auto& told = diagnosis.verdicts;
  if (std::any_of(told.begin(), told.end(), [](const Verdict& one) { return one.id == "disk-full"; })) return;
  const Series* free = store.series("system/disk_free");
  if (!free || free->size() < 2) {
    diagnosis.abstained.push_back({"disk-full", "no samples of the free disk space"});
    return;
  }
  const double left = free->last().value;
  double largest = 0;
  for (const CheckpointInfo& checkpoint : store.checkpoints()) largest = std::max(largest, checkpoint.bytes);
  const double seconds = free->last().time - free->at(0).time;
  const double rate = seconds > 0 ? (free->at(0).value - left) / seconds : 0;
  const double minutes = rate > 0 ? left / rate / 60 : INFINITY;
  if (left >= std::max(2 * largest, kSomeRoom) && !(minutes < kMinutesToFull && seconds > 60)) return;
  diagnosis.verdicts.push_back(
      {"disk-full", VerdictLevel::Critical, "The disk of the run is nearly full",
       fmt::format("{} are free{}{}", formatBytes(left),
                   largest > 0 ? fmt::format(", a checkpoint takes {}", formatBytes(largest)) : "",
                   minutes < kMinutesToFull ? fmt::format(", full in {:.0f} min at this rate", minutes) : ""),
       "free some space, or lower save_total_limit"});
}

void checkMemory(const RunStore& store, Diagnosis& diagnosis) {
  const Series* used = store.series("system/memory");
  const Series* total = store.series("system/memory_total");
  if (!used || !total || used->empty() || total->empty()) {
    diagnosis.abstained.push_back({"memory-low", "no samples of the machine's memory"});
    return;
  }
  const Column all = used->summarize(0, used->size());
  if (!(all.max >= kFullMemory * total->last().value)) return;
  diagnosis.verdicts.push_back(
      {"memory-low", VerdictLevel::Warning, "The machine is nearly out of memory",
       fmt::format("{} of {} were used", formatBytes(all.max), formatBytes(total->last().value)),
       "fewer dataloader workers, or close other programs"});
}

}  // namespace

void checkMachines(const RunStore& store, Diagnosis& diagnosis) {
  const auto cards = cardsOf(store);
  if (cards.empty()) diagnosis.abstained.push_back({"gpu-use", "no GPU sent samples"});
  for (const std::string& card : cards) checkCard(store, card, diagnosis);
  checkMemory(store, diagnosis);
  checkDisk(store, diagnosis);
}

}  // namespace roadtune::runs
