// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace roadtune::policy {

struct RetentionRule {
  std::int64_t limit = 0;                     // save_total_limit; 0 keeps all
  std::optional<std::int64_t> bestStep = {};  // kept whatever its age (load_best_model_at_end)
};

// Which checkpoints to delete, oldest first, so that at most `limit` stay. The newest always stays; a best one stays
// too, and with a limit of one that makes two, as in transformers.
std::vector<std::int64_t> checkpointsToDelete(std::vector<std::int64_t> steps, const RetentionRule& rule);

}  // namespace roadtune::policy
