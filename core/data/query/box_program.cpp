// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/box_program.h"

#include "core/base/text.h"
#include "core/data/query/values.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace roadtune::data {

namespace {

using Mask = std::vector<std::uint8_t>;

constexpr double kFineStep = 1.0 / 65536;

// A coordinate column against one threshold. The coarse part decides all but the boxes whose coarse value is next to
// the threshold; only for those the fine part is read.
struct ColumnTest {
  std::span<const std::uint16_t> coarse;
  std::span<const std::int16_t> fine;
  double threshold = 0;  // in steps of the grid
  Compare compare = Compare::Less;

  void run(Mask& mask) const {
    const double clamped = std::clamp(threshold, -2.0, 70000.0);
    const auto low = static_cast<std::int32_t>(std::ceil(clamped - 0.5));
    const auto high = static_cast<std::int32_t>(std::floor(clamped + 0.5));
    const std::size_t n = coarse.size();
    const std::uint16_t* c = coarse.data();
    std::uint8_t* m = mask.data();
    switch (compare) {
      case Compare::Less:
      case Compare::LessEqual:
        for (std::size_t i = 0; i < n; ++i) m[i] = c[i] < low;
        break;
      case Compare::Greater:
      case Compare::GreaterEqual:
        for (std::size_t i = 0; i < n; ++i) m[i] = c[i] > high;
        break;
      case Compare::NotEqual: std::fill(mask.begin(), mask.end(), std::uint8_t{1}); break;
      default: std::fill(mask.begin(), mask.end(), std::uint8_t{0}); break;
    }
    settleNear(low, high, mask);
  }

  void settleNear(std::int32_t low, std::int32_t high, Mask& mask) const {
    constexpr std::size_t kBlock = 512;
    const std::uint16_t* c = coarse.data();
    for (std::size_t begin = 0; begin < coarse.size(); begin += kBlock) {
      const std::size_t end = std::min(coarse.size(), begin + kBlock);
      unsigned near = 0;
      for (std::size_t i = begin; i < end; ++i)
        near |= static_cast<unsigned>(c[i] >= low) & static_cast<unsigned>(c[i] <= high);
      if (!near) continue;
      for (std::size_t i = begin; i < end; ++i) {
        if (c[i] < low || c[i] > high) continue;
        const double value = c[i] + (i < fine.size() ? fine[i] * kFineStep : 0);
        mask[i] = compareNumbers(value, compare, threshold, kFineStep / 2);
      }
    }
  }
};

struct Columns {
  std::span<const std::uint16_t> coarse;
  std::span<const std::int16_t> fine;
  double origin = 0;
};

Columns columnsOf(const BoxColumns& b, BoxField field) {
  switch (field) {
    case BoxField::X: return {b.x, b.fineX, b.origin};
    case BoxField::Y: return {b.y, b.fineY, b.origin};
    case BoxField::W: return {b.w, b.fineW, 0};
    default: return {b.h, b.fineH, 0};
  }
}

double exact(const Columns& c, double quantum, std::size_t i) {
  return c.origin + quantum * (c.coarse[i] + (i < c.fine.size() ? c.fine[i] * kFineStep : 0));
}

}  // namespace

double BoxMask::value(const Segment& segment, BoxField field, std::size_t i) {
  const BoxColumns& b = segment.boxes();
  switch (field) {
    case BoxField::Area:
    case BoxField::Aspect: {
      const double w = exact(columnsOf(b, BoxField::W), b.quantum, i),
                   h = exact(columnsOf(b, BoxField::H), b.quantum, i);
      if (field == BoxField::Area) return w * h;
      return h > 0 ? w / h : 0;
    }
    case BoxField::Level: return cameraBoxLevel(b.level[i] & 3);
    default: return exact(columnsOf(b, field), b.quantum, i);
  }
}

void BoxMask::evaluate(const BoxExpr& expr, Mask& mask) const {
  mask.resize(m_segment.boxes().size());
  switch (expr.kind) {
    case BoxExpr::Kind::True: std::fill(mask.begin(), mask.end(), std::uint8_t{1}); return;
    case BoxExpr::Kind::Test: return test(expr, mask);
    case BoxExpr::Kind::Not:
      evaluate(*expr.children.front(), mask);
      for (std::uint8_t& m : mask) m ^= 1;
      return;
    case BoxExpr::Kind::And:
    case BoxExpr::Kind::Or: break;
  }
  evaluate(*expr.children.front(), mask);
  Mask other;
  for (std::size_t k = 1; k < expr.children.size(); ++k) {
    evaluate(*expr.children[k], other);
    if (expr.kind == BoxExpr::Kind::And)
      for (std::size_t i = 0; i < mask.size(); ++i) mask[i] &= other[i];
    else
      for (std::size_t i = 0; i < mask.size(); ++i) mask[i] |= other[i];
  }
}

