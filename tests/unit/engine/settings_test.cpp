// SPDX-License-Identifier: GPL-3.0-or-later
// What a configuration means for the engine, and what follows from it.
#include "core/engine/loop/settings.h"

#include "core/config/document.h"
#include "core/config/resolve.h"
#include "core/engine/checkpoint/weights_writer.h"
#include "core/engine/nn/device.h"
#include "core/model/graph_blocks.h"
#include "tests/unit/engine/uneven_passes.h"

#include <ATen/Context.h>
#include <gtest/gtest.h>

namespace roadtune::engine {
namespace {

TrainSettings settingsOf(const std::string& more) {
  const auto resolution =
      config::resolve(config::Document("model_name_or_path: m\ntrain_data: d\noutput_dir: o\n" + more), {});
  EXPECT_TRUE(resolution.config);
  auto settings = trainSettings(*resolution.config);
  EXPECT_TRUE(settings.ok());
  return settings.ok() ? settings.value() : TrainSettings();
}

TEST(TrainSettings, SayWhatTheConfigurationSays) {
  const auto plain = settingsOf("");
  EXPECT_FALSE(plain.deterministic);
  EXPECT_TRUE(plain.pinsMemory);
  EXPECT_EQ(plain.locDecoding, text::LocDecoding::Over1023);
  EXPECT_EQ(plain.recomputedBlocks, 0);
  const auto other = settingsOf(
      "full_determinism: true\ndataloader_pin_memory: false\nloc_decoding: \"1024\"\n"
      "gradient_checkpointing: true\n");
  EXPECT_TRUE(other.deterministic);
  EXPECT_FALSE(other.pinsMemory);
  EXPECT_EQ(other.locDecoding, text::LocDecoding::Over1024);
  EXPECT_EQ(other.recomputedBlocks, model::kEveryBlock);
  EXPECT_EQ(settingsOf("gradient_checkpointing: true\ngradient_checkpointing_blocks: 4294967296\n").recomputedBlocks,
            model::kEveryBlock);
  EXPECT_EQ(settingsOf("gradient_checkpointing: false\ngradient_checkpointing_blocks: 3\n").recomputedBlocks, 0);
}

TEST(TrainSettings, DeterministicKernelsAreAskedForOfTorch) {
  useDeterministicKernels();
  EXPECT_TRUE(at::globalContext().deterministicAlgorithms());
  EXPECT_FALSE(at::globalContext().deterministicFillUninitializedMemory());
  at::globalContext().setDeterministicAlgorithms(false, false);
}

TEST(WeightsWriting, BringsTheTokenizerThatWasTrainedWith) {
  const testing::TempFolder folder;
  folder.write("base/tokenizer.json", "of the base");
  folder.write("base/preprocessor_config.json", "{}");
  folder.write("other/tokenizer.json", "of its own");
  const auto model = unevenModel(model::Family::PaliGemma1, withAdapters(0));
  for (const bool other : {false, true}) {
    WeightsWriting writing{folder / "base"};
    if (other) writing.tokenizer = folder / "other";
    const auto out = folder / (other ? "b" : "a");
    std::filesystem::create_directories(out);
    ASSERT_TRUE(writeAdapter(*model, out, writing).ok());
    EXPECT_EQ(testing::readAll(out / "tokenizer.json"), other ? "of its own" : "of the base");
    EXPECT_TRUE(std::filesystem::exists(out / "preprocessor_config.json"));
  }
}

}  // namespace
}  // namespace roadtune::engine
