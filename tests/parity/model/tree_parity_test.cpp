// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

namespace roadtune {
namespace {

TEST(TreeParity, TargetsRanksAndCountsAreThoseOfPeft) {
  const testing::TempFolder folder;
  const auto result =
      testing::runProgram({testing::oraclePython(), ROADTUNE_SOURCE_DIR "/tests/parity/model/tree_against_peft.py",
                           testing::programPath("roadtune"), folder.path().string()},
                          {.timeoutSeconds = 270});
  EXPECT_EQ(result.exitCode, 0) << result.out << result.err;
}

TEST(CheckpointParity, TransformersLoadsWhatWeWriteAndWeReadWhatItWrites) {
  const testing::TempFolder folder;
  const auto result =
      testing::runProgram({testing::oraclePython(), ROADTUNE_SOURCE_DIR "/tests/parity/model/checkpoints.py",
                           testing::programPath("roadtune"), folder.path().string()},
                          {.timeoutSeconds = 270});
  EXPECT_EQ(result.exitCode, 0) << result.out << result.err;
}

}  // namespace
}  // namespace roadtune
