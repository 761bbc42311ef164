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

Diagnosis diagnose(const RunStore& store) {
  Diagnosis diagnosis;
  checkOutcome(store, diagnosis);
  checkSteps(store, diagnosis);
  checkRanks(store, diagnosis);
  checkPace(store, diagnosis);
  checkMachines(store, diagnosis);
  std::stable_sort(diagnosis.verdicts.begin(), diagnosis.verdicts.end(),
                   [](const Verdict& a, const Verdict& b) { return a.level > b.level; });
  return diagnosis;
}

}  // namespace roadtune::runs
