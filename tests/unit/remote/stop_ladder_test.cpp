// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/stop_ladder.h"

#include <gtest/gtest.h>

namespace roadtune::remote {
namespace {

using Step = StopLadder::Step;

TEST(StopLadder, DoesNothingUnasked) {
  StopLadder ladder;
  EXPECT_FALSE(ladder.requested());
  EXPECT_EQ(ladder.due(1e9), Step::None);
  EXPECT_FALSE(ladder.nextAt().has_value());
}

TEST(StopLadder, TerminatesOnceThenKillsAgainAndAgain) {
  StopLadder ladder;
  ladder.request(100, 10, 5);
  EXPECT_EQ(ladder.due(109.9), Step::None);
  EXPECT_DOUBLE_EQ(*ladder.nextAt(), 110);
  EXPECT_EQ(ladder.due(110), Step::Terminate);
  EXPECT_EQ(ladder.due(111), Step::None);
  EXPECT_DOUBLE_EQ(*ladder.nextAt(), 115);
  EXPECT_EQ(ladder.due(115), Step::Kill);
  EXPECT_EQ(ladder.due(115.5), Step::None);
  EXPECT_EQ(ladder.due(116), Step::Kill);
}

TEST(StopLadder, ALaterRequestOnlyMakesItQuicker) {
  StopLadder ladder;
  ladder.request(0, 900, 10);
  ladder.request(5, 0, 2);  // stop now
  EXPECT_EQ(ladder.due(5), Step::Terminate);
  ladder.request(6, 900, 10);  // and politely again: changes nothing
  EXPECT_EQ(ladder.due(7), Step::Kill);
}

TEST(StopLadder, AfterALongSleepKillComesWithoutTerminate) {
  StopLadder ladder;
  ladder.request(0, 10, 10);
  EXPECT_EQ(ladder.due(1000), Step::Kill);
  EXPECT_EQ(ladder.due(1000.1), Step::None);
}

}  // namespace
}  // namespace roadtune::remote
