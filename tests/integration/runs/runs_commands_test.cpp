// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune runs and doctor as users and scripts see them.
#include "core/base/files.h"
#include "core/base/text.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/runs/fake_run.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>

namespace roadtune::runs {
namespace {

using nlohmann::json;
using testing::ProgramResult;
using testing::readAll;
using testing::runProgram;
using testing::TempFolder;

ProgramResult roadtune(std::vector<std::string> words) {
  words.insert(words.begin(), "roadtune");
  return runProgram(words);
}

class RunsCommands : public ::testing::Test {
 protected:
  void SetUp() override {
    make("a", 1, 2.0);
    make("b", 2, 1.5);
  }

  void make(const std::string& name, int seed, double loss, std::optional<double> evalLoss = {}) {
    m_folder.write(name + "/run.yaml", "seed: " + std::to_string(seed) + "\n");
    FakeRun run(m_folder / name, 1767225600.0 + 1000 * seed);
    run.hello(0, {{"total_params", 1000}, {"trainable_params", 10}});
    run.steps(1, 100, loss);
    if (evalLoss) run.rank(0, "eval", 100, {{"loss", *evalLoss}});
    run.rank(0, "bye", 100, {{"reason", "finished"}, {"exit_code", 0}});
    run.close();
  }
  std::string path(const std::string& name) const { return (m_folder / name).string(); }

  TempFolder m_folder;
};

TEST_F(RunsCommands, ListTheNewestFirst) {
  const auto result = roadtune({"runs", "ls", m_folder.path().string(), "--json"});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  const json list = json::parse(result.out);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0]["name"], "b");
  EXPECT_EQ(list[0]["state"], "finished");
  EXPECT_EQ(list[0]["step"], 100);
  EXPECT_EQ(list[0]["loss"], 1.5);
  EXPECT_EQ(list[0]["trainable_params"], 10);
  const auto table = roadtune({"runs", "ls", m_folder.path().string()});
  EXPECT_EQ(split(table.out, '\n').size(), 4u) << table.out;
  EXPECT_EQ(table.out.find('\x1b'), std::string::npos);
}

TEST_F(RunsCommands, ListTheBestFirst) {
  const auto names = [&](const std::string& order) {
    std::vector<std::string> all;
    const json list = json::parse(roadtune({"runs", "ls", m_folder.path().string(), "--json", "--sort", order}).out);
    for (const json& run : list) all.push_back(run["name"]);
    return all;
  };
  const auto table = [&] { return roadtune({"runs", "ls", m_folder.path().string()}).out; };
  EXPECT_EQ(table().find("EVAL LOSS"), std::string::npos) << "there is none";
  make("c", 3, 1.7, 0.5);
  make("d", 4, std::nan(""), 0.25);
  EXPECT_EQ(names("newest"), (std::vector<std::string>{"d", "c", "b", "a"}));
  EXPECT_EQ(names("loss"), (std::vector<std::string>{"b", "c", "a", "d"}));
  EXPECT_EQ(names("eval_loss"), (std::vector<std::string>{"d", "c", "b", "a"}));
  EXPECT_NE(table().find("EVAL LOSS"), std::string::npos);
  EXPECT_EQ(roadtune({"runs", "ls", m_folder.path().string(), "--sort", "size"}).exitCode, 2);
}

TEST_F(RunsCommands, AnEmptyRootIsAnEmptyList) {
  TempFolder empty;
  const auto result = roadtune({"runs", "ls", empty.path().string(), "--json"});
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_EQ(json::parse(result.out), json::array());
}

