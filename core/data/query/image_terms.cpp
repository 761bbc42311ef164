// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/image_terms.h"

#include "core/data/query/box_bits.h"
#include "core/data/query/box_program.h"
#include "core/data/query/column_test.h"
#include "core/data/query/values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace roadtune::data {

namespace {

template <class F>
void forEachRow(const Segment& segment, F&& visit) {
  const auto& start = segment.images().boxStart;
  for (std::size_t row = 0; row + 1 < start.size(); ++row) visit(row, start[row], start[row + 1]);
}

template <class F>
void forEachBit(const std::uint64_t* bits, std::size_t begin, std::size_t end, F&& visit) {
  if (!bits) {
    for (std::size_t i = begin; i < end; ++i) visit(i);
    return;
  }
  for (std::size_t at = begin; at < end;) {
    const std::size_t stop = std::min(end, (at / 64 + 1) * 64);
    std::uint64_t word = bits[at / 64] >> (at % 64);
    if (stop - at < 64) word &= (1ull << (stop - at)) - 1;
    for (; word; word &= word - 1) visit(at + static_cast<std::size_t>(std::countr_zero(word)));
    at = stop;
  }
}

// Minimum, maximum and sum of what `valueOf` says of the boxes whose bit is set.
template <class T, class F>
struct Fold {
  T low{}, high{}, sum{};
  std::size_t n = 0;

  Fold(const std::uint64_t* bits, std::size_t begin, std::size_t end, const F& valueOf) {
    forEachBit(bits, begin, end, [&](std::size_t i) {
      const T value = valueOf(i);
      low = n ? std::min(low, value) : value;
      high = n ? std::max(high, value) : value;
      sum += value;
      ++n;
    });
  }
  // With every value turned into scale * value + offset.
  double answer(BoxTerm::Kind kind, double scale, double offset) const {
    const auto count = static_cast<double>(n);
    if (kind == BoxTerm::Kind::Sum) return scale * static_cast<double>(sum) + offset * count;
    if (n == 0) return std::nan("");
    if (kind == BoxTerm::Kind::Min) return scale * static_cast<double>(low) + offset;
    if (kind == BoxTerm::Kind::Max) return scale * static_cast<double>(high) + offset;
    return scale * static_cast<double>(sum) / count + offset;
  }
};

double foldBoxes(const BoxTerm& term, const Segment& segment, const std::uint64_t* bits, std::size_t begin,
                 std::size_t end) {
  const BoxField field = term.field;
  if (field == BoxField::X || field == BoxField::Y || field == BoxField::W || field == BoxField::H) {
    const BoxColumn column = boxColumn(segment.boxes(), field);
    if (column.fine.size() == column.coarse.size()) {
      const auto whole = [&](std::size_t i) { return std::int64_t{column.coarse[i]} * 65536 + column.fine[i]; };
      return Fold<std::int64_t, decltype(whole)>(bits, begin, end, whole)
          .answer(term.kind, segment.boxes().quantum / 65536, column.origin);
    }
  }
  const auto exact = [&](std::size_t i) { return BoxMask::value(segment, field, i); };
  return Fold<double, decltype(exact)>(bits, begin, end, exact).answer(term.kind, 1, 0);
}

// Counts are small: what a comparison says about each is looked up.
class CountTable {
 public:
  explicit CountTable(const QueryNode& node) : m_node(node) {
    for (std::size_t n = 0; n < m_known.size(); ++n) m_known[n] = matches(n);
  }
  bool operator()(std::size_t count) const { return count < m_known.size() ? m_known[count] : matches(count); }

 private:
  bool matches(std::size_t count) const {
    const auto value = static_cast<double>(count);
    return numberMatches(value, m_node.compare, m_node.values, 1e-9 * value);
  }
  const QueryNode& m_node;
  std::array<bool, 256> m_known{};
};

}  // namespace

void termHits(const QueryNode& node, const Segment& segment, const std::uint64_t* bits, std::span<std::uint8_t> hits) {
  switch (node.term.kind) {
    case BoxTerm::Kind::Any:
      return forEachRow(segment, [&](auto row, auto begin, auto end) { hits[row] = anyBit(bits, begin, end); });
    case BoxTerm::Kind::None:
      return forEachRow(segment, [&](auto row, auto begin, auto end) { hits[row] = !anyBit(bits, begin, end); });
    case BoxTerm::Kind::All:
      return forEachRow(
          segment, [&](auto row, auto begin, auto end) { hits[row] = countBits(bits, begin, end) == end - begin; });
    case BoxTerm::Kind::Count: {
      const CountTable table(node);
      return forEachRow(segment,
                        [&](auto row, auto begin, auto end) { hits[row] = table(countBits(bits, begin, end)); });
    }
    default: break;
  }
  forEachRow(segment, [&](auto row, auto begin, auto end) {
    const double value = foldBoxes(node.term, segment, bits, begin, end);
    hits[row] = numberMatches(value, node.compare, node.values, 1e-9 * std::abs(value));
  });
}

double termValue(const BoxTerm& term, const Segment& segment, const std::uint64_t* bits, std::size_t row) {
  const std::size_t begin = segment.images().boxStart[row], end = segment.images().boxStart[row + 1];
  switch (term.kind) {
    case BoxTerm::Kind::Any: return anyBit(bits, begin, end);
    case BoxTerm::Kind::None: return !anyBit(bits, begin, end);
    case BoxTerm::Kind::All: return countBits(bits, begin, end) == end - begin;
    case BoxTerm::Kind::Count: return countBits(bits, begin, end);
    default: return foldBoxes(term, segment, bits, begin, end);
  }
}

void termValues(const BoxTerm& term, const Segment& segment, const std::uint64_t* bits, std::span<double> values) {
  for (std::size_t row = 0; row < values.size(); ++row) values[row] = termValue(term, segment, bits, row);
}

}  // namespace roadtune::data
