// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <vector>

namespace roadtune::engine {

// The order of an epoch: 0 ... n-1, or the permutation that the reference's seedable sampler draws for this epoch.
std::vector<std::int64_t> epochOrder(std::int64_t samples, bool shuffle, std::uint64_t seed, std::int64_t epoch);

struct ShardSpec {
  std::int64_t batchSize = 1;
  int worldSize = 1;
  int rank = 0;
  bool dropLast = false;
};

// The micro-batches of one rank in one epoch: consecutive batches are dealt out in turn, and the last round is filled
// up from the epoch's beginning so that every rank has as many. One rank keeps its last short batch.
std::vector<std::vector<std::int64_t>> rankBatches(const std::vector<std::int64_t>& order, const ShardSpec& spec);

}  // namespace roadtune::engine
