// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/box_program.h"

#include "core/base/text.h"
#include "core/data/query/column_test.h"
#include "core/data/query/values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>

namespace roadtune::data {

namespace {

constexpr double kPercentSlack = 2.4e-7;  // pixels: half of the last stored bit

// Which boxes of one picture touch its border?
class BorderTest {
 public:
  BorderTest(const BoxColumns& boxes, double width, double height) : m_boxes(boxes), m_width(width), m_height(height) {
    // Coarse limits a step and more within the true ones: what lies inside them touches nothing.
    const auto steps = [&](double pixels) {
      return static_cast<std::int32_t>((pixels - boxes.origin) / boxes.quantum);
    };
    m_low = steps(kBorder) + 3;
    m_right = steps(width - kBorder) - 3;
    m_bottom = steps(height - kBorder) - 3;
  }

  void run(std::size_t begin, std::size_t end, std::uint8_t* touches) const {
    const std::uint16_t *x = m_boxes.x.data(), *y = m_boxes.y.data(), *w = m_boxes.w.data(), *h = m_boxes.h.data();
    for (std::size_t i = begin; i < end; ++i) {
      const std::int32_t left = x[i], top = y[i], right = left + w[i], bottom = top + h[i];
      const bool inside = (left > m_low) & (top > m_low) & (right < m_right) & (bottom < m_bottom);
      touches[i] = !inside && exactly(i);
    }
  }

 private:
  bool exactly(std::size_t i) const {
    const BoxColumns& b = m_boxes;
    const double x = boxColumn(b, BoxField::X).exact(b.quantum, i), y = boxColumn(b, BoxField::Y).exact(b.quantum, i);
    const double right = x + boxColumn(b, BoxField::W).exact(b.quantum, i);
    const double bottom = y + boxColumn(b, BoxField::H).exact(b.quantum, i);
    return x < kBorder || y < kBorder || right > m_width - kBorder || bottom > m_height - kBorder;
  }

  static constexpr double kBorder = 1;  // pixels
  const BoxColumns& m_boxes;
  double m_width, m_height;
  std::int32_t m_low = 0, m_right = 0, m_bottom = 0;
};

// The coarse parts of a block of boxes settle on which side of a threshold their area, or aspect, lies: those within
// `room` of it are in doubt.
struct ShapeBlock {
  static constexpr std::size_t kSize = 512;
  std::array<float, kSize> width, height, difference, room;
  std::array<std::uint8_t, kSize> doubt;

  // `difference` is area - threshold, or w - threshold h, which has the sign of
  // w / h - threshold. What was rounded away from a side is half a step at most.
  void fill(const BoxColumns& b, std::size_t begin, std::size_t count, bool area, float threshold) {
    const std::uint16_t *w = b.w.data() + begin, *h = b.h.data() + begin;
    for (std::size_t i = 0; i < count; ++i) width[i] = static_cast<float>(w[i]);
    for (std::size_t i = 0; i < count; ++i) height[i] = static_cast<float>(h[i]);
    const float magnitude = std::abs(threshold), rounding = 1 + magnitude * 1e-6f;
    if (area) {
      for (std::size_t i = 0; i < count; ++i) {
        difference[i] = width[i] * height[i] - threshold;
        room[i] = 0.5f * (width[i] + height[i]) + rounding;
      }
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        difference[i] = width[i] - threshold * height[i];
        // No height has no aspect.
        room[i] = (height[i] > 0 ? 0.5f + 0.5f * magnitude : 1e30f) + (width[i] + magnitude * height[i]) * 1e-6f;
      }
    }
    for (std::size_t i = 0; i < count; ++i) doubt[i] = std::abs(difference[i]) <= room[i];
  }

  // Calls `visit` for the boxes in doubt; eight are passed over at a look.
  template <class F>
  void forEachDoubt(std::size_t count, F&& visit) const {
    for (std::size_t at = 0; at < count; at += 8) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, doubt.data() + at, 8);
      if (!eight) continue;
      for (std::size_t i = at; i < std::min(count, at + 8); ++i)
        if (doubt[i]) visit(i);
    }
  }
};

}  // namespace

double BoxMask::value(const Segment& segment, BoxField field, std::size_t i) {
  const BoxColumns& b = segment.boxes();
  switch (field) {
    case BoxField::Area:
    case BoxField::Aspect: {
      const double w = boxColumn(b, BoxField::W).exact(b.quantum, i), h = boxColumn(b, BoxField::H).exact(b.quantum, i);
      if (field == BoxField::Area) return w * h;
      return h > 0 ? w / h : 0;
    }
    case BoxField::Level: return cameraBoxLevel(b.level[i] & 3);
    default: return boxColumn(b, field).exact(b.quantum, i);
  }
}

void BoxMask::test(const BoxExpr& expr, Mask mask) const {
  if (expr.field == BoxField::Class) return testClass(expr, mask);
  if (expr.field == BoxField::Track) return testTrack(expr, mask);
  if (expr.field == BoxField::Truncated) return testTruncated(expr, mask);
  std::vector<std::uint8_t> other(expr.values.size() > 1 ? mask.size() : 0);
  for (std::size_t k = 0; k < expr.values.size(); ++k) {
    const Mask target = k == 0 ? mask : Mask(other);
    if (expr.values[k].percent)
      testPercent(expr, expr.values[k], target);
    else
      testNumber(expr, expr.values[k], target);
    if (k > 0)
      for (std::size_t i = 0; i < mask.size(); ++i) mask[i] |= other[i];
  }
}

