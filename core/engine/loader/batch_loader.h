// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/loader/encoded_sample.h"
#include "core/engine/nn/pali_gemma.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace roadtune::engine {

// The samples of one micro-batch, in their order; those that could not be read are left out and named.
struct LoadedBatch {
  std::vector<EncodedSample> samples;
  std::vector<std::int64_t> indices;  // of `samples`, in the source
  std::vector<Error> bad;
  std::optional<Error> failed = {};             // no batch could be made of them: no memory, say
  double seconds = 0;                           // spent in a loader thread, or inline without any
  double readSeconds = 0, tokeniseSeconds = 0;  // of those
  std::optional<Batch> ready = {};              // the samples as tensors, where the loader was told to make them
};

// Threads that prepare batches, and how many batches may wait for their turn.
struct LoaderThreads {
  int workers = 0, ahead = 1;
};

// Hands out micro-batches in the given order. With workers they are prepared ahead in threads; order and content do
// not depend on how many there are. next() is called by one thread.
class BatchLoader {
 public:
  // `load(i)` prepares one sample, from any thread.
  using Load = std::function<Result<EncodedSample>(std::int64_t index)>;

  // `finish` makes what it can of a whole batch, in the same thread; without it samples are handed out as they are.
  using Finish = std::function<void(LoadedBatch&)>;

  BatchLoader(Load load, std::vector<std::vector<std::int64_t>> batches, LoaderThreads threads, Finish finish = {});
  ~BatchLoader();  // does not wait for batches nobody asked for, beyond the samples at hand
  BatchLoader(const BatchLoader&) = delete;
  BatchLoader& operator=(const BatchLoader&) = delete;

  std::size_t remaining() const { return m_batches.size() - m_next; }
  LoadedBatch next();  // needs remaining() > 0

 private:
  LoadedBatch prepare(const std::vector<std::int64_t>& indices) const;
  void work();

  Load m_load;
  Finish m_finish;
  std::vector<std::vector<std::int64_t>> m_batches;
  std::size_t m_next = 0;  // for the caller
  std::size_t m_ahead;
  std::size_t m_claimed = 0;  // for the workers
  bool m_ending = false;
  std::map<std::size_t, LoadedBatch> m_ready;
  mutable std::mutex m_mutex;
  std::condition_variable m_changed;
  std::vector<std::thread> m_workers;
};

}  // namespace roadtune::engine
