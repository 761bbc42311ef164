// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/half.h"
#include "core/model/processor_config.h"
#include "core/model/tiny_model.h"
#include "core/model/weight_files.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace roadtune::model {
namespace {

using testing::TempFolder;

TEST(Half, EveryFp16ValueSurvivesARoundTrip) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = fromFp16(half);
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(fromFp16(toFp16(value))));
    else
      EXPECT_EQ(toFp16(value), half);
  }
}

TEST(Half, EveryBf16ValueSurvivesARoundTrip) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = fromBf16(half);
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(fromBf16(toBf16(value))));
    else
      EXPECT_EQ(toBf16(value), half);
  }
}

TEST(Half, RoundsToNearestWithHalvesToEven) {
  EXPECT_EQ(toBf16(1.00390625f), 0x3F80);  // half way: down to even
  EXPECT_EQ(toBf16(1.01171875f), 0x3F82);  // half way: up to even
  EXPECT_EQ(toFp16(65519.0f), 0x7BFF);
  EXPECT_EQ(toFp16(65520.0f), 0x7C00);
  EXPECT_EQ(toFp16(std::ldexp(1.0f, -25)), 0x0000);
  EXPECT_EQ(toFp16(-std::ldexp(1.5f, -25)), 0x8001);
}

TEST(Half, TensorsConvertBothWays) {
  const std::vector<float> values = {0.5f, -2.0f, 3.25f};
  for (const Dtype dtype : {Dtype::F32, Dtype::BF16, Dtype::F16})
    EXPECT_EQ(toFloats(dtype, fromFloats(dtype, values)), values);
  EXPECT_TRUE(fromFloats(Dtype::I64, values).empty());
}

TEST(ProcessorConfig, ReadsTheOldFileAndTheNewOneWins) {
  const TempFolder folder;
  folder.write("preprocessor_config.json",
               R"({"size":{"height":448,"width":448},"image_seq_length":1024,"do_convert_rgb":null,"resample":3})");
  auto config = ProcessorConfig::fromFolder(folder.path());
  ASSERT_TRUE(config.ok()) << config.error().text();
  EXPECT_EQ(config.value().imageSize, 448);
  EXPECT_EQ(config.value().imageTokens, 1024);
  EXPECT_FALSE(config.value().convertRgb);
  folder.write("processor_config.json",
               R"({"image_processor":{"size":{"height":28,"width":28},"image_seq_length":4}})");
  config = ProcessorConfig::fromFolder(folder.path());
  ASSERT_TRUE(config.ok());
  EXPECT_EQ(config.value().imageTokens, 4);
  EXPECT_TRUE(config.value().convertRgb);
}

TEST(ProcessorConfig, RefusesWhatIsNotSupported) {
  for (const char* text : {R"({"size":{"height":224,"width":448}})", R"({"size":224})", R"({"resample":2})",
                           R"({"image_mean":[1,2]})", "[]", "{"}) {
    const TempFolder folder;
    folder.write("preprocessor_config.json", text);
    EXPECT_FALSE(ProcessorConfig::fromFolder(folder.path()).ok()) << text;
  }
}

TEST(ProcessorConfig, PixelsGoFromMinusOneToOne) {
  const ProcessorConfig config;
  const std::vector<std::uint8_t> rgb = {0, 128, 255, 255, 0, 127};
  std::vector<float> out(6);
  normalizePixels(config, rgb, out);
  EXPECT_FLOAT_EQ(out[0], -1.0f);
  EXPECT_FLOAT_EQ(out[1], 1.0f);
  EXPECT_FLOAT_EQ(out[2], 2 * (128.0f / 255.0f) - 1);
  EXPECT_FLOAT_EQ(out[5], 2 * (127.0f / 255.0f) - 1);
}

TEST(TinyModel, IsTheSameForTheSameSeedAndReadsBack) {
  const TempFolder folder;
  TinyModelOptions options;
  options.seed = 5;
  ASSERT_TRUE(writeTinyModel(folder / "a", options).ok());
  ASSERT_TRUE(writeTinyModel(folder / "b", options).ok());
  options.seed = 6;
  ASSERT_TRUE(writeTinyModel(folder / "c", options).ok());
  const auto bytes = [&](const char* name) { return testing::readAll(folder / name / "model.safetensors"); };
  EXPECT_EQ(bytes("a"), bytes("b"));
  EXPECT_NE(bytes("a"), bytes("c"));
  const auto config = PaliGemmaConfig::fromFolder(folder / "a");
  ASSERT_TRUE(config.ok()) << config.error().text();
  EXPECT_EQ(config.value().imageTokens(), 64);
  const auto weights = WeightFiles::open(folder / "a");
  ASSERT_TRUE(weights.ok());
  const auto* table = weights.value().find(kEmbedTokens);
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->shape[0], config.value().text.vocab);
  EXPECT_EQ(table->shape[0] % 64, 0);
  EXPECT_GT(table->shape[0], config.value().imageTokenId);
}

TEST(TinyModel, BothFamiliesHaveOneToThreeMillionParameters) {
  for (const Family family : {Family::PaliGemma1, Family::PaliGemma2}) {
    const TempFolder folder;
    TinyModelOptions options;
    options.family = family;
    ASSERT_TRUE(writeTinyModel(folder.path(), options).ok());
    std::int64_t count = 0;
    const auto weights = WeightFiles::open(folder.path()).value();
    for (const TensorView& tensor : weights.tensors()) count += tensor.elements();
    EXPECT_GE(count, 1'000'000);
    EXPECT_LE(count, 3'000'000);
  }
}

TEST(TinyModel, RefusesSizesThatPatchesDoNotFill) {
  const TempFolder folder;
  TinyModelOptions options;
  for (const int size : {0, -14, 100, 14000}) {
    options.imageSize = size;
    EXPECT_FALSE(writeTinyModel(folder.path(), options).ok());
  }
}

}  // namespace
}  // namespace roadtune::model
