// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/tensor_memory.h"

#include "core/engine/cuda/plugin.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/alloc_cpu.h>

#include <atomic>
#include <malloc.h>

namespace roadtune::engine {
namespace {

std::atomic<std::int64_t> heldBytes{0}, mostBytes{0};

void giveBack(void* memory) {
  if (!memory) return;
  heldBytes -= static_cast<std::int64_t>(::malloc_usable_size(memory));
  c10::free_cpu(memory);
}

// What torch's own allocator does, with a count. The pointer is its own context, as raw allocation asks for.
struct CountingAllocator final : c10::Allocator {
  c10::DataPtr allocate(std::size_t bytes) override {
    void* memory = c10::alloc_cpu(bytes);
    const auto now = heldBytes += static_cast<std::int64_t>(::malloc_usable_size(memory));
    auto most = mostBytes.load();
    while (now > most && !mostBytes.compare_exchange_weak(most, now)) {
    }
    return {memory, memory, &giveBack, c10::Device(c10::DeviceType::CPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &giveBack; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { default_copy_data(to, from, bytes); }
};

}  // namespace

void countTensorMemory() {
  static CountingAllocator allocator;
  c10::SetCPUAllocator(&allocator, 1);
}

// While a GPU is in use its memory is what matters.
TensorMemory tensorMemory() {
  const auto* plugin = cuda::activePlugin();
  if (!plugin) return {heldBytes, mostBytes};
  const auto facts = plugin->memory(cuda::activeIndex());
  return {static_cast<std::int64_t>(facts.allocated), static_cast<std::int64_t>(facts.peak)};
}

void restartTensorPeak() {
  mostBytes = heldBytes.load();
  if (const auto* plugin = cuda::activePlugin()) plugin->restartPeak(cuda::activeIndex());
}

}  // namespace roadtune::engine
