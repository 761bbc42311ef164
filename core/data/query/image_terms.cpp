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
#include <limits>

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

// Scale and offset turn what was folded into the answer's unit.
struct Unit {
  double scale = 1, offset = 0;
};

// What a term of this kind makes of `valueOf` the boxes whose bit is set; not a number where there is none to choose.
template <BoxTerm::Kind K, class F>
double fold(const std::uint64_t* bits, std::size_t begin, std::size_t end, const F& valueOf, Unit unit) {
  using T = decltype(valueOf(begin));
  T found = K == BoxTerm::Kind::Min   ? std::numeric_limits<T>::max()
            : K == BoxTerm::Kind::Max ? std::numeric_limits<T>::lowest()
                                      : T{0};
  std::size_t n = 0;
  forEachBit(bits, begin, end, [&](std::size_t i) {
    const T value = valueOf(i);
    if constexpr (K == BoxTerm::Kind::Min)
      found = std::min(found, value);
    else if constexpr (K == BoxTerm::Kind::Max)
      found = std::max(found, value);
    else
      found += value;
    ++n;
  });
  const auto count = static_cast<double>(n), whole = static_cast<double>(found);
  if (K == BoxTerm::Kind::Sum) return unit.scale * whole + unit.offset * count;
  if (n == 0) return std::nan("");
  return unit.scale * (K == BoxTerm::Kind::Mean ? whole / count : whole) + unit.offset;
}

template <class F, class V>
void foldRowsOf(BoxTerm::Kind kind, const Segment& segment, const std::uint64_t* bits, const F& valueOf, Unit unit,
                V&& visit) {
  const auto rows = [&]<BoxTerm::Kind K>() {
    forEachRow(segment, [&](std::size_t row, std::size_t begin, std::size_t end) {
      visit(row, [&] { return fold<K>(bits, begin, end, valueOf, unit); });
    });
  };
  switch (kind) {
    case BoxTerm::Kind::Sum: return rows.template operator()<BoxTerm::Kind::Sum>();
    case BoxTerm::Kind::Min: return rows.template operator()<BoxTerm::Kind::Min>();
    case BoxTerm::Kind::Max: return rows.template operator()<BoxTerm::Kind::Max>();
    default: return rows.template operator()<BoxTerm::Kind::Mean>();
  }
}

// Calls visit(row, value) for every image; value() is what a Sum, Min, Max or Mean says about it.
template <class V>
void foldRows(const BoxTerm& term, const Segment& segment, const std::uint64_t* bits, V&& visit) {
  const BoxField field = term.field;
  if (field == BoxField::X || field == BoxField::Y || field == BoxField::W || field == BoxField::H) {
    const BoxColumn column = boxColumn(segment.boxes(), field);
    const Unit unit{segment.boxes().quantum / 65536, column.origin};
    const std::uint16_t* coarse = column.coarse.data();
    const std::int16_t* fine = column.fine.data();
    if (column.fine.size() == column.coarse.size())
      return foldRowsOf(
          term.kind, segment, bits, [=](std::size_t i) { return std::int64_t{coarse[i]} * 65536 + fine[i]; }, unit,
          visit);
  }
  foldRowsOf(
      term.kind, segment, bits, [&](std::size_t i) { return BoxMask::value(segment, field, i); }, Unit{}, visit);
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
  foldRows(node.term, segment, bits, [&](std::size_t row, const auto& valueOf) {
    const double value = valueOf();
    hits[row] = numberMatches(value, node.compare, node.values, 1e-9 * std::abs(value));
  });
}

void termValues(const BoxTerm& term, const Segment& segment, const std::uint64_t* bits, const Bitmap& wanted,
                std::size_t first, double* values) {
  const auto forEachWanted = [&](const auto& valueOf) {
    forEachRow(segment, [&](std::size_t row, std::size_t begin, std::size_t end) {
      if (wanted.test(first + row)) values[first + row] = valueOf(begin, end);
    });
  };
  switch (term.kind) {
    case BoxTerm::Kind::Any: return forEachWanted([&](auto begin, auto end) { return anyBit(bits, begin, end); });
    case BoxTerm::Kind::None: return forEachWanted([&](auto begin, auto end) { return !anyBit(bits, begin, end); });
    case BoxTerm::Kind::All:
      return forEachWanted([&](auto begin, auto end) { return countBits(bits, begin, end) == end - begin; });
    case BoxTerm::Kind::Count: return forEachWanted([&](auto begin, auto end) { return countBits(bits, begin, end); });
    default: break;
  }
  foldRows(term, segment, bits, [&](std::size_t row, const auto& valueOf) {
    if (wanted.test(first + row)) values[first + row] = valueOf();
  });
}

}  // namespace roadtune::data
