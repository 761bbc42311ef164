// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/retention.h"

#include <algorithm>

namespace roadtune::policy {

std::vector<std::int64_t> checkpointsToDelete(std::vector<std::int64_t> steps, const RetentionRule& rule) {
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  if (rule.limit <= 0 || static_cast<std::int64_t>(steps.size()) <= rule.limit) return {};
  const bool bestIsOlder =
      rule.bestStep && std::binary_search(steps.begin(), steps.end(), *rule.bestStep) && *rule.bestStep != steps.back();
  const std::int64_t limit = bestIsOlder ? std::max<std::int64_t>(rule.limit, 2) : rule.limit;
  auto excess = static_cast<std::int64_t>(steps.size()) - limit;
  std::vector<std::int64_t> gone;
  for (const std::int64_t step : steps) {
    if (excess <= 0) break;
    if (bestIsOlder && step == *rule.bestStep) continue;
    gone.push_back(step);
    --excess;
  }
  return gone;
}

}  // namespace roadtune::policy
