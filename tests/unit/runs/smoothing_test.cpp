// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/smoothing.h"

#include <gtest/gtest.h>

#include <cmath>

namespace roadtune::runs {
namespace {

TEST(Smoothing, StartsAtTheDataAndNotAtZero) {
  const auto smooth1 = smooth(std::vector<double>{4, 2, 8}, 0.6);
  EXPECT_DOUBLE_EQ(smooth1[0], 4);
  EXPECT_DOUBLE_EQ(smooth1[1], (4 * 0.4 * 0.6 + 0.4 * 2) / (1 - 0.36));
  EXPECT_DOUBLE_EQ(smooth1[2], ((4 * 0.4 * 0.6 + 0.4 * 2) * 0.6 + 0.4 * 8) / (1 - 0.216));
}

TEST(Smoothing, LeavesAConstantSeriesAndNoWeightAlone) {
  EXPECT_EQ(smooth(std::vector<double>{0.1, 0.1, 0.1}, 0.99), (std::vector<double>{0.1, 0.1, 0.1}));
  EXPECT_EQ(smooth(std::vector<double>{1, 5, 2}, 0.0), (std::vector<double>{1, 5, 2}));
}

TEST(Smoothing, PassesNonFinitePointsThroughWithoutAveragingThem) {
  const auto with = smooth(std::vector<double>{1, NAN, 3, INFINITY, 5}, 0.6);
  const auto without = smooth(std::vector<double>{1, 3, 5}, 0.6);
  EXPECT_TRUE(std::isnan(with[1]));
  EXPECT_TRUE(std::isinf(with[3]));
  EXPECT_DOUBLE_EQ(with[2], without[1]);
  EXPECT_DOUBLE_EQ(with[4], without[2]);
}

TEST(Smoothing, PercentilesIgnoreWhatIsNotFinite) {
  std::vector<double> values;
  for (int i = 0; i <= 100; ++i) values.push_back(i);
  values.push_back(NAN);
  values.push_back(INFINITY);
  double low = 0, high = 0;
  ASSERT_TRUE(percentileRange(values, 5, 95, low, high));
  EXPECT_DOUBLE_EQ(low, 5);
  EXPECT_DOUBLE_EQ(high, 95);
  EXPECT_FALSE(percentileRange(std::vector<double>{NAN}, 5, 95, low, high));
}

}  // namespace
}  // namespace roadtune::runs
