// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/problem.h"
#include "core/config/run_config.h"
#include "core/data/quality/text_length.h"

#include <vector>

namespace roadtune::data {

// What max_length does to the training data, as far as it was looked at: answers that lose their end, and samples that
// are left out or stop the run, which a dry run proves; and, as an error, that none of them fits. Nothing without a
// limit.
std::vector<config::Problem> lengthDoubts(const config::RunConfig& config, const TextLength& texts, int imageTokens);

}  // namespace roadtune::data
