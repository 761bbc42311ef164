// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"

#include "core/base/clock.h"

#include <gtest/gtest.h>

#include <limits>

namespace roadtune {
namespace {

TEST(Units, CountsAreGrouped) {
  EXPECT_EQ(formatCount(990412), "990,412");
  EXPECT_EQ(formatCount(0), "0");
  EXPECT_EQ(formatCount(-1234567), "-1,234,567");
  EXPECT_EQ(formatCount(999), "999");
}

TEST(Units, BytesUsePowersOfThousand) {
  EXPECT_EQ(formatBytes(999), "999 B");
  EXPECT_EQ(formatBytes(5.8e9), "5.8 GB");
  EXPECT_EQ(formatBytes(999960), "1.0 MB");
}

TEST(Units, DurationsReadAsPeopleSayThem) {
  EXPECT_EQ(formatDuration(0.45), "450 ms");
  EXPECT_EQ(formatDuration(192), "3 min 12 s");
  EXPECT_EQ(formatDuration(7800), "2 h 10 min");
  EXPECT_EQ(formatDuration(59.7), "1 min 0 s");
  EXPECT_EQ(formatDuration(std::numeric_limits<double>::infinity()), "unknown");
}

TEST(Units, RatesKeepThreeDigitsAndAreGroupedWhereThereAreMore) {
  EXPECT_EQ(formatRate(41.34, "samples"), "41.3 samples/s");
  EXPECT_EQ(formatRate(2041.66, "samples"), "2,042 samples/s");
  EXPECT_EQ(formatRate(12345.6, "samples"), "12,346 samples/s");
  EXPECT_EQ(formatRate(999.97, "samples"), "1,000 samples/s");
  EXPECT_EQ(formatRate(0.5, "tokens"), "0.50 tokens/s");
  EXPECT_EQ(formatRate(std::numeric_limits<double>::infinity(), "samples"), "inf samples/s");
}

TEST(Units, NumbersThatAreNotStayVisible) {
  EXPECT_EQ(formatNumber(std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(formatNumber(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(formatNumber(2e-5), "2e-05");
}

TEST(Clock, TimesAreWrittenInUtc) {
  EXPECT_EQ(isoTime(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(fileTime(86400), "19700102-000000");
  const double before = monotonicSeconds();
  EXPECT_GE(monotonicSeconds(), before);
}

}  // namespace
}  // namespace roadtune
