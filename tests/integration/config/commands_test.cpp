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

TEST(CommandWords, NothingIsWrittenToAPathWithoutAName) {
  const TempFolder folder;
  const std::vector<std::vector<std::string>> all = {
      {"data", "synth", "--format", "coco"}, {"data", "index", "/nowhere"}, {"model", "new-tiny"}};
  for (std::vector<std::string> words : all) {
    words.insert(words.begin(), "roadtune");
    words.insert(words.end(), {"--out", ""});
    const auto result = runProgram(words, {.folder = folder.path().string()});
    EXPECT_EQ(result.exitCode, 2) << words[2] << result.err;
    EXPECT_NE(result.err.find("--out: is empty"), std::string::npos) << result.err;
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(CommandWords, NumbersThatMakeNoSenseAreRefusedBeforeAnythingIsDone) {
  const TempFolder folder;
  const std::string out = (folder / "out").string();
  const std::vector<std::vector<std::string>> all = {
      {"estimate", "--config", "run.yaml", "--ranks", "0"},
      {"config", "init", "--json", "--all"},
      {"data", "synth", "--out", out, "--seed", "-1"},
      {"data", "synth", "--out", out, "--frames", "0"},
      {"data", "synth-index", "--out", out, "--images", "0"},
      {"train", "run.yaml", "--nproc-per-node", "0"},
      {"save", out, "--timeout", "-3"},
      {"predict", "--model", out, "--data", out, "--out", out, "--limit", "-1"}};
  for (std::vector<std::string> words : all) {
    words.insert(words.begin(), "roadtune");
    const auto result = runProgram(words);
    EXPECT_EQ(result.exitCode, 2) << words[1];
    EXPECT_NE(result.err.find(words[words.size() - 2]), std::string::npos) << result.err;
    EXPECT_EQ(result.err.rfind("roadtune", 0), 0u) << result.err;
    EXPECT_EQ(result.err.find("roadtune-train"), std::string::npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists(out)) << words[1];
  }
}

TEST(ConfigCheck, AModelThatCannotBeUsedIsSaid) {
  const TempFolder folder;
  ASSERT_EQ(runProgram({"roadtune", "model", "new-tiny", "--out", (folder / "model").string()}).exitCode, 0);
  folder.write("train.jsonl", R"({"image": "a.jpg", "prefix": "caption en", "suffix": "a street"})");
  folder.write("run.yaml", "model_name_or_path: model\ntrain_data: train.jsonl\noutput_dir: out\nmax_steps: 1\n");
  const auto check = [&] { return runProgram({"roadtune", "config", "check", (folder / "run.yaml").string()}); };
  EXPECT_EQ(check().exitCode, 0) << check().out << check().err;
  const auto expectSaid = [&](const std::string& what) {
    const auto result = check();
    EXPECT_EQ(result.exitCode, 2) << what;
    EXPECT_NE((result.out + result.err).find(what), std::string::npos) << result.out << result.err;
    EXPECT_NE((result.out + result.err).find("run.yaml:1:"), std::string::npos) << result.out << result.err;
  };
  const std::string tokenizer = readAll(folder / "model/tokenizer.json"),
                    config = readAll(folder / "model/config.json");
  for (const char* file : {"model/tokenizer.json", "model/tokenizer.model"}) std::filesystem::remove(folder / file);
  expectSaid("neither tokenizer.json nor tokenizer.model");
  folder.write("model/tokenizer.json", tokenizer);
  folder.write("model/config.json", "{");
  expectSaid("config.json");
  folder.write("model/config.json", config);
  std::filesystem::resize_file(folder / "model/model.safetensors", 1000);
  expectSaid("model.safetensors");
}

TEST(CommandOutput, ThatDidNotArriveIsAFailureOfWhichAReaderThatLeftHearsNothing) {
  const TempFolder folder;
  const auto program = [](const std::string& words) { return "'" + testing::programPath("roadtune") + "' " + words; };
  const auto sunk = [](const std::string& line) { return runProgram({"bash", "-c", "set -o pipefail; " + line}); };
  const std::string little = program("runs ls '" + folder.path().string() + "' --json "),
                    much = program("config reference ");
  for (const std::string& words : {little, much}) {
    const auto full = sunk(words + "> /dev/full");
    EXPECT_EQ(full.exitCode, 1);
    EXPECT_NE(full.err.find("cannot write the output: No space left"), std::string::npos) << full.err;
    EXPECT_EQ(sunk(words + "| true").err, "");
    EXPECT_EQ(sunk(words + "| cat").exitCode, 0);
  }
}

TEST(CommandOutput, WordsThatNobodyTakesAreLostAlone) {
  const TempFolder folder;
  const std::string file = (folder / "run.yaml").string(), program = "'" + testing::programPath("roadtune") + "' ";
  for (const char* lost : {"2> /dev/full", "2>&-", "2>&1 >/dev/null | true", "<&- 2>&-"}) {
    const auto line = [&](const std::string& words) {
      return runProgram({"bash", "-c", "set -o pipefail; " + program + words + lost}).exitCode;
    };
    EXPECT_EQ(line("config init --force --out '" + file + "' "), 0) << lost;
    EXPECT_EQ(testing::readAll(file).find("wrote"), std::string::npos) << lost << ": not into a file of its own";
    EXPECT_EQ(line("config check '" + (folder / "none.yaml").string() + "' "), 2) << lost;
    std::filesystem::remove(file);
  }
  EXPECT_EQ(runProgram({"bash", "-c", program + "config reference >&-"}).exitCode, 1)
      << "what was asked for is no word";
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
