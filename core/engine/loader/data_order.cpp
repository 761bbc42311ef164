// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loader/data_order.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/randperm.h>

#include <algorithm>
#include <numeric>

namespace roadtune::engine {

std::vector<std::int64_t> epochOrder(std::int64_t samples, bool shuffle, std::uint64_t seed, std::int64_t epoch) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(samples));
  std::iota(order.begin(), order.end(), 0);
  if (!shuffle) return order;
  const auto generator = at::make_generator<at::CPUGeneratorImpl>(seed + static_cast<std::uint64_t>(epoch));
  const auto drawn = at::randperm(samples, generator, at::TensorOptions().dtype(at::kLong));
  const auto* values = drawn.data_ptr<std::int64_t>();
  order.assign(values, values + samples);
  return order;
}

std::vector<std::vector<std::int64_t>> rankBatches(const std::vector<std::int64_t>& order, const ShardSpec& spec) {
  const auto size = static_cast<std::size_t>(spec.batchSize), world = static_cast<std::size_t>(spec.worldSize);
  std::vector<std::vector<std::int64_t>> batches;
  for (std::size_t begin = 0; begin < order.size(); begin += size) {
    const auto end = std::min(begin + size, order.size());
    batches.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(begin),
                         order.begin() + static_cast<std::ptrdiff_t>(end));
  }
  if (spec.dropLast && !batches.empty() && batches.back().size() < size) batches.pop_back();
  if (spec.dropLast) batches.resize(batches.size() / world * world);
  if (world > 1 && !batches.empty() && !spec.dropLast) {
    std::size_t next = 0;  // position in the epoch's own order, around and around
    const auto fill = [&](std::vector<std::int64_t>& batch) {
      while (batch.size() < size) batch.push_back(order[next++ % order.size()]);
    };
    fill(batches.back());
    while (batches.size() % world != 0) fill(batches.emplace_back());
  }
  std::vector<std::vector<std::int64_t>> mine;
  for (std::size_t i = static_cast<std::size_t>(spec.rank); i < batches.size(); i += world) mine.push_back(batches[i]);
  return mine;
}

}  // namespace roadtune::engine
