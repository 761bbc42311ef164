// SPDX-License-Identifier: GPL-3.0-or-later
// The whole way with the real trainer: drawn scenes, index, tiny model, training, stopping, going on.
#include "core/protocol/event_reader.h"
#include "core/protocol/run_layout.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>
#include <vector>

namespace roadtune::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<double> lossesOf(const fs::path& run) {
  std::vector<double> losses;
  protocol::EventReader reader(protocol::RunLayout(run).rankEvents(0));
  for (const auto& event : reader.poll().valueOr({}))
    if (event.kind == "step") losses.push_back(protocol::numberOr(event.body, "loss", std::nan("")));
  return losses;
}

TEST(Demo, TrainsOnScenesAndAModelMadeOnTheSpotThenGoesOn) {
  if (!std::getenv("ROADTUNE_TRAINER") && !fs::exists(programPath("roadtune-train")))
    GTEST_SKIP() << "this build has no trainer (ROADTUNE_ENGINE is off)";
  const TempFolder folder;
  const ProgramOptions options{.folder = folder.path().string(), .timeoutSeconds = 240};
  const auto demo = runProgram({"roadtune", "demo", "--out", "d", "--steps", "12"}, options);
  ASSERT_EQ(demo.exitCode, 0) << demo.err;
  const fs::path run = folder / "d/runs/demo";
  EXPECT_THAT(demo.out, HasSubstr("finished after 12 of 12 steps"));
  EXPECT_THAT(demo.out, HasSubstr("run: " + run.string()));
  EXPECT_TRUE(protocol::RunLayout(run).lastCompleteCheckpoint().has_value());
  const auto losses = lossesOf(run);
  ASSERT_EQ(losses.size(), 12U);
  EXPECT_LT(losses.back(), losses.front());

  // A second demo makes nothing twice and overwrites nothing; two ranks meet over Gloo.
  const auto stamp = fs::last_write_time(folder / "d/model/config.json");
  const auto again = runProgram({"roadtune", "demo", "--out", "d", "--steps", "3", "--nproc-per-node", "2"}, options);
  ASSERT_EQ(again.exitCode, 0) << again.err;
  EXPECT_EQ(fs::last_write_time(folder / "d/model/config.json"), stamp);
  EXPECT_EQ(lossesOf(folder / "d/runs/demo2").size(), 3U);
  EXPECT_EQ(lossesOf(run).size(), 12U);
}

TEST(Demo, ARunEvaluatesWhenAskedAndLearnsTheSame) {
  if (!std::getenv("ROADTUNE_TRAINER") && !fs::exists(programPath("roadtune-train")))
    GTEST_SKIP() << "this build has no trainer (ROADTUNE_ENGINE is off)";
  const TempFolder folder;
  const auto roadtune = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "roadtune");
    return runProgram(words, {.folder = folder.path().string(), .timeoutSeconds = 240});
  };
  ASSERT_EQ(roadtune({"demo", "--out", "d", "--prepare-only"}).exitCode, 0);
  const auto train = [&](const std::string& run, const std::string& share, const std::string& steps,
                         const std::string& more) {
    return roadtune({"train", "d/demo.yaml", more, "--set", "output_dir=" + run, "--set", "eval_fraction=" + share,
                     "--set", "eval_strategy=no", "--set", "max_steps=" + steps, "--set", "save_strategy=no"});
  };
  ASSERT_EQ(train("asked", "0.3", "100000", "--detach").exitCode, 0);
  const auto told = roadtune({"evaluate", "asked"});
  EXPECT_EQ(told.exitCode, 0) << told.err;
  EXPECT_THAT(told.out, ::testing::MatchesRegex("step [0-9]+: loss [0-9.]+, AP .*, over [0-9]+ samples in .*\n"));
  for (int i = 0; i < 600 && lossesOf(folder / "asked").size() < 3; ++i) ::usleep(100'000);
  ASSERT_EQ(roadtune({"pause", "asked"}).exitCode, 0);
  EXPECT_EQ(roadtune({"evaluate", "asked"}).exitCode, 0) << "a run that is held evaluates, too";
  EXPECT_THAT(roadtune({"pause", "asked"}).err, HasSubstr("paused already"));
  ASSERT_EQ(roadtune({"stop", "asked", "--now"}).exitCode, 0);

  const auto asked = lossesOf(folder / "asked");
  ASSERT_GT(asked.size(), 1U);
  const std::string steps = std::to_string(std::max<std::size_t>(asked.size(), 2));
  ASSERT_EQ(train("unasked", "0.3", steps, "--progress=none").exitCode, 0);
  auto unasked = lossesOf(folder / "unasked");
  ASSERT_GE(unasked.size(), asked.size());
  unasked.resize(asked.size());
  EXPECT_EQ(asked, unasked);

  ASSERT_EQ(train("bare", "0", "100000", "--detach").exitCode, 0);
  const auto refused = roadtune({"evaluate", "bare"});
  EXPECT_EQ(refused.exitCode, 1);
  EXPECT_THAT(refused.err, HasSubstr("there is nothing to evaluate on"));
  EXPECT_EQ(roadtune({"stop", "bare", "--now"}).exitCode, 0);
}