void BoxMask::testClass(const BoxExpr& expr, Mask mask) const {
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
  lookUp(m_segment.boxes().type, wanted, 0xff, mask);
}

void BoxMask::testTrack(const BoxExpr& expr, Mask mask) const {
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

void BoxMask::testTruncated(const BoxExpr& expr, Mask mask) const {
  const ImageColumns& images = m_segment.images();
  for (std::size_t row = 0; row < images.size(); ++row) {
    const std::size_t begin = images.boxStart[row], end = images.boxStart[row + 1];
    if (images.width[row] > 0 && images.height[row] > 0)
      BorderTest(m_segment.boxes(), images.width[row], images.height[row]).run(begin, end, mask.data());
    else
      std::fill(mask.begin() + static_cast<std::ptrdiff_t>(begin), mask.begin() + static_cast<std::ptrdiff_t>(end),
                std::uint8_t{0});
  }
  const bool cut = truthMatches(true, expr.compare, expr.values),
             whole = truthMatches(false, expr.compare, expr.values);
  for (std::uint8_t& m : mask) m = m ? cut : whole;
}

void BoxMask::testNumber(const BoxExpr& expr, const Operand& operand, Mask mask) const {
  compareField(expr.field, expr.compare == Compare::In ? Compare::Equal : expr.compare, operand.number.value_or(0),
               mask);
}

void BoxMask::compareField(BoxField field, Compare compare, double wanted, Mask mask) const {
  const BoxColumns& b = m_segment.boxes();
  if (field == BoxField::Area || field == BoxField::Aspect) return testShape(field, compare, wanted, mask);
  if (field != BoxField::Level) {
    const BoxColumn column = boxColumn(b, field);
    return compareColumn(column, compare, (wanted - column.origin) / b.quantum, mask);
  }
  constexpr std::uint8_t kDetection = 3;  // bits of the level
  std::array<std::uint8_t, 256> table{};
  for (int level = 0; level <= kDetection; ++level)
    table[static_cast<std::size_t>(level)] = compareNumbers(cameraBoxLevel(level), compare, wanted);
  lookUp(b.level, table, kDetection, mask);
}

// Area and aspect: the coarse parts decide all but the boxes close to the threshold.
void BoxMask::testShape(BoxField field, Compare compare, double wanted, Mask mask) const {
  const BoxColumns& b = m_segment.boxes();
  const bool area = field == BoxField::Area;
  const bool below = compare == Compare::Less || compare == Compare::LessEqual;
  const bool above = compare == Compare::Greater || compare == Compare::GreaterEqual;
  const auto settle = [&](std::size_t i) {
    mask[i] = compareNumbers(value(m_segment, field, i), compare, wanted, 1e-9 * std::abs(wanted));
  };
  if (!below && !above) {
    for (std::size_t i = 0; i < mask.size(); ++i) settle(i);
    return;
  }
  const auto threshold = static_cast<float>(area ? wanted / (b.quantum * b.quantum) : wanted);
  ShapeBlock block;
  for (std::size_t begin = 0; begin < mask.size(); begin += ShapeBlock::kSize) {
    const std::size_t count = std::min(ShapeBlock::kSize, mask.size() - begin);
    block.fill(b, begin, count, area, threshold);
    std::uint8_t* out = mask.data() + begin;
    for (std::size_t i = 0; i < count; ++i) out[i] = (block.difference[i] < 0) == below;
    block.forEachDoubt(count, [&](std::size_t i) { settle(begin + i); });
  }
}

// Of the image's width for x and w, of its height for y and h, of both for the area. Recordings have few sizes: each is
// asked once for all boxes, and every image takes the answer for its own.
void BoxMask::testPercent(const BoxExpr& expr, const Operand& operand, Mask mask) const {
  constexpr std::size_t kFewSizes = 4;
  const ImageColumns& images = m_segment.images();
  const Compare compare = expr.compare == Compare::In ? Compare::Equal : expr.compare;
  const auto thresholdOf = [&](std::size_t row) {
    const double width = images.width[row], height = images.height[row];
    const double whole = expr.field == BoxField::Area                             ? width * height
                         : expr.field == BoxField::X || expr.field == BoxField::W ? width
                                                                                  : height;
    return operand.number.value_or(0) / 100 * whole;
  };
  std::map<double, std::vector<std::uint8_t>> answers;
  for (std::size_t row = 0; row < images.size(); ++row) {
    const double threshold = thresholdOf(row);
    const std::size_t begin = images.boxStart[row], end = images.boxStart[row + 1];
    auto known = answers.find(threshold);
    if (known == answers.end() && answers.size() < kFewSizes) {
      known = answers.emplace(threshold, std::vector<std::uint8_t>(mask.size())).first;
      compareField(expr.field, compare, threshold, known->second);
    }
    for (std::size_t i = begin; i < end; ++i)
      mask[i] = known != answers.end()
                    ? known->second[i]
                    : compareNumbers(value(m_segment, expr.field, i), compare, threshold, kPercentSlack);
  }
}

}  // namespace roadtune::data
