// SPDX-License-Identifier: GPL-3.0-or-later
// How commands take their words, and what they do not overwrite.
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace roadtune {
namespace {

using testing::readAll;
using testing::runProgram;
using testing::TempFolder;

TEST(CommandWords, AnOptionWithNothingBehindItsSignIsEmpty) {
  const auto result = runProgram({"roadtune", "data", "query", "--limit=", "/nowhere/index", "n>1"});
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_NE(result.err.find("at least 1, not ''"), std::string::npos) << "the next word is no limit: " << result.err;
}

TEST(CommandOutput, ThatDidNotArriveIsAFailureUnlessItsReaderLeft) {
  const TempFolder folder;
  const auto into = [&](const std::string& sink) {
    return runProgram({"bash", "-c",
                       "set -o pipefail; '" + testing::programPath("roadtune") + "' runs ls '" +
                           folder.path().string() + "' --json " + sink});
  };
  const auto full = into("> /dev/full");
  EXPECT_EQ(full.exitCode, 1);
  EXPECT_NE(full.err.find("cannot write the output: No space left"), std::string::npos) << full.err;
  EXPECT_EQ(into("| true").exitCode, 0);
  EXPECT_EQ(into("| cat").exitCode, 0);
}

TEST(NewTinyModel, TakesThePlaceOfAnotherOneButNotOfWeightsThatSomebodyKeeps) {
  const TempFolder folder;
  const auto make = [&] { return runProgram({"roadtune", "model", "new-tiny", "--out", (folder / "model").string()}); };
  EXPECT_EQ(make().exitCode, 0);
  EXPECT_EQ(make().exitCode, 0) << "again";
  const std::string config = readAll(folder / "model/config.json");
  folder.write("model/model.safetensors.index.json", "{}");
  const auto refused = make();
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_NE(refused.err.find("already holds a model"), std::string::npos) << refused.err;
  std::filesystem::remove(folder / "model/model.safetensors.index.json");
  std::filesystem::resize_file(folder / "model/model.safetensors", 17'000'000);
  EXPECT_EQ(make().exitCode, 2) << "no tiny one";
  EXPECT_EQ(readAll(folder / "model/config.json"), config);
}

}  // namespace
}  // namespace roadtune
