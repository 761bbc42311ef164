// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/exchange_log.h"

#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/unique_fd.h"
#include "core/base/units.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace roadtune::protocol {

// 64 bytes, little endian as written by the machine: number (0 while the rest is being written), bytes, time, finished,
// what, group.
struct ExchangeLog::Slot {
  std::uint64_t number;
  std::uint64_t bytes;
  double time;
  std::uint64_t finished;
  std::array<char, 12> what;
  std::array<char, 20> group;
};

namespace {

constexpr std::size_t kBytes = sizeof(ExchangeLog::Slot) * ExchangeLog::kKept;
static_assert(sizeof(ExchangeLog::Slot) == 64);

template <std::size_t N>
void copyText(std::string_view text, std::array<char, N>& into) {
  into.fill(0);
  std::copy_n(text.begin(), std::min(text.size(), N), into.begin());
}

template <std::size_t N>
std::string textOf(const std::array<char, N>& from) {
  return {from.begin(), std::find(from.begin(), from.end(), '\0')};
}

Exchange exchangeOf(const ExchangeLog::Slot& slot) {
  return {slot.number, textOf(slot.what), textOf(slot.group), slot.bytes, slot.time, slot.finished != 0};
}

}  // namespace

std::string Exchange::text() const {
  std::string words = what + " no. " + formatCount(static_cast<std::int64_t>(number));
  if (bytes > 0) words += " of " + formatBytes(static_cast<double>(bytes));
  if (!group.empty()) words += " in group " + group;
  return words;
}

Result<ExchangeLog> ExchangeLog::create(const std::filesystem::path& file) {
  ROADTUNE_CHECK(makeFolders(file.parent_path()));
  const UniqueFd fd(::open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  // Room is taken at once: a mapped page without a block on a full disk would end the process.
  const int code = fd.get() < 0 ? errno : ::posix_fallocate(fd.get(), 0, static_cast<off_t>(kBytes));
  if (code != 0) return systemError(code, "cannot be made", file.string());
  void* memory = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
  if (memory == MAP_FAILED) return systemError(errno, "cannot be mapped", file.string());
  return ExchangeLog(new (memory) Slot[kKept]{});
}

ExchangeLog::ExchangeLog(ExchangeLog&& other) noexcept
    : m_slots(std::exchange(other.m_slots, nullptr)), m_number(other.m_number) {}

ExchangeLog::~ExchangeLog() {
  if (m_slots) ::munmap(m_slots, kBytes);
}

std::uint64_t ExchangeLog::begin(std::string_view what, std::string_view group, std::uint64_t bytes) {
  const std::lock_guard lock(m_mutex);
  const std::uint64_t number = ++m_number;
  Slot& slot = m_slots[number % kKept];
  std::atomic_ref(slot.number).store(0, std::memory_order_release);
  slot.bytes = bytes;
  slot.time = wallSeconds();
  slot.finished = 0;
  copyText(what, slot.what);
  copyText(group, slot.group);
  std::atomic_ref(slot.number).store(number, std::memory_order_release);
  return number;
}

void ExchangeLog::finish(std::uint64_t number) {
  const std::lock_guard lock(m_mutex);
  Slot& slot = m_slots[number % kKept];
  if (slot.number == number) std::atomic_ref(slot.finished).store(1, std::memory_order_release);
}

std::optional<Exchange> lastExchange(const std::filesystem::path& file) {
  const auto text = readFile(file);
  if (!text.ok() || text.value().size() != kBytes) return {};
  std::vector<ExchangeLog::Slot> slots(ExchangeLog::kKept);
  std::memcpy(slots.data(), text.value().data(), kBytes);
  std::optional<Exchange> oldestOpen, latest;
  for (const auto& slot : slots) {
    if (slot.number == 0) continue;
    if (slot.finished == 0 && (!oldestOpen || slot.number < oldestOpen->number)) oldestOpen = exchangeOf(slot);
    if (!latest || slot.number > latest->number) latest = exchangeOf(slot);
  }
  return oldestOpen ? oldestOpen : latest;
}

}  // namespace roadtune::protocol
