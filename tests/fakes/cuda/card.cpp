// SPDX-License-Identifier: GPL-3.0-or-later
#include "card.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <sys/mman.h>

namespace fake_cuda {
namespace {

constexpr std::size_t kPage = 4096, kLargest = std::size_t{1} << 20, kContext = std::size_t{500} << 20;

std::atomic<bool> workingOut = false;
std::mutex mutex;
std::size_t taken = kContext;
std::map<std::uintptr_t, std::size_t> blocks, ranges, pins;  // of addresses, and how many bytes lie there

std::size_t whole(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

bool within(const std::map<std::uintptr_t, std::size_t>& places, const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  auto next = places.upper_bound(at);
  return next != places.begin() && at < std::prev(next)->first + std::prev(next)->second;
}

}  // namespace

std::size_t cardBytes() {
  static const char* asked = std::getenv("FAKE_CUDA_GIB");
  static const auto bytes = static_cast<std::size_t>((asked && *asked ? std::atof(asked) : 141.0) * (1ull << 30));
  return bytes;
}

std::size_t freeBytes() {
  const std::lock_guard<std::mutex> lock(mutex);
  return cardBytes() > taken ? cardBytes() - taken : 0;
}

bool take(std::size_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex);
  if (taken + bytes > cardBytes()) return false;
  taken += bytes;
  return true;
}

void give(std::size_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex);
  taken -= bytes;
}

void* reserve(std::size_t bytes) {
  void* address =
      ::mmap(nullptr, whole(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) return nullptr;
  const std::lock_guard<std::mutex> lock(mutex);
  ranges[reinterpret_cast<std::uintptr_t>(address)] = bytes;
  return address;
}

void unreserve(void* address, std::size_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex);
  ranges.erase(reinterpret_cast<std::uintptr_t>(address));
  ::munmap(address, whole(bytes));
}

void* allocate(std::size_t bytes) {
  if (!take(bytes)) return nullptr;
  void* address = reserve(bytes);
  if (!address) {
    give(bytes);
    return nullptr;
  }
  const std::lock_guard<std::mutex> lock(mutex);
  blocks[reinterpret_cast<std::uintptr_t>(address)] = bytes;
  return address;
}

bool release(void* address) {
  std::size_t bytes = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto found = blocks.find(reinterpret_cast<std::uintptr_t>(address));
    if (found == blocks.end()) return false;
    bytes = found->second;
    blocks.erase(found);
  }
  unreserve(address, bytes);
  give(bytes);
  return true;
}

bool onCard(const void* address) {
  const std::lock_guard<std::mutex> lock(mutex);
  return within(ranges, address);
}

bool pinned(const void* address) {
  const std::lock_guard<std::mutex> lock(mutex);
  return within(pins, address);
}

void* allocatePinned(std::size_t bytes) {
  void* address = std::aligned_alloc(kPage, whole(bytes));
  const std::lock_guard<std::mutex> lock(mutex);
  if (address) pins[reinterpret_cast<std::uintptr_t>(address)] = bytes;
  return address;
}

bool releasePinned(void* address) {
  const std::lock_guard<std::mutex> lock(mutex);
  if (pins.erase(reinterpret_cast<std::uintptr_t>(address)) == 0) return false;
  std::free(address);
  return true;
}

bool numbers() { return workingOut; }

void copy(void* to, const void* from, std::size_t bytes) {
  if (bytes <= kLargest || numbers()) std::memmove(to, from, bytes);
}

void fill(void* at, int value, std::size_t bytes) {
  if (bytes <= kLargest || numbers()) {
    std::memset(at, value, bytes);
    return;
  }
  // Pages that are given back read as zeros.
  const auto first = whole(reinterpret_cast<std::uintptr_t>(at));
  const auto last = (reinterpret_cast<std::uintptr_t>(at) + bytes) / kPage * kPage;
  if (last > first) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

}  // namespace fake_cuda

extern "C" void fake_cuda_work_out() { fake_cuda::workingOut = true; }
