// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/nn/pali_gemma.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace roadtune::engine {

// What was generated for one row: ids without <eos>, and the probability of each when it was chosen.
struct Generated {
  std::vector<std::int64_t> ids;
  std::vector<double> probabilities;
  bool ended = false;  // <eos> was reached
};

// Mean probability of `count` tokens from `first` on; 0 when there are none.
double meanProbability(const Generated& generated, std::size_t first, std::size_t count);

// The likeliest token each time, with a cache of keys and values; rows that ended are carried along as padding.
// `batch` holds prompts alone, padded on the left. `goesOn` is asked between two tokens: false ends it with nothing.
std::vector<Generated> generateGreedily(const PaliGemma& network, const Batch& batch, const ForwardContext& context,
                                        std::int64_t maxNewTokens, const std::function<bool()>& goesOn = {});

}  // namespace roadtune::engine
