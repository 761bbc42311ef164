// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

namespace roadtune {
namespace {

TEST(EncodeParity, BatchesAreThoseOfThePaliGemmaProcessor) {
  const testing::TempFolder folder;
  const auto result = testing::runProgram(
      {testing::oraclePython(), ROADTUNE_SOURCE_DIR "/tests/parity/text/encode_against_processor.py",
       testing::programPath("roadtune"), folder.path().string()},
      {.timeoutSeconds = 270});
  EXPECT_EQ(result.exitCode, 0) << result.out << result.err;
}

}  // namespace
}  // namespace roadtune
