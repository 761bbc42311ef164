// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/reduce_probe.h"

#include <gmock/gmock.h>

namespace roadtune::engine {
namespace {

using ::testing::ElementsAre;

TEST(ReduceProbe, NcclIsChosenWhereEveryRankHasACardOfItsOwn) {
  EXPECT_THAT(obstaclesToNccl({{"", "m1"}, {"", "m2"}}), ElementsAre("", ""));
  EXPECT_THAT(obstaclesToNccl({{"", "m1"}}), ElementsAre("")) << "one rank is enough";
}

TEST(ReduceProbe, OneRankThatCannotIsNamedAndDecidesForAll) {
  EXPECT_THAT(obstaclesToNccl({{"", "m1"}, {"no driver", "m2"}, {"", "m3"}}), ElementsAre("", "no driver", ""));
}

TEST(ReduceProbe, TwoRanksOfOneMachineWouldShareItsFirstCard) {
  const char* const shared = "shares its card with another rank";
  EXPECT_THAT(obstaclesToNccl({{"", "m1"}, {"", "m1"}, {"", "m2"}}), ElementsAre(shared, shared, ""));
  EXPECT_THAT(obstaclesToNccl({{"no driver", "m1"}, {"", "m1"}}), ElementsAre("no driver", shared));
}

}  // namespace
}  // namespace roadtune::engine
