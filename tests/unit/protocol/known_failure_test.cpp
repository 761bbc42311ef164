// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/known_failure.h"

#include <gtest/gtest.h>

namespace roadtune::protocol {
namespace {

TEST(KnownFailure, OverNcclARankThatIsLeftSaysItLostAnotherOne) {
  for (const char* line : {"NCCL error: remote process exited or there was a network error, NCCL version 2.27.5",
                           "ncclRemoteError: A call failed possibly due to a network error or a remote process exiting "
                           "prematurely."}) {
    const auto known = explainLog({"NCCL error in: ProcessGroupNCCL.cpp:2356", line});
    ASSERT_TRUE(known.has_value());
    EXPECT_EQ(known->id, "peer-lost") << line;
    EXPECT_TRUE(known->consequence);
  }
  const auto own = explainLog({"NCCL error: unhandled system error"});
  ASSERT_TRUE(own.has_value());
  EXPECT_EQ(own->id, "nccl-error");
  EXPECT_FALSE(own->consequence);
}

}  // namespace
}  // namespace roadtune::protocol
