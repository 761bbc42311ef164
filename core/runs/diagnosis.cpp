// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/diagnosis.h"

#include <algorithm>

namespace roadtune::runs {

std::string_view name(VerdictLevel level) {
  switch (level) {
    case VerdictLevel::Info: return "info";
    case VerdictLevel::Warning: return "warning";
    case VerdictLevel::Critical: return "critical";
  }
  return "";
}

namespace {

// What comes of a run weighs more than how fast it is: verdicts that promise more speed come after the others.
int weight(const Verdict& verdict) {
  if (verdict.level == VerdictLevel::Info) return 0;
  const bool grave = verdict.level == VerdictLevel::Critical;
  return verdict.gain ? 1 + int(grave) : 3 + int(grave);
}

}  // namespace

Diagnosis diagnose(const RunStore& store) {
  Diagnosis diagnosis;
  checkOutcome(store, diagnosis);
  checkSteps(store, diagnosis);
  checkRanks(store, diagnosis);
  checkPace(store, diagnosis);
  checkMachines(store, diagnosis);
  std::stable_sort(diagnosis.verdicts.begin(), diagnosis.verdicts.end(),
                   [](const Verdict& a, const Verdict& b) { return weight(a) > weight(b); });
  return diagnosis;
}

}  // namespace roadtune::runs
