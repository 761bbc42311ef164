// SPDX-License-Identifier: GPL-3.0-or-later
// The real trainer, told to stop in the middle of an evaluation that would take minutes.
#include "core/base/clock.h"
#include "tests/integration/launch/launched_run.h"
#include "tests/support/made_data.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>
#include <utility>
#include <vector>

namespace roadtune::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class LongEvaluation : public LaunchedRun {
 protected:
  void SetUp() override {
    LaunchedRun::SetUp();
    if (!fs::exists(programPath("roadtune-train")))
      GTEST_SKIP() << "this build has no trainer (ROADTUNE_ENGINE is off)";
    variable("ROADTUNE_TRAINER", programPath("roadtune-train"));
    fs::remove_all(folder() / "model");
    prepareDemo(folder().path());
  }

  void startEvaluating(const std::string& processes, const std::string& more, int batch = 1) {
    folder().write("run.yaml",
                   "model_name_or_path: model\noutput_dir: out\ntrain_data: index\ntask: detect\n"
                   "classes: [vehicle, pedestrian, cyclist]\nmax_steps: 100000\nper_device_train_batch_size: 2\n"
                   "save_strategy: no\neval_strategy: steps\neval_steps: 3\ndevice: cpu\ntorch_num_threads: 1\n" +
                       more + "per_device_eval_batch_size: " + std::to_string(batch) + "\n");
    const auto started = roadtune({"train", config(), "--nproc-per-node", processes, "--detach"});
    ASSERT_EQ(started.exitCode, 0) << started.err;
    ASSERT_TRUE(eventually([this] {
      const auto phase = last(rankEvents(), "phase");
      return phase && phase->body["name"] == "evaluating";
    }));
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  }

  void expectSavedSoon() {
    const double began = monotonicSeconds();
    const auto stopped = roadtune({"stop", run().string()});
    EXPECT_EQ(stopped.exitCode, 0) << stopped.err;
    EXPECT_LT(monotonicSeconds() - began, 20);
    EXPECT_TRUE(fs::exists(layout().checkpoint(3) / "COMPLETE"));
    EXPECT_FALSE(last(rankEvents(), "eval").has_value()) << "half of an evaluation says nothing";
    EXPECT_FALSE(fs::exists(layout().predictions() / "step-3.jsonl"));
    EXPECT_EQ(last(rankEvents(), "bye")->body["reason"], "stopped");
    EXPECT_EQ(last(nodeEvents(), "bye")->body["message"], "saved and stopped");
    EXPECT_THAT(readAll(layout().rankLog(0)), HasSubstr("the evaluation is given up"));
  }
};

TEST_F(LongEvaluation, IsGivenUpAndTheRunSaves) {
  startEvaluating("1", "eval_data: [{path: index, weight: 1000}]\n");
  expectSavedSoon();
}

// The best model and an early stop are those of a run that nobody stopped.
TEST_F(LongEvaluation, ThatWasGivenUpComesFirstWhenTheRunGoesOn) {
  startEvaluating("1", "eval_data: [{path: index, weight: 1000}]\n");
  expectSavedSoon();
  std::string text = readAll(layout().config());
  for (const auto& [from, to] : {std::pair("weight: 1000", "weight: 1"), {"max_steps: 100000", "max_steps: 4"}}) {
    ASSERT_NE(text.find(from), std::string::npos) << text;
    text.replace(text.find(from), std::string(from).size(), to);
  }
  folder().write(layout().config().lexically_relative(folder().path()).string(), text);
  const auto resumed = roadtune({"resume", run().string(), "--progress", "none"});
  ASSERT_EQ(resumed.exitCode, 0) << resumed.err;
  std::vector<std::int64_t> evaluated;
  for (const auto& event : rankEvents())
    if (event.kind == "eval") evaluated.push_back(event.step);
  EXPECT_EQ(evaluated, (std::vector<std::int64_t>{3, 4}));
}

TEST_F(LongEvaluation, IsGivenUpByAllRanks) {
  startEvaluating("2", "eval_data: [{path: index, weight: 1000}]\n");
  expectSavedSoon();
  const auto events = rankEvents(1);
  EXPECT_TRUE(std::any_of(events.begin(), events.end(), [](const auto& event) {
    return event.kind == "phase" && event.body["name"] == "saving";
  })) << "who waits for a checkpoint has the time that saving may take";
}

TEST_F(LongEvaluation, ItsPredictionsAreGivenUpToo) {
  startEvaluating("2", "eval_data: index\nnum_probe_samples: 1000\nmax_new_tokens: 300\n");
  expectSavedSoon();
}

// The trained model is one of random weights, and ends no sentence: one batch takes minutes.
TEST_F(LongEvaluation, OneBatchOfPredictionsIsNotWaitedFor) {
  startEvaluating("1", "eval_data: index\nnum_probe_samples: 48\nmax_new_tokens: 4096\n", 48);
  expectSavedSoon();
}

TEST_F(LongEvaluation, CtrlCEndsPredictInTheMiddleOfABatch) {
  const auto out = folder() / "predictions.json";
  auto program = startRoadtune({"predict", "--model", (folder() / "model").string(), "--data",
                                (folder() / "index").string(), "--out", out.string(), "--device", "cpu", "--batch-size",
                                "48", "--max-new-tokens", "100000", "--progress", "json"});
  ASSERT_TRUE(eventually([this] { return printed().find("\"stage\":\"predicting\"") != std::string::npos; }));
  const double began = monotonicSeconds();
  ::kill(program.pid(), SIGINT);
  EXPECT_EQ(program.wait().code, 130);
  EXPECT_LT(monotonicSeconds() - began, 20);
  EXPECT_FALSE(fs::exists(out));
}

}  // namespace
}  // namespace roadtune::testing
