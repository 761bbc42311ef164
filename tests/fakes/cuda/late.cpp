// SPDX-License-Identifier: GPL-3.0-or-later
#include "late.h"

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

namespace fake_cuda {
namespace {

struct Queue {
  std::deque<std::function<bool()>> waiting;
  std::size_t done = 0;

  std::size_t asked() const { return done + waiting.size(); }
};

std::mutex looking, working;  // the second is taken first

std::map<cudaStream_t, Queue>& queues() {
  static auto* all = new std::map<cudaStream_t, Queue>;  // threads ask until the very end
  return *all;
}

void carryOut(const std::function<bool()>& work) {
  if (work()) return;
  std::fprintf(stderr, "a card that is none: another rank stayed away\n");
  std::abort();
}

}  // namespace

void later(cudaStream_t stream, std::function<bool()> work) {
  if (!stream) {
    carryOut(work);
    return;
  }
  const std::lock_guard lock(looking);
  queues()[stream].waiting.push_back(std::move(work));
}

std::size_t asked(cudaStream_t stream) {
  const std::lock_guard lock(looking);
  return queues()[stream].asked();
}

bool happened(cudaStream_t stream, std::size_t pieces) {
  const std::lock_guard lock(looking);
  return queues()[stream].done >= pieces;
}

void complete(cudaStream_t stream, std::size_t pieces) {
  if (happened(stream, pieces)) return;
  const std::lock_guard one(working);
  while (!happened(stream, pieces)) {
    std::unique_lock lock(looking);
    const auto work = queues()[stream].waiting.front();
    lock.unlock();
    carryOut(work);
    lock.lock();
    queues()[stream].waiting.pop_front();
    ++queues()[stream].done;
  }
}

void complete(cudaStream_t stream) { complete(stream, asked(stream)); }

void completeAll() {
  std::vector<cudaStream_t> streams;
  {
    const std::lock_guard lock(looking);
    for (const auto& [stream, queue] : queues()) streams.push_back(stream);
  }
  for (const auto stream : streams) complete(stream);
}

}  // namespace fake_cuda
