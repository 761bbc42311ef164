// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/box_bits.h"

#include "core/data/query/bitmap.h"
#include "core/data/query/box_program.h"
#include "core/data/query/plan_keys.h"
#include "core/data/query/segment_tasks.h"

#include <algorithm>

namespace roadtune::data {

namespace {

constexpr std::size_t kKeptTests = 32;  // 1.5 MB each for twelve million boxes

}  // namespace

BoxBits::BoxBits(std::shared_ptr<const Index> index) : m_index(std::move(index)), m_kept(kKeptTests) {
  m_start.push_back(0);
  for (std::size_t s = 0; s < m_index->segmentCount(); ++s)
    m_start.push_back(m_start.back() + (m_index->segment(s).boxes().size() + 63) / 64);
}

// Nothing is written yet: the threads that fill it also share the cost of first touching it.
BoxWords BoxBits::room() const {
  BoxWords words = std::make_shared_for_overwrite<std::uint64_t[]>(m_start.back() + 1);
  words[m_start.back()] = 0;
  return words;
}

// The single tests in `expr`: the bits of those that are kept, and room for those that are missing.
void BoxBits::collect(const BoxExpr& expr, Known& known, std::vector<const BoxExpr*>& missing) {
  for (const auto& child : expr.children) collect(*child, known, missing);
  if (expr.kind != BoxExpr::Kind::Test) return;
  if (const auto* kept = m_kept.find(keyOf(expr))) {
    known[&expr] = *kept;
  } else {
    known[&expr] = room();
    missing.push_back(&expr);
  }
}

void BoxBits::testSegment(const BoxExpr& expr, std::size_t number, const BoxWords& words) const {
  thread_local std::vector<std::uint8_t> mask;
  const Segment& segment = m_index->segment(number);
  const std::size_t boxes = segment.boxes().size(), first = m_start[number], end = m_start[number + 1];
  mask.resize(64 * (end - first));
  std::fill(mask.begin() + static_cast<std::ptrdiff_t>(boxes), mask.end(), std::uint8_t{0});
  BoxMask(segment, m_index->classNames()).test(expr, std::span(mask).first(boxes));
  for (std::size_t word = first; word < end; ++word) words[word] = packed(mask.data() + 64 * (word - first));
}

void BoxBits::combine(const BoxExpr& expr, const Known& known, std::size_t number, std::span<std::uint64_t> out) const {
  if (expr.kind == BoxExpr::Kind::True) {
    std::fill(out.begin(), out.end(), ~0ull);
    return;
  }
  if (expr.kind == BoxExpr::Kind::Test) {
    std::copy_n(segment(known.at(&expr), number), out.size(), out.begin());
    return;
  }
  combine(*expr.children.front(), known, number, out);
  if (expr.kind == BoxExpr::Kind::Not)
    for (std::uint64_t& word : out) word = ~word;
  std::vector<std::uint64_t> other(out.size());
  for (std::size_t k = 1; k < expr.children.size(); ++k) {
    combine(*expr.children[k], known, number, other);
    if (expr.kind == BoxExpr::Kind::And)
      for (std::size_t i = 0; i < out.size(); ++i) out[i] &= other[i];
    else
      for (std::size_t i = 0; i < out.size(); ++i) out[i] |= other[i];
  }
}

// A segment at a time, so that what one test read and wrote is still at hand for the next, and for the visitor.
Status BoxBits::evaluate(const BoxExpr& expr, const CancelToken& cancel,
                         const std::function<void(std::size_t, const std::uint64_t*)>& visit) {
  Known known;
  std::vector<const BoxExpr*> missing;
  collect(expr, known, missing);
  ROADTUNE_CHECK(forEachOf(m_index->segmentCount(), cancel, [&](std::size_t s) {
    for (const BoxExpr* test : missing) testSegment(*test, s, known.at(test));
    if (expr.kind == BoxExpr::Kind::True) return visit(s, nullptr);
    if (expr.kind == BoxExpr::Kind::Test) return visit(s, segment(known.at(&expr), s));
    thread_local std::vector<std::uint64_t> words;
    words.resize(m_start[s + 1] - m_start[s] + 1);
    combine(expr, known, s, std::span(words).first(words.size() - 1));
    visit(s, words.data());
  }));
  for (const BoxExpr* test : missing)
    if (const std::string key = keyOf(*test); !m_kept.find(key)) m_kept.keep(key, known.at(test));
  return {};
}

}  // namespace roadtune::data
