// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"

#include <cstdint>
#include <string>

namespace roadtune::engine {

// How many tensors of a model a tool has read or written. False: whoever follows it has had enough.
inline bool tellTensors(ProgressSink& progress, const std::string& stage, std::int64_t done, std::int64_t total) {
  return progress.report({.stage = stage,
                          .done = static_cast<std::uint64_t>(done),
                          .total = static_cast<std::uint64_t>(total),
                          .unit = "tensors"});
}

}  // namespace roadtune::engine
