// SPDX-License-Identifier: GPL-3.0-or-later
// The length of text that the plan of memory goes by, and that it says so.
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "tests/support/program.h"

#include <nlohmann/json.hpp>

#include <QLabel>

#include <fstream>

namespace roadtune::testing {
namespace {

struct PlanLengthTest : StudioTest {
  std::string config() const { return (home / "run.yaml").string(); }
  void write(const std::string& data, const std::string& more = {}) const {
    home.write("run.yaml", "model_name_or_path: " + tinyModel().string() + "\ntrain_data: " + data +
                               "\noutput_dir: " + (home / "runs/one").string() +
                               "\nfinetuning_type: full\nper_device_train_batch_size: 8\n" + more);
  }
  // What the window says once it has looked.
  QString assumed(const QString& word) {
    studio::Options options;
    options.config = QString::fromStdString(config());
    options.page = "train";
    open(options);
    auto* label = find<QLabel>("memoryAssumed");
    EXPECT_TRUE(waitFor([&] { return label->isVisible() && label->text().contains(word); }))
        << label->text().toStdString();
    return label->text();
  }
  nlohmann::json estimate() const {
    const ProgramResult result = runProgram({"roadtune", "estimate", "--config", config(), "--json"});
    EXPECT_EQ(result.exitCode, 0) << result.err;
    return nlohmann::json::parse(result.out);
  }
};

TEST_F(PlanLengthTest, IsThatOfTheLongestSampleInTheTerminalToo) {
  write(drawnIndex().string());
  const auto step = estimate().at("step");
  const int tokens = step.at("text_tokens");
  EXPECT_NE(tokens, 64) << "what is usual is not what these scenes have";
  EXPECT_TRUE(step.at("text_tokens_from").get<std::string>().starts_with("the longest of"))
      << step.at("text_tokens_from");
  EXPECT_LT(step.at("label_tokens"), tokens);
  EXPECT_TRUE(assumed("longest").contains(QStringLiteral("For %1 text tokens").arg(tokens)))
      << find<QLabel>("memoryAssumed")->text().toStdString();
}

TEST_F(PlanLengthTest, IsCutAtTheGreatestLength) {
  write(drawnIndex().string(), "max_length: 164\n");
  const auto plan = estimate();
  EXPECT_EQ(plan.at("step").at("length"), 164);
  EXPECT_TRUE(
      assumed("greatest length").contains(QStringLiteral("For %1 ").arg(plan.at("step").at("text_tokens").get<int>())));
}

TEST_F(PlanLengthTest, TellsWhatKeptVisionFeaturesTakeBesides) {
  const std::string frozen = "freeze_vision_tower: true\ncache_vision_features: memory\n";
  const auto vision = nlohmann::json::parse(std::ifstream(tinyModel() / "config.json")).at("vision_config");
  const int side = vision.at("image_size").get<int>() / vision.at("patch_size").get<int>();
  const int pictures = 3 * 8 * 5, one = side * side * vision.at("hidden_size").get<int>() * 4;
  write(drawnIndex().string(), frozen);
  const auto plan = estimate();
  EXPECT_EQ(plan.at("feature_cache_bytes"), pictures * one);
  write(drawnIndex().string(), frozen + "vision_cache_limit: 0.00001\n");
  EXPECT_EQ(estimate().at("feature_cache_bytes"), 10'000);
}

TEST_F(PlanLengthTest, IsTheUsualOneWhereTheDataIsNotIndexed) {
  write(drawnRecordings().string());
  EXPECT_EQ(estimate().at("step").at("text_tokens"), 64);
  EXPECT_TRUE(assumed("until the data is imported").contains("For 64 text tokens"));
}

}  // namespace
}  // namespace roadtune::testing
