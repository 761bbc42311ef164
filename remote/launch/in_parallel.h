// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace roadtune::remote {

// Calls `work` for 0 .. count-1, each on a thread of its own, and waits for all: one per machine, they mostly wait.
inline void inParallel(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < count; ++i) threads.emplace_back(work, i);
}

}  // namespace roadtune::remote
