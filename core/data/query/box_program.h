// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/segment.h"
#include "core/data/query/query_plan.h"

#include <cstdint>
#include <span>
#include <vector>

namespace roadtune::data {

// Single conditions on the boxes of one segment. They were checked against the index: their classes exist.
class BoxMask {
 public:
  using Mask = std::span<std::uint8_t>;  // one byte per box

  BoxMask(const Segment& segment, const std::vector<std::string>& classNames)
      : m_segment(segment), m_classNames(classNames) {}

  // Sets mask[i] to 1 for every box that meets the condition, else to 0. `expr` is a Test.
  void test(const BoxExpr& expr, Mask mask) const;

  // The value of a numeric field for one box, exact.
  static double value(const Segment& segment, BoxField field, std::size_t box);

 private:
  void testClass(const BoxExpr& expr, Mask mask) const;
  void testTrack(const BoxExpr& expr, Mask mask) const;
  void testTruncated(const BoxExpr& expr, Mask mask) const;
  void testNumber(const BoxExpr& expr, const Operand& operand, Mask mask) const;
  void compareField(BoxField field, Compare compare, double wanted, Mask mask) const;
  void testShape(BoxField field, Compare compare, double wanted, Mask mask) const;
  void testPercent(const BoxExpr& expr, const Operand& operand, Mask mask) const;

  const Segment& m_segment;
  const std::vector<std::string>& m_classNames;
};

}  // namespace roadtune::data
