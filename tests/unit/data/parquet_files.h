// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace roadtune::data {

// Files that pyarrow wrote; made once per test program.
class ParquetFiles {
 public:
  static const std::filesystem::path& folder() {
    static const testing::TempFolder keeper;
    static const std::filesystem::path path = [] {
      const auto out = keeper.path() / "parquet";
      std::filesystem::create_directories(out);
      const auto result = testing::runProgram({testing::oraclePython(),
                                               std::string(ROADTUNE_SOURCE_DIR) + "/tests/unit/data/parquet_oracle.py",
                                               out.string(), std::string(ROADTUNE_DEPS_DIR) + "/site-packages"});
      EXPECT_EQ(result.exitCode, 0) << result.err;
      return out;
    }();
    return path;
  }
};

}  // namespace roadtune::data
