// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/index/index.h"
#include "core/data/query/query.h"
#include "core/data/query/query_plan.h"
#include "core/data/query/recent.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace roadtune::data {

// One bit per box of an index. Each segment starts at a word of its own, so that threads never share one; bits between
// the last box of a segment and the next word mean nothing.
using BoxWords = std::vector<std::uint64_t>;

// Bits [begin, end) of one segment's words; no words: all of them are set.
inline unsigned countBits(const std::uint64_t* words, std::size_t begin, std::size_t end) {
  if (begin == end || !words) return static_cast<unsigned>(end - begin);
  const std::size_t first = begin / 64, last = (end - 1) / 64;
  const std::uint64_t from = ~0ull << (begin % 64), to = ~0ull >> (63 - (end - 1) % 64);
  if (first == last) return static_cast<unsigned>(__builtin_popcountll(words[first] & from & to));
  auto total = static_cast<unsigned>(__builtin_popcountll(words[first] & from));
  for (std::size_t i = first + 1; i < last; ++i) total += static_cast<unsigned>(__builtin_popcountll(words[i]));
  return total + static_cast<unsigned>(__builtin_popcountll(words[last] & to));
}

inline bool anyBit(const std::uint64_t* words, std::size_t begin, std::size_t end) {
  if (begin == end || !words) return begin != end;
  const std::size_t first = begin / 64, last = (end - 1) / 64;
  const std::uint64_t from = ~0ull << (begin % 64), to = ~0ull >> (63 - (end - 1) % 64);
  if (first == last) return words[first] & from & to;
  if (words[first] & from || words[last] & to) return true;
  for (std::size_t i = first + 1; i < last; ++i)
    if (words[i]) return true;
  return false;
}

// Evaluates conditions on boxes for a whole index and keeps the bits of every single test, so that moving one slider
// costs that one test.
class BoxBits {
 public:
  explicit BoxBits(std::shared_ptr<const Index> index);

  Result<std::shared_ptr<const BoxWords>> evaluate(const BoxExpr& expr, const CancelToken& cancel);
  // Where a segment's bits begin in `bits`.
  const std::uint64_t* segment(const BoxWords& bits, std::size_t number) const { return bits.data() + m_start[number]; }

 private:
  Result<std::shared_ptr<const BoxWords>> test(const BoxExpr& expr, const CancelToken& cancel);

  std::shared_ptr<const Index> m_index;
  std::vector<std::size_t> m_start;  // in words; one more than segments
  Recent<std::shared_ptr<const BoxWords>> m_kept;
};

}  // namespace roadtune::data
