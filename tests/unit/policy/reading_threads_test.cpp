// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/reading_threads.h"

#include <gtest/gtest.h>

namespace roadtune::policy {
namespace {

TEST(ReadingThreads, AreHalfOfARanksCoresBesideAGpu) {
  EXPECT_EQ(readingThreads(true, 16, 1), 8);
  EXPECT_EQ(readingThreads(true, 8, 1), 4);
  EXPECT_EQ(readingThreads(true, 32, 8), 2);
}

TEST(ReadingThreads, AreNeitherNoneNorMoreThanHelp) {
  EXPECT_EQ(readingThreads(true, 1, 1), 1);
  EXPECT_EQ(readingThreads(true, 16, 16), 1);
  EXPECT_EQ(readingThreads(true, 16, 0), 8) << "as for one rank";
  EXPECT_EQ(readingThreads(true, 0, 1), 1) << "nobody knows how many cores there are";
  EXPECT_EQ(readingThreads(true, 192, 8), 8);
}

TEST(ReadingThreads, LeaveTheCoresToAStepOnTheCpu) { EXPECT_EQ(readingThreads(false, 64, 1), 0); }

}  // namespace
}  // namespace roadtune::policy
