// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/query_text.h"

#include <gtest/gtest.h>

namespace roadtune::widgets {
namespace {

TEST(QueryRange, WritesAStretchAndReplacesTheOneBefore) {
  QString query = setQueryRange("camera=front sort by n limit 5", RangeField::BoxHeight, 20, 60);
  EXPECT_EQ(query, "camera=front and any(h>=20, h<60) sort by n limit 5");
  query = setQueryRange(query, RangeField::BoxHeight, 5, -1);
  EXPECT_EQ(query, "camera=front and any(h>=5) sort by n limit 5");
  EXPECT_EQ(setQueryRange(query, RangeField::BoxHeight, 1, 0), "camera=front sort by n limit 5");
}

TEST(QueryRange, CountsAreTwoTermsAndOthersStay) {
  const QString query = setQueryRange("any(cyclist, h<40) and n>=9", RangeField::BoxCount, 3, 7);
  EXPECT_EQ(query, "any(cyclist, h<40) and n>=3 and n<7");
  EXPECT_EQ(queryRange(query, RangeField::BoxCount), std::pair(3, 7));
  EXPECT_FALSE(queryRange(query, RangeField::BoxHeight)) << "a stretch of one class is somebody's own";
}

TEST(QuerySort, ComesAndGoesWithoutTheLimit) {
  EXPECT_EQ(setQuerySort("time=Night limit 9", "n desc"), "time=Night sort by n desc limit 9");
  EXPECT_EQ(querySort("time=Night sort by min(h) limit 9"), "min(h)");
  EXPECT_EQ(setQuerySort("time=Night sort by min(h)", {}), "time=Night");
  EXPECT_EQ(setQuerySort("", "n"), "sort by n");
}

TEST(QueryTerm, IsAddedOnceAndBindsAsItIsMeant) {
  EXPECT_EQ(withQueryTerm("", "not tag:excluded"), "not tag:excluded");
  EXPECT_EQ(withQueryTerm("time=Night sort by n limit 5", "not tag:excluded"),
            "time=Night and not tag:excluded sort by n limit 5");
  EXPECT_EQ(withQueryTerm("n>2 and NOT  tag:\"excluded\"", "not tag:excluded"), "n>2 and NOT  tag:\"excluded\"");
  EXPECT_EQ(withQueryTerm("time=Night or n>3", "not tag:excluded"), "(time=Night or n>3) and not tag:excluded");
  EXPECT_EQ(withQueryTerm("(time=Night or n>3)", "not tag:excluded"), "(time=Night or n>3) and not tag:excluded");
  EXPECT_EQ(withQueryTerm("location='this or that'", "not tag:excluded"),
            "location='this or that' and not tag:excluded");
}

}  // namespace
}  // namespace roadtune::widgets
