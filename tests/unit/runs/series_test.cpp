// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/series.h"

#include "core/base/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace roadtune::runs {
namespace {

Series line(const std::vector<double>& values) {
  Series series;
  for (std::size_t i = 0; i < values.size(); ++i)
    series.append({static_cast<std::int64_t>(i), 100.0 + static_cast<double>(i), values[i]});
  return series;
}

// The definition, point by point.
Column slowSummary(const Series& series, std::size_t first, std::size_t count) {
  Column column;
  column.count = count;
  column.min = INFINITY;
  column.max = -INFINITY;
  double sum = 0;
  for (std::size_t i = first; i < first + count; ++i) {
    const double value = series.values()[i];
    if (!std::isfinite(value)) {
      ++column.nonFinite;
      continue;
    }
    column.min = std::min(column.min, value);
    column.max = std::max(column.max, value);
    sum += value;
  }
  column.mean = sum / static_cast<double>(count - column.nonFinite);
  return column;
}

TEST(Series, SummariesAreExactForEveryStretch) {
  Random random(1);
  Series series;
  for (int i = 0; i < 5000; ++i) {
    const double value = random.below(50) == 0 ? NAN : random.below(70) == 0 ? INFINITY : random.normal();
    series.append({i, 1.0 * i, value});
  }
  for (int round = 0; round < 2000; ++round) {
    const std::size_t first = random.below(5000);
    const std::size_t count = 1 + random.below(5000 - first);
    const Column quick = series.summarize(first, count), slow = slowSummary(series, first, count);
    ASSERT_EQ(quick.nonFinite, slow.nonFinite);
    if (slow.nonFinite == count) {
      ASSERT_TRUE(std::isnan(quick.min) && std::isnan(quick.mean));
      continue;
    }
    ASSERT_EQ(quick.min, slow.min);
    ASSERT_EQ(quick.max, slow.max);
    ASSERT_TRUE(quick.minAt >= first && quick.minAt < first + count);
    ASSERT_TRUE(quick.maxAt >= first && quick.maxAt < first + count);
    ASSERT_EQ(series.values()[quick.minAt], slow.min);
    ASSERT_EQ(series.values()[quick.maxAt], slow.max);
    ASSERT_NEAR(quick.mean, slow.mean, 1e-12);
  }
}

TEST(Series, ASingleSpikeAmongMillionsStaysVisible) {
  Series series;
  for (int i = 0; i < 1000000; ++i) series.append({i, 0.001 * i, i == 654321 ? 1e6 : 1.0});
  const auto columns = series.columns(Axis::Step, 0, 1e6, 700);
  ASSERT_LE(columns.size(), 700u);
  std::size_t points = 0;
  int spikes = 0;
  for (const Column& column : columns) {
    points += column.count;
    spikes += column.max == 1e6;
  }
  EXPECT_EQ(points, 1000000u);
  EXPECT_EQ(spikes, 1);
}

TEST(Series, ColumnsCutTheStretchThatWasAskedFor) {
  const Series series = line({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  const auto columns = series.columns(Axis::Step, 2, 7, 3);
  ASSERT_EQ(columns.size(), 3u);
  EXPECT_EQ(columns.front().first, 2u);
  EXPECT_EQ(columns.back().first + columns.back().count, 8u);
  EXPECT_EQ(columns.back().max, 7);
  const auto byTime = series.columns(Axis::Time, 103, 105, 100);
  ASSERT_EQ(byTime.size(), 3u);
  EXPECT_EQ(byTime[0].firstValue, 3);
  EXPECT_EQ(byTime[0].x0, 103);
  EXPECT_TRUE(series.columns(Axis::Step, 100, 200, 10).empty());
  EXPECT_TRUE(series.columns(Axis::Step, 5, 4, 10).empty());
}

TEST(Series, KeepsNaNAndSaysWhere) {
  const Series series = line({1, NAN, INFINITY, 2});
  EXPECT_EQ(series.size(), 4u);
  EXPECT_TRUE(std::isnan(series.at(1).value));
  const Column all = series.summarize(0, 4);
  EXPECT_EQ(all.nonFinite, 2u);
  EXPECT_EQ(all.max, 2);
}

TEST(Series, AResumedRunTakesThePlaceOfWhatItRepeats) {
  Series series;
  for (int step = 10; step <= 850; step += 10) series.append({step, 1.0 * step, 5.0});
  for (int step = 810; step <= 1000; step += 10) series.append({step, 2000.0 + step, 1.0});
  EXPECT_EQ(series.size(), 100u);
  EXPECT_EQ(series.at(79).step, 800);
  EXPECT_EQ(series.at(79).value, 5.0);
  EXPECT_EQ(series.at(80).step, 810);
  EXPECT_EQ(series.at(80).value, 1.0);
  ASSERT_EQ(series.superseded().size(), 1u);
  EXPECT_EQ(series.superseded()[0].fromStep, 810);
  EXPECT_EQ(series.superseded()[0].points.size(), 5u);
  EXPECT_EQ(series.superseded()[0].points.back().step, 850);
  EXPECT_EQ(series.summarize(80, 20).max, 1.0);
  EXPECT_EQ(series.generation(), 1u);
}

TEST(Series, TheSameStepTwiceKeepsTheLater) {
  Series series;
  series.append({1, 1, 10});
  series.append({1, 2, 20});
  EXPECT_EQ(series.size(), 1u);
  EXPECT_EQ(series.last().value, 20);
  EXPECT_EQ(series.superseded()[0].points[0].value, 10);
}

TEST(Series, SamplesByTimeAreNeverSuperseded) {
  Series series(Axis::Time);
  for (int i = 0; i < 100; ++i) series.append({0, 10.0 + i, 1.0 * i});
  EXPECT_EQ(series.size(), 100u);
  series.append({0, 5.0, 100.0});  // the clock was set back
  EXPECT_EQ(series.last().time, 109.0);
  EXPECT_EQ(series.lowerBound(Axis::Step, 20.0), 10u);
}

TEST(Series, ThePyramidIsRightAfterManyResumes) {
  Random random(5);
  Series series;
  std::int64_t step = 0;
  for (int i = 0; i < 20000; ++i) {
    step = random.below(300) == 0 ? static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(step + 1)))
                                  : step + 1;
    series.append({step, 1.0 * i, random.normal()});
  }
  for (std::size_t i = 1; i < series.size(); ++i) ASSERT_LT(series.steps()[i - 1], series.steps()[i]);
  const Column quick = series.summarize(0, series.size()), slow = slowSummary(series, 0, series.size());
  EXPECT_EQ(quick.min, slow.min);
  EXPECT_EQ(quick.max, slow.max);
  EXPECT_NEAR(quick.mean, slow.mean, 1e-12);
}

TEST(Series, MergedPointsAreAllKeptInTheOrderOfTheirSteps) {
  Series series;
  series.merge({{10, 1, 10}, {5, 2, 5}, {7, 3, 7}, {3, 4, 3}});
  series.merge({{7, 5, 70}, {12, 6, 12}});
  EXPECT_EQ(std::vector<std::int64_t>(series.steps().begin(), series.steps().end()),
            (std::vector<std::int64_t>{3, 5, 7, 7, 10, 12}));
  EXPECT_EQ(std::vector<double>(series.values().begin(), series.values().end()),
            (std::vector<double>{3, 5, 7, 70, 10, 12}));
  EXPECT_TRUE(series.superseded().empty());
  const Column all = series.summarize(0, series.size());
  EXPECT_EQ(all.min, 3);
  EXPECT_EQ(all.max, 70);
  EXPECT_EQ(series.lowerBound(Axis::Step, 7), 2u);
  const auto generation = series.generation();
  series.merge({{12, 7, 13}});
  EXPECT_EQ(series.generation(), generation) << "only appended";
}

TEST(Series, AnEmptyOneAnswersEverything) {
  const Series series;
  EXPECT_TRUE(series.columns(Axis::Step, 0, 1, 10).empty());
  EXPECT_EQ(series.summarize(0, 10).count, 0u);
  EXPECT_EQ(series.lowerBound(Axis::Time, 0), 0u);
}

}  // namespace
}  // namespace roadtune::runs
