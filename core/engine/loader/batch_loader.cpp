// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loader/batch_loader.h"

#include "core/base/clock.h"
#include "core/engine/nn/guarded.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <dlfcn.h>
#include <system_error>

namespace roadtune::engine {

namespace {

// Tensor operations of this thread alone stay in it: each worker would gather a team as large as the machine. What
// at::set_num_threads changes is not this thread's alone; the OpenMP that came with torch is asked itself.
void workAlone() {
  at::internal::lazy_init_num_threads();  // which would undo it later
  if (void* const found = ::dlsym(RTLD_DEFAULT, "omp_set_num_threads")) reinterpret_cast<void (*)(int)>(found)(1);
}

}  // namespace

BatchLoader::BatchLoader(Load load, std::vector<std::vector<std::int64_t>> batches, LoaderThreads threads,
                         Finish finish)
    : m_load(std::move(load)),
      m_finish(std::move(finish)),
      m_batches(std::move(batches)),
      m_ahead(static_cast<std::size_t>(std::max({1, threads.workers, threads.ahead}))) {
  try {
    for (int i = 0; i < threads.workers; ++i) m_workers.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    // The system gives no more threads: those there are do the work, or next() does.
  }
}

BatchLoader::~BatchLoader() {
  {
    const std::lock_guard lock(m_mutex);
    m_ending = true;
  }
  m_changed.notify_all();
  for (auto& worker : m_workers) worker.join();
}

LoadedBatch BatchLoader::next() {
  const auto index = m_next++;
  if (m_workers.empty()) return prepare(m_batches[index]);
  std::unique_lock lock(m_mutex);
  m_changed.notify_all();
  m_changed.wait(lock, [&] { return m_ready.contains(index); });
  auto batch = std::move(m_ready.at(index));
  m_ready.erase(index);
  return batch;
}

LoadedBatch BatchLoader::prepare(const std::vector<std::int64_t>& indices) const {
  LoadedBatch batch;
  const double begin = monotonicSeconds();
  for (const auto index : indices) {
    auto sample = guarded("sample " + std::to_string(index), [&] { return m_load(index); });
    if (!sample.ok()) {
      batch.bad.push_back(sample.error());
      continue;
    }
    batch.readSeconds += sample.value().readSeconds;
    batch.tokeniseSeconds += sample.value().tokeniseSeconds;
    batch.samples.push_back(std::move(sample).value());
    batch.indices.push_back(index);
  }
  if (m_finish && !batch.samples.empty()) {
    const auto finished = guarded("batch", [&]() -> Status {
      m_finish(batch);
      return {};
    });
    if (!finished.ok()) batch.failed = finished.error();
  }
  batch.seconds = monotonicSeconds() - begin;
  return batch;
}

void BatchLoader::work() {
  workAlone();
  std::unique_lock lock(m_mutex);
  while (true) {
    m_changed.wait(lock, [&] { return m_ending || (m_claimed < m_batches.size() && m_claimed < m_next + m_ahead); });
    if (m_ending) return;
    const auto index = m_claimed++;
    lock.unlock();
    auto batch = prepare(m_batches[index]);
    lock.lock();
    m_ready.emplace(index, std::move(batch));
    m_changed.notify_all();
  }
}

}  // namespace roadtune::engine
