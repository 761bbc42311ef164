// SPDX-License-Identifier: GPL-3.0-or-later
// What the studio proposes where a run does not fit into memory, or leaves room to be faster.
#include "app/studio/fit_work.h"

#include "app/studio/estimate_work.h"
#include "app/studio/train_length.h"
#include "core/config/resolve.h"
#include "core/model/module_tree.h"
#include "tests/support/made_data.h"

#include <gtest/gtest.h>

namespace roadtune::testing {
namespace {

TEST(FitWork, LeavesCudaItsRoomOnACard) {
  const auto resolution =
      config::resolve(config::Document("model_name_or_path: " + tinyModel().string() +
                                       "\ntrain_data: /d\noutput_dir: /o\nfinetuning_type: full\nbf16: true\n"
                                       "per_device_train_batch_size: 16\n"),
                      {});
  ASSERT_TRUE(resolution.config);
  studio::SampleCounts counts;
  const auto estimateOn = [&](std::uint64_t memory) {
    return studio::estimateOf(*resolution.config, 1, {{true, 1, memory, 64'000'000'000, QStringLiteral("a card")}},
                              counts);
  };
  const auto large = estimateOn(80'000'000'000);
  ASSERT_TRUE(large.tree) << large.error.toStdString();
  EXPECT_TRUE(large.fitValues.empty());
  const auto tensors = large.plan.total() - model::takenByCuda().bytes;
  EXPECT_LT(tensors, 500'000'000u);
  const auto tight = estimateOn(tensors + model::takenByCuda().bytes - 1);
  ASSERT_FALSE(tight.fitValues.empty()) << "the tensors alone would fit, twice";
  EXPECT_EQ(tight.fitValues.front().first, "per_device_train_batch_size");
  const auto none = estimateOn(500'000'000);
  EXPECT_TRUE(none.fitValues.empty()) << "no batch is small enough for a card that CUDA fills";
  EXPECT_GT(none.plan.total(), none.memory);
}

TEST(FitWork, ComputesAsFewBlocksAgainAsHaveToBe) {
  const auto estimateOn = [&](std::uint64_t memory, const char* more) {
    const auto resolution =
        config::resolve(config::Document("model_name_or_path: " + tinyModel().string() +
                                         "\ntrain_data: /d\noutput_dir: /o\nfinetuning_type: full\nbf16: true\n"
                                         "per_device_train_batch_size: 4\n" +
                                         more),
                        {});
    studio::SampleCounts counts;
    return studio::estimateOf(*resolution.config, 1, {{true, 1, memory, 64'000'000'000, QStringLiteral("a card")}},
                              counts);
  };
  const std::string all = "gradient_checkpointing: true\n";
  const auto kept = estimateOn(80'000'000'000, ""), again = estimateOn(80'000'000'000, all.c_str());
  ASSERT_TRUE(kept.tree) << kept.error.toStdString();
  EXPECT_TRUE(kept.fitValues.empty()) << "as fast as can be";
  ASSERT_EQ(again.fitValues.size(), 1u);
  EXPECT_EQ(again.fitValues.front().first, "gradient_checkpointing");
  EXPECT_FALSE(again.fitValues.front().second.flag());
  const auto least = again.plan.total(), most = kept.plan.total();
  ASSERT_LT(least + 100'000, most);
  // A twentieth stays free, of what CUDA leaves.
  const auto cuda = model::takenByCuda().bytes;
  const auto some = estimateOn(cuda + ((least + most) / 2 - cuda) * 20 / 19, all.c_str());
  ASSERT_EQ(some.fitValues.size(), 1u);
  EXPECT_EQ(some.fitValues.front().first, "gradient_checkpointing_blocks");
  const auto blocks = some.fitValues.front().second.integer();
  EXPECT_GT(blocks, 0);
  EXPECT_LE(blocks, some.plan.blocksInGraph);
  EXPECT_TRUE(estimateOn(least + 1, all.c_str()).fitValues.empty()) << "there is no room for more";
  // And the other way: a run that does not fit needs some of them.
  const auto tight = estimateOn((least + most) / 2, "");
  ASSERT_EQ(tight.fitValues.size(), 2u) << tight.fitWords.toStdString();
  EXPECT_EQ(tight.fitValues[0].first, "gradient_checkpointing");
  EXPECT_EQ(tight.fitValues[1].first, "gradient_checkpointing_blocks");
  EXPECT_LE(tight.fitValues[1].second.integer(), blocks);
}

TEST(FitWork, PutsKeptVisionFeaturesOnDiskBeforeAnythingElse) {
  const auto resolution = config::resolve(
      config::Document("model_name_or_path: " + tinyModel().string() +
                       "\ntrain_data: /d\noutput_dir: /o\nfinetuning_type: lora\ntarget_modules: [q_proj]\n"
                       "exclude_modules: .*vision_tower.*\n"
                       "cache_vision_features: memory\n"),
      {});
  ASSERT_TRUE(resolution.config);
  studio::SampleCounts counts;
  const auto estimateOn = [&](std::uint64_t memory) {
    return studio::estimateOf(*resolution.config, 1, {{.known = true, .memory = memory}}, counts);
  };
  const auto large = estimateOn(64'000'000'000);
  EXPECT_EQ(large.plan.bytesOf("feature_cache"), 16'000'000'000u) << "how many pictures there are is not known";
  EXPECT_TRUE(large.fitValues.empty());
  const auto tight = estimateOn(8'000'000'000);
  ASSERT_EQ(tight.fitValues.size(), 1u);
  EXPECT_EQ(tight.fitValues.front().first, "cache_vision_features");
  EXPECT_EQ(tight.fitValues.front().second.text(), "disk");
}

TEST(FitWork, KeepsTheEffectiveBatchAndGoesNoFurtherThanNeeded) {
  const auto modelConfig = model::PaliGemmaConfig::fromFolder(tinyModel());
  ASSERT_TRUE(modelConfig.ok());
  const auto resolution =
      config::resolve(config::Document("model_name_or_path: /m\ntrain_data: /d\noutput_dir: /o\nfinetuning_type: "
                                       "full\nper_device_train_batch_size: 16\n"),
                      {});
  ASSERT_TRUE(resolution.config);
  const auto method = model::methodFrom(*resolution.config);
  ASSERT_TRUE(method.ok());
  const auto tree = model::buildModuleTree(modelConfig.value(), method.value());
  ASSERT_TRUE(tree.ok());
  const model::StepShape shape = model::stepShapeFrom(*resolution.config);
  const auto needed = model::planMemory(tree.value(), shape).total();
  const auto half = studio::proposeFit(*resolution.config, tree.value(), shape, needed - needed / 8);
  ASSERT_TRUE(half);
  EXPECT_LE(half->bytes, needed - needed / 8);
  ASSERT_EQ(half->values.size(), 2u);
  EXPECT_EQ(half->values[0].second.integer() * half->values[1].second.integer(), 16);
  // What no batch helps: less than weights, gradients and moments take between two steps.
  const auto between = model::planMemory(tree.value(), shape).persistent();
  const auto bytes = studio::proposeFit(*resolution.config, tree.value(), shape, between);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->values.back().first, "optim");
  EXPECT_EQ(bytes->values.back().second.text(), "adamw_8bit");
  model::StepShape narrow = shape;  // and where it computes in 16 bits, without masters
  narrow.computeDtype = model::Dtype::BF16;
  narrow.eightBitMoments = narrow.checkpointing = true;
  narrow.batch = 1;
  narrow.accumulation = 16;
  const auto least = model::planMemory(tree.value(), narrow).total();
  const auto pure = studio::proposeFit(*resolution.config, tree.value(), narrow, least - least / 10);
  ASSERT_TRUE(pure);
  EXPECT_EQ(pure->values.back().first, "pure_bf16");
  EXPECT_FALSE(studio::proposeFit(*resolution.config, tree.value(), shape, 1000)) << "nothing fits into a kilobyte";
}

}  // namespace
}  // namespace roadtune::testing
