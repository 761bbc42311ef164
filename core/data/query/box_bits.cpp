// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/box_bits.h"

#include "core/data/query/box_program.h"
#include "core/data/query/plan_keys.h"
#include "core/data/query/segment_tasks.h"

#include <algorithm>
#include <emmintrin.h>

namespace roadtune::data {

namespace {

constexpr std::size_t kKeptTests = 32;  // 1.5 MB each for twelve million boxes

// Bytes of 0 and 1, padded to whole words with whatever lies there, to bits.
void packBytes(const std::uint8_t* bytes, std::size_t words, std::uint64_t* out) {
  for (std::size_t word = 0; word < words; ++word) {
    std::uint64_t bits = 0;
    for (int part = 0; part < 4; ++part) {
      const __m128i sixteen = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 64 * word + 16 * part));
      const int mask = _mm_movemask_epi8(_mm_slli_epi16(sixteen, 7));
      bits |= static_cast<std::uint64_t>(static_cast<unsigned>(mask)) << (16 * part);
    }
    out[word] = bits;
  }
}

}  // namespace

BoxBits::BoxBits(std::shared_ptr<const Index> index) : m_index(std::move(index)), m_kept(kKeptTests) {
  m_start.push_back(0);
  for (std::size_t s = 0; s < m_index->segmentCount(); ++s)
    m_start.push_back(m_start.back() + (m_index->segment(s).boxes().size() + 63) / 64);
}

Result<std::shared_ptr<const BoxWords>> BoxBits::evaluate(const BoxExpr& expr, const CancelToken& cancel) {
  switch (expr.kind) {
    case BoxExpr::Kind::True: return std::shared_ptr<const BoxWords>(std::make_shared<BoxWords>(m_start.back(), ~0ull));
    case BoxExpr::Kind::Test: return test(expr, cancel);
    default: break;
  }
  ROADTUNE_TRY(const auto first, evaluate(*expr.children.front(), cancel));
  if (expr.kind != BoxExpr::Kind::Not && expr.children.size() == 1) return first;
  auto words = std::make_shared<BoxWords>(*first);
  if (expr.kind == BoxExpr::Kind::Not)
    for (std::uint64_t& word : *words) word = ~word;
  for (std::size_t k = 1; k < expr.children.size(); ++k) {
    ROADTUNE_TRY(const auto other, evaluate(*expr.children[k], cancel));
    if (expr.kind == BoxExpr::Kind::And)
      for (std::size_t i = 0; i < words->size(); ++i) (*words)[i] &= (*other)[i];
    else
      for (std::size_t i = 0; i < words->size(); ++i) (*words)[i] |= (*other)[i];
  }
  return std::shared_ptr<const BoxWords>(std::move(words));
}

Result<std::shared_ptr<const BoxWords>> BoxBits::test(const BoxExpr& expr, const CancelToken& cancel) {
  const std::string key = keyOf(expr);
  if (const auto* known = m_kept.find(key)) return *known;
  auto words = std::make_shared<BoxWords>(m_start.back());
  ROADTUNE_CHECK(forEachOf(m_index->segmentCount(), cancel, [&](std::size_t s) {
    thread_local std::vector<std::uint8_t> mask;
    const Segment& segment = m_index->segment(s);
    const std::size_t boxes = segment.boxes().size();
    mask.resize(64 * (m_start[s + 1] - m_start[s]));
    std::fill(mask.begin() + static_cast<std::ptrdiff_t>(boxes), mask.end(), std::uint8_t{0});
    BoxMask(segment, m_index->classNames()).test(expr, std::span(mask).first(boxes));
    packBytes(mask.data(), m_start[s + 1] - m_start[s], words->data() + m_start[s]);
  }));
  return *m_kept.keep(key, std::shared_ptr<const BoxWords>(std::move(words)));
}

}  // namespace roadtune::data