void BoxMask::test(const BoxExpr& expr, Mask& mask) const {
  if (expr.field == BoxField::Class) return testClass(expr, mask);
  if (expr.field == BoxField::Track) return testTrack(expr, mask);
  if (expr.field == BoxField::Truncated) return testTruncated(expr, mask);
  Mask other;
  for (std::size_t k = 0; k < expr.values.size(); ++k) {
    Mask& target = k == 0 ? mask : other;
    target.resize(mask.size());
    if (expr.values[k].percent)
      testPercent(expr, expr.values[k], target);
    else
      testNumber(expr, expr.values[k], target);
    if (k > 0)
      for (std::size_t i = 0; i < mask.size(); ++i) mask[i] |= other[i];
  }
}

void BoxMask::testClass(const BoxExpr& expr, Mask& mask) const {
  std::vector<std::uint8_t> byNumber;  // of the index
  for (const std::string& className : m_classNames) {
    const std::string name = lower(className);
    const bool found = std::any_of(expr.values.begin(), expr.values.end(), [&](const Operand& value) {
      return wordMatches(ImageField::Segment, name, value.text);
    });
    byNumber.push_back(found != (expr.compare == Compare::NotEqual));
  }
  std::array<std::uint8_t, kMaxClasses> wanted{};
  for (std::size_t stored = 0; stored < wanted.size(); ++stored)
    wanted[stored] = byNumber[m_segment.classOf(static_cast<std::uint8_t>(stored))];
  const auto type = m_segment.boxes().type;
  for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = wanted[type[i]];
}

void BoxMask::testTrack(const BoxExpr& expr, Mask& mask) const {
  const auto track = m_segment.boxes().track;
  std::vector<std::uint8_t> wanted;  // by track number
  for (std::size_t i = 0; i < mask.size(); ++i) {
    if (track[i] >= wanted.size()) wanted.resize(std::size_t{track[i]} + 1, 2);
    std::uint8_t& known = wanted[track[i]];
    if (known == 2) {
      const std::string_view id = m_segment.trackId(i);
      const bool found = std::any_of(expr.values.begin(), expr.values.end(), [&](const Operand& value) {
        return wordMatches(ImageField::Segment, id, value.text);
      });
      known = found != (expr.compare == Compare::NotEqual);
    }
    mask[i] = known;
  }
}

void BoxMask::testTruncated(const BoxExpr& expr, Mask& mask) const {
  constexpr double kBorder = 1;  // pixels
  bool wanted = true;
  for (const Operand& value : expr.values) wanted = parseTruth(value.text).value_or(true);
  if (expr.compare == Compare::NotEqual) wanted = !wanted;
  const ImageColumns& images = m_segment.images();
  const BoxColumns& b = m_segment.boxes();
  for (std::size_t row = 0; row < images.size(); ++row)
    for (std::size_t i = images.boxStart[row]; i < images.boxStart[row + 1]; ++i) {
      const double x = value(m_segment, BoxField::X, i), y = value(m_segment, BoxField::Y, i);
      const double right = x + b.quantum * b.w[i], bottom = y + b.quantum * b.h[i];
      const bool known = images.width[row] > 0 && images.height[row] > 0;
      const bool touches = known && (x < kBorder || y < kBorder || right > images.width[row] - kBorder ||
                                     bottom > images.height[row] - kBorder);
      mask[i] = touches == wanted;
    }
}

void BoxMask::testNumber(const BoxExpr& expr, const Operand& operand, Mask& mask) const {
  const BoxColumns& b = m_segment.boxes();
  const double wanted = operand.number.value_or(0);
  const Compare compare = expr.compare == Compare::In ? Compare::Equal : expr.compare;
  if (expr.field == BoxField::X || expr.field == BoxField::Y || expr.field == BoxField::W ||
      expr.field == BoxField::H) {
    const Columns columns = columnsOf(b, expr.field);
    ColumnTest{columns.coarse, columns.fine, (wanted - columns.origin) / b.quantum, compare}.run(mask);
  } else if (expr.field == BoxField::Level) {
    std::array<std::uint8_t, 256> table{};
    for (std::size_t level = 0; level < table.size(); ++level)
      table[level] = compareNumbers(cameraBoxLevel(static_cast<int>(level & 3)), compare, wanted);
    for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = table[b.level[i]];
  } else {
    for (std::size_t i = 0; i < mask.size(); ++i)
      mask[i] = compareNumbers(value(m_segment, expr.field, i), compare, wanted, 1e-9 * std::abs(wanted));
  }
}

// Of the image's width for x and w, of its height for y and h, of both for the area.
void BoxMask::testPercent(const BoxExpr& expr, const Operand& operand, Mask& mask) const {
  const ImageColumns& images = m_segment.images();
  const double share = operand.number.value_or(0) / 100;
  const Compare compare = expr.compare == Compare::In ? Compare::Equal : expr.compare;
  for (std::size_t row = 0; row < images.size(); ++row) {
    const double width = images.width[row], height = images.height[row];
    const double whole = expr.field == BoxField::Area                             ? width * height
                         : expr.field == BoxField::X || expr.field == BoxField::W ? width
                                                                                  : height;
    for (std::size_t i = images.boxStart[row]; i < images.boxStart[row + 1]; ++i)
      mask[i] = compareNumbers(value(m_segment, expr.field, i), compare, share * whole, 1e-9 * whole);
  }
}

}  // namespace roadtune::data
