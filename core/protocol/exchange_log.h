// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace roadtune::protocol {

// Something that the ranks of a run did together. Ranks of one run have the same numbers for the same exchanges.
struct Exchange {
  std::uint64_t number = 0;  // 1, 2, 3 ...
  std::string what;          // sum, highest, barrier, gather, swap
  std::string group;         // of ranks; empty: all
  std::uint64_t bytes = 0;
  double time = 0;  // when it was begun, seconds since 1970
  bool finished = false;

  std::string text() const;  // "sum no. 4,312 of 25.2 MB in group shards"
};

// The last exchanges of one rank, in a small file that is mapped and written in place: what it says outlives a process
// that is killed in the middle of a word. May be written by several threads.
class ExchangeLog {
 public:
  static constexpr std::size_t kKept = 64;
  struct Slot;

  static Result<ExchangeLog> create(const std::filesystem::path& file);  // a former one is replaced
  ExchangeLog(ExchangeLog&& other) noexcept;
  ExchangeLog& operator=(ExchangeLog&&) = delete;
  ~ExchangeLog();

  std::uint64_t begin(std::string_view what, std::string_view group, std::uint64_t bytes);
  void finish(std::uint64_t number);

 private:
  explicit ExchangeLog(Slot* slots) : m_slots(slots) {}
  Slot* m_slots;
  std::uint64_t m_number = 0;
  std::mutex m_mutex;
};

// The exchange a rank is in, the oldest if it is in several; else the last one that it finished. Nothing when there is
// no such file or no exchange was begun.
std::optional<Exchange> lastExchange(const std::filesystem::path& file);

}  // namespace roadtune::protocol
