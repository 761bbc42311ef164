// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/segment_tasks.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace roadtune::data {

Status forEachOf(std::size_t count, const CancelToken& cancel, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  constexpr std::size_t kChunk = 16;
  const auto run = [&] {
    for (std::size_t begin = next.fetch_add(kChunk); begin < count && !cancel.cancelled();
         begin = next.fetch_add(kChunk))
      for (std::size_t i = begin; i < std::min(count, begin + kChunk); ++i) work(i);
  };
  const std::size_t threads =
      std::min<std::size_t>(std::max(1u, std::thread::hardware_concurrency()), (count + kChunk - 1) / kChunk);
  std::vector<std::thread> helpers;
  for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back(run);
  run();
  for (std::thread& helper : helpers) helper.join();
  if (cancel.cancelled()) return cancelled();
  return {};
}

std::size_t partsOf(std::size_t count) {
  constexpr std::size_t kWorthAThread = 1 << 16;
  return std::clamp<std::size_t>(count / kWorthAThread, 1, std::max(1u, std::thread::hardware_concurrency()));
}

void forEachPart(std::size_t count, const std::function<void(std::size_t, std::size_t, std::size_t)>& work) {
  const std::size_t parts = partsOf(count);
  std::vector<std::thread> helpers;
  for (std::size_t part = 1; part < parts; ++part)
    helpers.emplace_back([&, part] { work(count * part / parts, count * (part + 1) / parts, part); });
  work(0, count / parts, 0);
  for (std::thread& helper : helpers) helper.join();
}

}  // namespace roadtune::data
