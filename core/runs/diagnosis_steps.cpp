// SPDX-License-Identifier: GPL-3.0-or-later
// Where the time of a step goes, and whether all ranks spend it alike.
#include "core/base/units.h"
#include "core/runs/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace roadtune::runs {

namespace {

constexpr double kWarningShare = 0.10;
constexpr double kCriticalShare = 0.20;
constexpr double kComputeShare = 0.90;
constexpr double kBusyCpu = 90;     // percent of all cores
constexpr double kOneCause = 0.80;  // of a straggler's lost time
constexpr std::int64_t kStepsForWarning = 2;
constexpr std::int64_t kStepsForCritical = 20;

double medianOf(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<StepAnatomy> anatomies(const RunStore& store) {
  std::vector<StepAnatomy> all;
  for (const ProcessInfo& process : store.processes()) {
    StepAnatomy one = store.anatomyOfRank(process.rank);
    if (one.steps > 0 && one.step > 0) all.push_back(one);
  }
  return all;
}

using Part = std::optional<double> StepAnatomy::*;

std::optional<double> medianPart(const std::vector<StepAnatomy>& all, Part part) {
  std::vector<double> values;
  for (const StepAnatomy& one : all)
    if (one.*part) values.push_back(*(one.*part));
  if (values.size() < all.size() || values.empty()) return {};
  return medianOf(values);
}

StepAnatomy medianAnatomy(const std::vector<StepAnatomy>& all) {
  StepAnatomy result;
  std::vector<double> steps;
  result.steps = std::numeric_limits<std::int64_t>::max();
  for (const StepAnatomy& one : all) {
    steps.push_back(one.step);
    result.steps = std::min(result.steps, one.steps);
  }
  result.step = medianOf(steps);
  for (const Part part :
       {&StepAnatomy::wait, &StepAnatomy::copy, &StepAnatomy::forward, &StepAnatomy::backward, &StepAnatomy::comm,
        &StepAnatomy::optimizer, &StepAnatomy::other, &StepAnatomy::read, &StepAnatomy::decode, &StepAnatomy::tokenise})
    result.*part = medianPart(all, part);
  return result;
}

VerdictLevel levelOf(double share, std::int64_t steps) {
  return share >= kCriticalShare && steps >= kStepsForCritical ? VerdictLevel::Critical : VerdictLevel::Warning;
}

std::string shareText(const char* what, double seconds, const StepAnatomy& anatomy) {
  return fmt::format("{} takes {} of a step of {} ({:.0f} %), over {} steps", what, formatDuration(seconds),
                     formatDuration(anatomy.step), 100 * seconds / anatomy.step, anatomy.steps);
}

double gainOf(double seconds, double step) { return step / std::max(step - seconds, 1e-9) - 1; }

// "; loading is 70 % reading", where one of its parts is most of it.
std::string mostOfLoading(const StepAnatomy& anatomy) {
  const double read = anatomy.read.value_or(0), decode = anatomy.decode.value_or(0),
               tokenise = anatomy.tokenise.value_or(0), all = read + decode + tokenise;
  if (!anatomy.read || all <= 0) return {};
  const double most = std::max({read, decode, tokenise}), share = 100 * most / all;
  if (most == read) return fmt::format("; loading is {:.0f} % reading", share);
  if (most == decode) return fmt::format("; loading is {:.0f} % decoding", share);
  return fmt::format("; loading is {:.0f} % tokenising", share);
}

void checkLoader(const RunStore& store, const StepAnatomy& anatomy, Diagnosis& diagnosis) {
  if (!anatomy.wait) {
    diagnosis.abstained.push_back({"loader-bound", "steps do not say how long they waited for samples"});
    return;
  }
  const double share = *anatomy.wait / anatomy.step;
  if (share < kWarningShare) return;
  Verdict verdict{"loader-bound", levelOf(share, anatomy.steps), "Steps wait for samples",
                  shareText("waiting for samples", *anatomy.wait, anatomy)};
  verdict.evidence += mostOfLoading(anatomy);
  verdict.gain = gainOf(*anatomy.wait, anatomy.step);
  const Series* cpu = store.series("system/cpu");
  const bool known = cpu && !cpu->empty();
  const double busy = known ? medianOf({cpu->values().begin(), cpu->values().end()}) : 0;
  if (known) verdict.evidence += fmt::format("; the processor is {:.0f} % busy", busy);
  verdict.advice = busy >= kBusyCpu
                       ? "all cores are busy: more workers will not help; store the images smaller, or on a faster disk"
                       : "raise dataloader_num_workers";
  diagnosis.verdicts.push_back(std::move(verdict));
}

void checkPart(const StepAnatomy& anatomy, Part part, const char* id, const char* title, const char* what,
               const char* advice, Diagnosis& diagnosis) {
  if (!(anatomy.*part)) {
    diagnosis.abstained.push_back({id, fmt::format("steps do not say how long {} took", what)});
    return;
  }
  const double seconds = *(anatomy.*part), share = seconds / anatomy.step;
  if (share < kWarningShare) return;
  diagnosis.verdicts.push_back({id, levelOf(share, anatomy.steps), title, shareText(what, seconds, anatomy), advice,
                                gainOf(seconds, anatomy.step)});
}

void checkCompute(const StepAnatomy& anatomy, Diagnosis& diagnosis) {
  if (!anatomy.forward || !anatomy.backward) return;
  const double seconds = *anatomy.forward + *anatomy.backward + anatomy.optimizer.value_or(0);
  if (seconds < kComputeShare * anatomy.step) return;
  diagnosis.verdicts.push_back(
      {"compute-bound", VerdictLevel::Info, "Steps are spent computing", shareText("computing", seconds, anatomy)});
}

// What makes the slowest rank slower than the median one, when one part explains most of it.
std::string causeOf(const StepAnatomy& slow, const StepAnatomy& typical, double lost) {
  struct Named {
    Part part;
    const char* name;
  };
  for (const Named& one :
       {Named{&StepAnatomy::wait, "waiting for samples"}, Named{&StepAnatomy::forward, "the forward pass"},
        Named{&StepAnatomy::backward, "the backward pass"}, Named{&StepAnatomy::optimizer, "the optimizer"},
        Named{&StepAnatomy::other, "unnamed work"}})
    if (slow.*(one.part) && typical.*(one.part) && *(slow.*(one.part)) - *(typical.*(one.part)) >= kOneCause * lost)
      return one.name;
  return {};
}

}  // namespace

void checkSteps(const RunStore& store, Diagnosis& diagnosis) {
  const auto all = anatomies(store);
  if (all.empty() || medianAnatomy(all).steps < kStepsForWarning) {
    diagnosis.abstained.push_back(
        {"step-anatomy", all.empty() ? "no step says how long it took" : "fewer than two steps"});
    return;
  }
  const StepAnatomy anatomy = diagnosis.anatomy = medianAnatomy(all);
  diagnosis.steps = anatomy.steps;
  checkLoader(store, anatomy, diagnosis);
  if (store.start() && store.start()->worldSize > 1)
    checkPart(
        anatomy, &StepAnatomy::comm, "communication-bound", "Steps wait for the network",
        "communication that is not hidden behind computing",
        "accumulate more micro-batches per step, check the interface (NCCL_SOCKET_IFNAME), or shard within a node only",
        diagnosis);
  if (anatomy.copy && !isOneCpuProcess(store.start()))
    checkPart(anatomy, &StepAnatomy::copy, "copy-bound", "Steps wait for batches on their way to the card",
              "copying batches to the device",
              "image_cache: memory keeps pictures small; look at the PCIe rate of the card and at who else uses it",
              diagnosis);
  checkPart(anatomy, &StepAnatomy::other, "overhead-bound", "Steps spend time on unnamed work",
            "work with no name of its own", "log and save less often; look at the log for what runs between steps",
            diagnosis);
  checkCompute(anatomy, diagnosis);
}

// All ranks leave a step together, so a slow one shows as the one that the others wait for: the most time outside
// communication.
void checkRanks(const RunStore& store, Diagnosis& diagnosis) {
  std::vector<std::pair<int, StepAnatomy>> ranks;
  for (const ProcessInfo& process : store.processes()) {
    const StepAnatomy one = store.anatomyOfRank(process.rank);
    if (one.steps >= kStepsForWarning && one.comm) ranks.emplace_back(process.rank, one);
  }
  if (store.processes().size() < 2) return;
  if (ranks.size() < 2) {
    diagnosis.abstained.push_back({"straggler", "ranks do not say how long they communicated"});
    return;
  }
  std::vector<double> busy;
  std::vector<StepAnatomy> all;
  for (const auto& [rank, one] : ranks) {
    busy.push_back(one.step - *one.comm);
    all.push_back(one);
  }
  const StepAnatomy typical = medianAnatomy(all);
  const auto slowest = static_cast<std::size_t>(std::max_element(busy.begin(), busy.end()) - busy.begin());
  std::vector<double> others = busy;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(slowest));
  const double lost = busy[slowest] - medianOf(others);
  const double share = lost / typical.step;
  if (share < kWarningShare) return;
  const std::string cause = causeOf(ranks[slowest].second, typical, lost);
  diagnosis.verdicts.push_back({"straggler", levelOf(share, typical.steps),
                                fmt::format("Rank {} holds the others up", ranks[slowest].first),
                                fmt::format("it works {} longer per step than the others ({:.0f} % of a step of {})",
                                            formatDuration(lost), 100 * share, formatDuration(typical.step)),
                                cause.empty() ? "compare its machine with the others: clocks, other processes, disk"
                                              : "it loses the time in " + cause,
                                gainOf(lost, typical.step)});
}

}  // namespace roadtune::runs