// Pictures and their labels get names as an old machine may have written them.
void nameOutsideUtf8(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".jpg" || entry.path().extension() == ".txt") files.push_back(entry.path());
  for (const fs::path& file : files)
    fs::rename(file, file.parent_path() / (file.stem().string() + "\xff" + file.extension().string()));
}

TEST(Demo, ARunLearnsFromAFolderOfAnnotationsAsItIs) {
  if (!std::getenv("ROADTUNE_TRAINER") && !fs::exists(programPath("roadtune-train")))
    GTEST_SKIP() << "this build has no trainer (ROADTUNE_ENGINE is off)";
  const TempFolder folder;
  const ProgramOptions options{.folder = folder.path().string(), .timeoutSeconds = 240};
  const auto roadtune = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "roadtune");
    return runProgram(words, options);
  };
  ASSERT_EQ(roadtune({"demo", "--out", "d", "--prepare-only"}).exitCode, 0);
  const auto check = [&](const std::string& data) {
    folder.write(data + ".yaml", "model_name_or_path: d/model\ntrain_data: " + data + "\noutput_dir: runs/" + data +
                                     "\nmax_steps: 1\nper_device_train_batch_size: 1\ndevice: cpu\n");
    return roadtune({"config", "check", data + ".yaml"});
  };
  for (const auto& [format, pictures] :
       {std::pair("voc", "JPEGImages"), std::pair("yolo", "images"), std::pair("kitti", "image_2")}) {
    const std::string data = format;
    ASSERT_EQ(roadtune({"data", "export", "d/index", "--format", data, "--out", data, "--images", data + "/" + pictures,
                        "--query", "limit 4"})
                  .exitCode,
              0);
    if (data == "yolo") nameOutsideUtf8(folder / data);
    EXPECT_EQ(check(data).exitCode, 0) << data;
    const auto run = roadtune({"train", data + ".yaml"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(lossesOf(folder / "runs" / data).size(), 1U);
  }
  // Warnings are no progress, and a question without an answer is nothing to learn.
  const std::string picture = fs::directory_iterator(folder / "voc/JPEGImages")->path().string();
  const auto question = [&](const char* rest) {
    return R"({"image": ")" + picture + R"(", "prefix": "caption en")" + rest + "}\n";
  };
  folder.write("some.jsonl", question("") + question(R"(, "suffix": "a street")"));
  EXPECT_EQ(check("some.jsonl").exitCode, 0);
  const auto some =
      roadtune({"train", "some.jsonl.yaml", "--progress", "none", "--set", "max_steps=2", "--set", "logging_steps=1"});
  EXPECT_EQ(some.exitCode, 0) << some.err;
  EXPECT_THAT(some.err, HasSubstr("has no suffix to learn"));
  EXPECT_THAT(some.err, Not(HasSubstr("step 1")));
  const auto state = nlohmann::json::parse(readAll(folder / "runs/some.jsonl/checkpoint-2/trainer_state.json"));
  const auto& history = state["log_history"];
  EXPECT_EQ(std::ranges::count_if(history, [](const auto& entry) { return entry.contains("loss"); }), 1)
      << "a step without a sample has no loss: " << history;
  folder.write("none.jsonl", question(R"(, "sufix": "a street")"));
  const auto none = check("none.jsonl");
  EXPECT_EQ(none.exitCode, 2);
  EXPECT_THAT(none.out + none.err, HasSubstr("there is nothing to learn"));
  fs::copy(folder / "voc/JPEGImages", folder / "pictures");
  const auto hollow = check("pictures");
  EXPECT_EQ(hollow.exitCode, 2);
  EXPECT_THAT(hollow.out + hollow.err, HasSubstr("train_data: holds no recordings of a known kind"));
}

// The model and the data of the demo, and runs that something is wrong with.
struct OddRun : ::testing::Test {
  void SetUp() override {
    if (!std::getenv("ROADTUNE_TRAINER") && !fs::exists(programPath("roadtune-train")))
      GTEST_SKIP() << "this build has no trainer (ROADTUNE_ENGINE is off)";
    ASSERT_EQ(runProgram({"roadtune", "demo", "--out", "d", "--prepare-only"}, options).exitCode, 0);
  }
  ProgramResult train(const std::string& more) {
    folder.write("run.yaml",
                 "model_name_or_path: d/model\ntrain_data: d/index\noutput_dir: out\n"
                 "per_device_train_batch_size: 1\ndevice: cpu\n" +
                     more);
    return runProgram({"roadtune", "train", "run.yaml"}, options);
  }
  TempFolder folder;
  ProgramOptions options{.folder = folder.path().string(), .timeoutSeconds = 240};
};

TEST_F(OddRun, OfWhichNoStepCouldBeAppliedHasFailed) {
  std::fstream weights(folder / "d/model/model.safetensors", std::ios::in | std::ios::out | std::ios::binary);
  weights.seekp(-4, std::ios::end);
  weights.write("\xff\xff\xff\xff", 4);  // no number, whatever the type
  weights.close();
  const auto run = train("max_steps: 2\n");
  EXPECT_EQ(run.exitCode, 1) << run.err;
  EXPECT_THAT(run.err, HasSubstr("the step was not applied"));
}

TEST_F(OddRun, WhoseEvaluationFailsSaysWhyAndLosesNoSteps) {
  folder.write("eval.jsonl", R"({"image": "gone.jpg", "prefix": "caption en", "suffix": "a street"})");
  const auto run = train("max_steps: 9\neval_data: eval.jsonl\neval_strategy: steps\neval_steps: 2\nsave_steps: 5\n");
  EXPECT_NE(run.exitCode, 0);
  EXPECT_THAT(run.err,
              HasSubstr("no sample of the evaluation data can be used; the first: picture gone.jpg was not found"));
  EXPECT_TRUE(fs::exists(folder / "out/checkpoint-2/COMPLETE")) << run.err;
}

TEST_F(OddRun, AModelInFourBitsHasTheParametersThatItStandsFor) {
  ASSERT_EQ(
      runProgram({"roadtune", "quantize", "--model", "d/model", "--out", "q", "--double-quant"}, options).exitCode, 0);
  const auto weights = [&](const char* model) {
    return nlohmann::json::parse(runProgram({"roadtune", "model", "info", model, "--json"}, options).out)["weights"];
  };
  const auto whole = weights("d/model"), packed = weights("q");
  EXPECT_EQ(packed["parameters"], whole["parameters"]);
  EXPECT_EQ(packed["by_part"], whole["by_part"]);
  EXPECT_EQ(packed["tensors"], whole["tensors"]);
  EXPECT_GT(packed["by_dtype"]["4 bits"], 0) << packed;
}

TEST_F(OddRun, WhoseAnswersAreCutTellsHowMany) {
  const auto run = train("max_steps: 3\nlogging_steps: 1\nmax_length: 90\n");
  EXPECT_EQ(run.exitCode, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("the sample is longer than max_length and loses the last "));
  const auto doctor = runProgram({"roadtune", "doctor", "out"}, options);
  EXPECT_THAT(doctor.out, HasSubstr("samples were longer than max_length, the first in step 1"));
}

TEST_F(OddRun, ThatHasFinishedIsLeftAsItIs) {
  ASSERT_EQ(train("max_steps: 3\nsave_steps: 2\n").exitCode, 0);
  const auto resume = [&] { return runProgram({"roadtune", "resume", "out", "--progress", "none"}, options); };
  const auto before = readAll(folder / "out/events/rank-000.jsonl");
  const auto again = resume();
  EXPECT_EQ(again.exitCode, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("the run has finished, nothing is left to train"));
  EXPECT_EQ(readAll(folder / "out/events/rank-000.jsonl"), before);
  std::string yaml = readAll(folder / "out/run.yaml");
  yaml.replace(yaml.find("max_steps: 3"), 12, "max_steps: 4");
  folder.write("out/run.yaml", yaml);
  EXPECT_EQ(resume().exitCode, 0);
  EXPECT_TRUE(fs::exists(folder / "out/checkpoint-4/COMPLETE")) << "who wants more steps gets them";
  EXPECT_THAT(resume().err, HasSubstr("nothing is left to train"));
  fs::remove_all(folder / "out/checkpoint-4");
  EXPECT_EQ(resume().exitCode, 0);
  EXPECT_TRUE(fs::exists(folder / "out/checkpoint-4/COMPLETE")) << "who takes its end away wants it made again";
}

TEST_F(OddRun, ThatGetsNoBetterSaysWhyItEndsAndIsDone) {
  const auto run = train(
      "max_steps: 40\neval_fraction: 0.3\neval_strategy: steps\neval_steps: 2\nsave_steps: 2\n"
      "early_stopping_patience: 1\nearly_stopping_threshold: 50\nload_best_model_at_end: true\n");
  EXPECT_EQ(run.exitCode, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr(" of 40 steps: the last evaluation was no better"));
  const auto shown = runProgram({"roadtune", "runs", "show", "out"}, options);
  EXPECT_THAT(shown.out, HasSubstr("finished: the last evaluation was no better"));
}

TEST_F(OddRun, WithTensorsThatTheModelHasNoPlaceForTellsOfThem) {
  auto config = nlohmann::json::parse(readAll(folder / "d/model/config.json"));
  config["text_config"]["num_hidden_layers"] = 1;
  folder.write("d/model/config.json", config.dump());
  const auto run = train("max_steps: 1\n");
  EXPECT_EQ(run.exitCode, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("the model has no place for"));
}

}  // namespace
}  // namespace roadtune::testing