TEST_F(RunsCommands, ShowOneRun) {
  const auto result = roadtune({"runs", "show", path("a"), "--json"});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  const json run = json::parse(result.out);
  EXPECT_EQ(run["state"], "finished");
  EXPECT_EQ(run["metrics"]["train/loss"]["points"], 100);
  EXPECT_EQ(run["metrics"]["train/loss"]["last"], 2.0);
  EXPECT_EQ(run["total_params"], 1000);
  FakeRun planned(m_folder / "planned");
  planned.hello();
  planned.rank(0, "step", 1, {{"tensor_peak_bytes", 5'000'000}, {"tensor_plan_bytes", 5'500'000}});
  planned.rank(0, "step", 2, {{"tensor_peak_bytes", 6'000'000}, {"tensor_plan_bytes", 6'500'000}});
  planned.close();
  const std::string memory = roadtune({"runs", "show", path("planned")}).out;
  EXPECT_NE(memory.find("memory      6.0 MB of tensors at most, 6.5 MB by plan"), std::string::npos) << memory;
  const auto text = roadtune({"runs", "show", path("a")});
  EXPECT_NE(text.out.find("train/loss"), std::string::npos);
}

TEST_F(RunsCommands, CompareTwoRuns) {
  const auto result = roadtune({"runs", "compare", path("a"), path("b"), "--json"});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  const json both = json::parse(result.out);
  bool seed = false;
  for (const auto& one : both["settings"]) seed |= one["key"] == "seed" && one["a"] == "1" && one["b"] == "2";
  EXPECT_TRUE(seed) << both["settings"];
  EXPECT_EQ(both["first_loss_difference"], 1);
}

TEST_F(RunsCommands, ExportEveryFormat) {
  for (const char* format : {"csv", "json", "html"}) {
    const std::string out = path(std::string("new/folder/run.") + format);
    const auto result = roadtune({"runs", "export", path("a"), "--format", format, "--out", out});
    ASSERT_EQ(result.exitCode, 0) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_GT(readAll(out).size(), 1000u);
  }
  EXPECT_EQ(split(readAll(path("new/folder/run.csv")), '\n').size(), 102u);
  EXPECT_EQ(json::parse(readAll(path("new/folder/run.json")))["series"]["train/loss"]["values"].size(), 100u);
}

TEST_F(RunsCommands, MissingRunsAndWrongWordsAreBadInput) {
  const std::vector<std::vector<std::string>> wrong = {
      {"runs", "show", path("none")},
      {"runs", "show", m_folder.path().string()},
      {"runs", "ls", path("none")},
      {"runs", "compare", path("a"), path("none")},
      {"runs", "export", path("none"), "--format", "csv", "--out", "x"},
      {"runs", "export", path("a"), "--format", "xml", "--out", "x"},
      {"runs", "export", path("a"), "--format", "csv"},
      {"runs", "show"},
      {"doctor"},
      {"doctor", path("none")},
      {"doctor", path("a"), "--here"}};
  for (const auto& words : wrong) {
    const auto result = roadtune(words);
    EXPECT_EQ(result.exitCode, 2) << join(words, " ");
    EXPECT_EQ(result.out, "") << join(words, " ");
    EXPECT_NE(result.err, "") << join(words, " ");
  }
  EXPECT_NE(roadtune({"runs", "show", path("none")}).err.find("there is no such run"), std::string::npos);
}

TEST_F(RunsCommands, DoctorGivesVerdictsAndAbstains) {
  const auto result = roadtune({"doctor", path("a"), "--json"});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  const json report = json::parse(result.out);
  EXPECT_EQ(report["steps"], 100);
  EXPECT_FALSE(report["abstained"].empty());
}

TEST_F(RunsCommands, DoctorLooksAtThisMachine) {
  const auto result = roadtune({"doctor", "--here", "--json"});
  EXPECT_TRUE(result.exitCode == 0 || result.exitCode == 3) << result.err;
  const json report = json::parse(result.out);
  EXPECT_GT(report["cpu"]["threads"], 0);
  EXPECT_GT(report["memory"]["total"], 1e8);
  EXPECT_GT(report["disk"]["total"], 0);
  EXPECT_TRUE(report["gpu"]["cards"].is_array());
  EXPECT_EQ(result.exitCode == 0, report["trainer"]["starts"] == true);
}

}  // namespace
}  // namespace roadtune::runs
