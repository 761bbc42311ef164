// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/segment.h"
#include "core/data/query/query_plan.h"

#include <cstdint>
#include <span>
#include <vector>

namespace roadtune::data {

// Sets mask[i] to 1 for every box of the segment that meets the condition, else to 0. The condition was checked
// against the index: its classes exist. `classOf` maps a class name (lower case) to the numbers it stands for.
class BoxMask {
 public:
  BoxMask(const Segment& segment, const std::vector<std::string>& classNames)
      : m_segment(segment), m_classNames(classNames) {}

  void evaluate(const BoxExpr& expr, std::vector<std::uint8_t>& mask) const;

  // The value of a numeric field for one box, exact.
  static double value(const Segment& segment, BoxField field, std::size_t box);

 private:
  void test(const BoxExpr& expr, std::vector<std::uint8_t>& mask) const;
  void testClass(const BoxExpr& expr, std::vector<std::uint8_t>& mask) const;
  void testTrack(const BoxExpr& expr, std::vector<std::uint8_t>& mask) const;
  void testTruncated(const BoxExpr& expr, std::vector<std::uint8_t>& mask) const;
  void testNumber(const BoxExpr& expr, const Operand& operand, std::vector<std::uint8_t>& mask) const;
  void testPercent(const BoxExpr& expr, const Operand& operand, std::vector<std::uint8_t>& mask) const;

  const Segment& m_segment;
  const std::vector<std::string>& m_classNames;
};

}  // namespace roadtune::data
