// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/protocol/known_failure.h"
#include "core/runs/run_facts.h"
#include "core/runs/run_store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::runs {

enum class VerdictLevel { Info, Warning, Critical };
std::string_view name(VerdictLevel level);  // "warning"

// Something about a run that is worth acting on, with the numbers that say so.
struct Verdict {
  std::string id;  // for machines: loader-bound, communication-bound, straggler, ...
  VerdictLevel level = VerdictLevel::Info;
  std::string title;
  std::string evidence;
  std::string advice = {};
  std::optional<double> gain = {};  // how much more throughput at best, 0.25 = +25 %
  bool ending = false;              // says why the run is over
};

// A check that could not be made, and which signal it lacked.
struct Abstention {
  std::string id;
  std::string reason;
};

struct Diagnosis {
  StepAnatomy anatomy;            // medians of the ranks
  std::int64_t steps = 0;         // how many steps it rests on
  std::vector<Verdict> verdicts;  // the gravest first, what makes it slow after the others
  std::vector<Abstention> abstained;
};

// What slows a run down or ended it. Shares are of the median rank's step; warnings need two steps, critical verdicts
// twenty. Says nothing where a signal is missing, and says that. The store must have been refreshed.
Diagnosis diagnose(const RunStore& store);

// Checks by subject; diagnose() joins them.
void checkSteps(const RunStore& store, Diagnosis& diagnosis);     // where the time of a step goes
void checkRanks(const RunStore& store, Diagnosis& diagnosis);     // stragglers
void checkPace(const RunStore& store, Diagnosis& diagnosis);      // slower than before, or not at all
void checkMachines(const RunStore& store, Diagnosis& diagnosis);  // GPUs, memory, disk
void checkOutcome(const RunStore& store, Diagnosis& diagnosis);   // loss, receipt, end

using protocol::explainLog;
using protocol::KnownFailure;

}  // namespace roadtune::runs
