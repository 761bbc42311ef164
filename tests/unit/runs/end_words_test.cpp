// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/end_words.h"

#include <gtest/gtest.h>

namespace roadtune::runs {
namespace {

TEST(EndWords, CountProcessesAsPeopleDo) {
  EXPECT_EQ(plainEnd("rank 0 failed first: killed by SIGKILL", 1), "killed by SIGKILL");
  EXPECT_EQ(plainEnd("rank 1 failed first: exit code 3", 4), "process 2 of 4 failed first: exit code 3");
  EXPECT_EQ(plainEnd("rank 2 on gpu7 failed first: the disk caught fire", 4),
            "process 3 of 4 on gpu7 failed first: the disk caught fire");
  EXPECT_EQ(plainEnd("rank 1: CUDA out of memory", 2), "process 2 of 2: CUDA out of memory");
}

TEST(EndWords, LeaveEverythingElseAsItIs) {
  for (const char* text : {"", "saved and stopped", "rank", "rank x failed first: y", "rank 3 made no step for 2 min",
                           "rank 3 made no step, so rank 1 failed first: why"})
    EXPECT_EQ(plainEnd(text, 4), text);
}

TEST(EndWords, GetTheMachineThatTheyAreOf) {
  EXPECT_EQ(placedEnd("rank 1 failed first: killed by SIGKILL", -1, "gpu2"),
            "rank 1 on gpu2 failed first: killed by SIGKILL");
  EXPECT_EQ(placedEnd("out of memory", 3, "gpu2"), "rank 3 on gpu2 failed first: out of memory");
  EXPECT_EQ(placedEnd("its agent was killed", -1, "gpu2"), "gpu2: its agent was killed");
  EXPECT_EQ(placedEnd("rank 1 failed first: why", -1, ""), "rank 1 failed first: why");
}

}  // namespace
}  // namespace roadtune::runs
