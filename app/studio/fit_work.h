// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/run_config.h"
#include "core/model/memory_plan.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace roadtune::studio {

// Settings with which a run takes no more than `memory` bytes on each process. The effective batch stays what it is.
struct FitProposal {
  QString words;  // "batch 4 × 16 accumulated, gradient checkpointing"
  std::vector<std::pair<QString, config::Value>> values;
  std::uint64_t bytes = 0;
};

// The gentlest proposal: smaller micro-batches first, then checkpointing, then shares among the processes. Nothing when
// even all of that together is too much. `shape` is the run's own.
std::optional<FitProposal> proposeFit(const config::RunConfig& config, const model::ModuleTree& tree,
                                      const model::StepShape& shape, std::uint64_t memory);

// Fewer blocks to compute again, where a run that fits leaves room for that and some more.
std::optional<FitProposal> proposeFaster(const model::ModuleTree& tree, const model::StepShape& shape,
                                         std::uint64_t memory);

}  // namespace roadtune::studio
