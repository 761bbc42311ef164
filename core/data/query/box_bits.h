// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/index/index.h"
#include "core/data/query/bitmap.h"
#include "core/data/query/query.h"
#include "core/data/query/query_plan.h"
#include "core/data/query/recent.h"

#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace roadtune::data {

// One bit per box of an index. Each segment starts at a word of its own, so that threads never share one; bits between
// the last box of a segment and the next word mean nothing, nor does the word after all.
using BoxWords = std::shared_ptr<std::uint64_t[]>;

// Bits [begin, end) of one segment's words; no words: all of them are set.
inline unsigned countBits(const std::uint64_t* words, std::size_t begin, std::size_t end) {
  if (begin == end || !words) return static_cast<unsigned>(end - begin);
  const std::size_t first = begin / 64, last = (end - 1) / 64;
  const std::uint64_t from = ~0ull << (begin % 64), to = ~0ull >> (63 - (end - 1) % 64);
  if (first == last) return onesIn(words[first] & from & to);
  auto total = onesIn(words[first] & from);
  for (std::size_t i = first + 1; i < last; ++i) total += onesIn(words[i]);
  return total + onesIn(words[last] & to);
}

// Pictures have few boxes: most are settled by one look at the bytes they lie in. Behind the last word comes one more,
// so that there is always something to look at.
inline bool anyBit(const std::uint64_t* words, std::size_t begin, std::size_t end) {
  constexpr std::size_t kOneLook = 57;  // bits, wherever in a byte they begin
  if (!words) return begin != end;
  if (end - begin <= kOneLook) {  // little-endian, as the index itself is
    std::uint64_t bits = 0;
    std::memcpy(&bits, reinterpret_cast<const unsigned char*>(words) + begin / 8, sizeof bits);
    return (bits >> (begin % 8)) & ((1ull << (end - begin)) - 1);
  }
  return countBits(words, begin, end) != 0;
}

// Evaluates conditions on boxes for a whole index and keeps the bits of every single test, so that moving one slider
// costs that one test.
class BoxBits {
 public:
  explicit BoxBits(std::shared_ptr<const Index> index);

  // Calls visit(segment, bits) for every segment, on all processors. No bits: all of them are set.
  Status evaluate(const BoxExpr& expr, const CancelToken& cancel,
                  const std::function<void(std::size_t, const std::uint64_t*)>& visit);

 private:
  using Known = std::map<const BoxExpr*, BoxWords>;
  void collect(const BoxExpr& expr, Known& known, std::vector<const BoxExpr*>& missing);
  void testSegment(const BoxExpr& expr, std::size_t number, const BoxWords& words) const;
  void combine(const BoxExpr& expr, const Known& known, std::size_t number, std::span<std::uint64_t> out) const;
  BoxWords room() const;
  const std::uint64_t* segment(const BoxWords& bits, std::size_t number) const { return bits.get() + m_start[number]; }

  std::shared_ptr<const Index> m_index;
  std::vector<std::size_t> m_start;  // in words; one more than segments
  Recent<BoxWords> m_kept;
};

}  // namespace roadtune::data
