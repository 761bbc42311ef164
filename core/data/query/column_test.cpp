// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/column_test.h"

#include "core/data/query/values.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace roadtune::data {

namespace {

constexpr double kHalfFineStep = 0.5 / 65536;

void settleNear(const BoxColumn& column, std::int32_t low, std::int32_t high, Compare compare, double threshold,
                std::span<std::uint8_t> mask) {
  constexpr std::size_t kBlock = 512;
  if (high < 0 || low > 65535) return;
  // One comparison instead of two: what lies below `from` wraps around.
  const auto from = static_cast<std::uint16_t>(std::max(low, 0));
  const auto width = static_cast<std::uint16_t>(std::min(high, 65535) - from);
  const std::uint16_t* coarse = column.coarse.data();
  for (std::size_t at = 0; at < mask.size(); at += kBlock) {
    const std::size_t end = std::min(mask.size(), at + kBlock);
    std::uint16_t near = 0;
    for (std::size_t i = at; i < end; ++i)
      near |= static_cast<std::uint16_t>(static_cast<std::uint16_t>(coarse[i] - from) <= width ? 0xffff : 0);
    if (!near) continue;
    for (std::size_t i = at; i < end; ++i) {
      if (static_cast<std::uint16_t>(coarse[i] - from) > width) continue;
      const double rest = i < column.fine.size() ? column.fine[i] / 65536.0 : 0;
      mask[i] = compareNumbers(coarse[i] + rest, compare, threshold, kHalfFineStep);
    }
  }
}

// coarse < limit, for a limit of 0 .. 65536.
void belowLimit(const std::uint16_t* coarse, std::int32_t limit, std::span<std::uint8_t> mask) {
  if (limit <= 0 || limit > 65535) {
    std::fill(mask.begin(), mask.end(), static_cast<std::uint8_t>(limit > 0));
    return;
  }
  const auto bound = static_cast<std::uint16_t>(limit);
  std::uint8_t* out = mask.data();
  for (std::size_t i = 0; i < mask.size(); ++i) out[i] = coarse[i] < bound;
}

}  // namespace

BoxColumn boxColumn(const BoxColumns& b, BoxField field) {
  switch (field) {
    case BoxField::X: return {b.x, b.fineX, b.origin};
    case BoxField::Y: return {b.y, b.fineY, b.origin};
    case BoxField::W: return {b.w, b.fineW, 0};
    default: return {b.h, b.fineH, 0};
  }
}

void compareColumn(const BoxColumn& column, Compare compare, double threshold, std::span<std::uint8_t> mask) {
  const double clamped = std::clamp(threshold, -2.0, 70000.0);
  const auto low = static_cast<std::int32_t>(std::ceil(clamped - 0.5));
  const auto high = static_cast<std::int32_t>(std::floor(clamped + 0.5));
  const std::uint16_t* coarse = column.coarse.data();
  switch (compare) {
    case Compare::Less:
    case Compare::LessEqual: belowLimit(coarse, low, mask); break;
    case Compare::Greater:
    case Compare::GreaterEqual:
      belowLimit(coarse, high + 1, mask);
      for (std::uint8_t& m : mask) m ^= 1;
      break;
    case Compare::NotEqual: std::fill(mask.begin(), mask.end(), std::uint8_t{1}); break;
    default: std::fill(mask.begin(), mask.end(), std::uint8_t{0}); break;
  }
  settleNear(column, low, high, compare, threshold, mask);
}

void lookUp(std::span<const std::uint8_t> column, const std::array<std::uint8_t, 256>& wanted, std::uint8_t relevant,
            std::span<std::uint8_t> mask) {
  constexpr std::size_t kFew = 4;
  const std::uint8_t* in = column.data();
  std::uint8_t* out = mask.data();
  // Whichever are fewer, the wanted or the others.
  const auto wantedCount = static_cast<std::size_t>(std::count(wanted.begin(), wanted.begin() + relevant + 1, 1));
  const bool listWanted = 2 * wantedCount <= relevant + 1u;
  const std::size_t listed = listWanted ? wantedCount : relevant + 1u - wantedCount;
  if (listed > kFew) {
    for (std::size_t i = 0; i < mask.size(); ++i) out[i] = wanted[in[i] & relevant];
    return;
  }
  std::array<std::uint8_t, kFew> few{};
  for (std::size_t value = 0, k = 0; k < listed; ++value)
    if ((wanted[value] != 0) == listWanted) few[k++] = static_cast<std::uint8_t>(value);
  // A comparison at a time: these the compiler makes of whole vectors, which it cannot of a table.
  const auto base = static_cast<std::uint8_t>(!listWanted);
  if (listed == 0) return std::fill(mask.begin(), mask.end(), base);
  const std::uint8_t first = few.front();
  for (std::size_t i = 0; i < mask.size(); ++i)
    out[i] = static_cast<std::uint8_t>(base ^ ((in[i] & relevant) == first));
  for (std::size_t k = 1; k < listed; ++k) {
    const std::uint8_t value = few[k];
    for (std::size_t i = 0; i < mask.size(); ++i) out[i] ^= (in[i] & relevant) == value;
  }
}

}  // namespace roadtune::data
