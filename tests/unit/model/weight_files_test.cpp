// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/weight_files.h"

#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

namespace roadtune::model {
namespace {

using testing::TempFolder;

const std::vector<std::uint8_t> kBytes(64, 7);

TensorView tensor(const std::string& name, std::int64_t count = 4) {
  return {name, Dtype::F32, {count}, std::span(kBytes).first(static_cast<std::size_t>(count) * 4)};
}

void writeFolder(const TempFolder& folder, const std::vector<TensorPlan>& plan, std::uint64_t shardBytes) {
  auto writer = ShardedWriter::create(folder.path(), plan, shardBytes);
  ASSERT_TRUE(writer.ok());
  for (const TensorPlan& entry : plan)
    ASSERT_TRUE(writer.value().write(entry.name, std::span(kBytes).first(entry.bytes())).ok());
  ASSERT_TRUE(writer.value().finish().ok());
}

const std::vector<TensorPlan> kPlan = {{"language_model.model.embed_tokens.weight", Dtype::F32, {4}},
                                       {"language_model.model.norm.weight", Dtype::F32, {4}},
                                       {"vision_tower.vision_model.post_layernorm.weight", Dtype::F32, {4}}};

TEST(WeightFiles, ReadsASingleFileByDiskAndCanonicalName) {
  const TempFolder folder;
  writeFolder(folder, kPlan, 1'000'000);
  EXPECT_TRUE(std::filesystem::exists(folder / "model.safetensors"));
  EXPECT_FALSE(std::filesystem::exists(folder / "model.safetensors.index.json"));
  const auto weights = WeightFiles::open(folder.path());
  ASSERT_TRUE(weights.ok()) << weights.error().text();
  EXPECT_EQ(weights.value().layout(), NameLayout::L0);
  EXPECT_NE(weights.value().findOnDisk("language_model.model.norm.weight"), nullptr);
  EXPECT_NE(weights.value().find("model.vision_tower.post_layernorm.weight"), nullptr);
  EXPECT_EQ(weights.value().find("model.vision_tower.post_layernorm.bias"), nullptr);
  EXPECT_EQ(weights.value().totalBytes(), 48u);
}

TEST(WeightFiles, TheHeadAndTheEmbeddingAnswerForEachOther) {
  const TempFolder folder;
  ASSERT_TRUE(writeSafetensors(folder / "model.safetensors", {tensor("language_model.lm_head.weight")}).ok());
  const auto weights = WeightFiles::open(folder.path());
  ASSERT_TRUE(weights.ok());
  EXPECT_NE(weights.value().find(kEmbedTokens), nullptr);
  EXPECT_NE(weights.value().find(kLmHead), nullptr);
}

TEST(WeightFiles, ReadsShardsThroughTheirIndex) {
  const TempFolder folder;
  writeFolder(folder, kPlan, 32);
  EXPECT_TRUE(std::filesystem::exists(folder / "model-00001-of-00002.safetensors"));
  EXPECT_TRUE(std::filesystem::exists(folder / "model-00002-of-00002.safetensors"));
  const auto weights = WeightFiles::open(folder.path());
  ASSERT_TRUE(weights.ok()) << weights.error().text();
  EXPECT_EQ(weights.value().tensors().size(), 3u);
}

TEST(WeightFiles, ATensorLargerThanAShardGetsItsOwn) {
  const TempFolder folder;
  writeFolder(folder, kPlan, 1);
  EXPECT_TRUE(std::filesystem::exists(folder / "model-00003-of-00003.safetensors"));
  EXPECT_EQ(testing::readAll(folder / "model.safetensors.index.json").find("\"total_size\": 48") == std::string::npos,
            false);
}

TEST(WeightFiles, NamesTheTensorThatAShardDoesNotHave) {
  const TempFolder folder;
  writeFolder(folder, kPlan, 32);
  ASSERT_TRUE(writeSafetensors(folder / "model-00002-of-00002.safetensors", {tensor("something.else")}).ok());
  const auto weights = WeightFiles::open(folder.path());
  ASSERT_FALSE(weights.ok());
  EXPECT_NE(weights.error().what.find("post_layernorm"), std::string::npos);
}

TEST(WeightFiles, RefusesAnIndexThatLeavesTheFolder) {
  for (const char* name : {"../x.safetensors", "/etc/passwd", "..", ""}) {
    const TempFolder folder;
    folder.write("model.safetensors.index.json", std::string("{\"weight_map\":{\"a\":\"") + name + "\"}}");
    const auto weights = WeightFiles::open(folder.path());
    ASSERT_FALSE(weights.ok()) << name;
    EXPECT_EQ(weights.error().kind, ErrorKind::BadInput);
  }
}

TEST(WeightFiles, RefusesABrokenIndexAndPickledWeights) {
  for (const char* text : {"", "[]", "{}", "{\"weight_map\":{}}", "{\"weight_map\":{\"a\":1}}", "{"}) {
    const TempFolder folder;
    folder.write("model.safetensors.index.json", text);
    EXPECT_FALSE(WeightFiles::open(folder.path()).ok()) << text;
  }
  const TempFolder pickled;
  pickled.write("pytorch_model.bin", "x");
  EXPECT_NE(WeightFiles::open(pickled.path()).error().hint.find("safe_serialization"), std::string::npos);
}

TEST(WeightFiles, RefusesOneTensorUnderTwoNamesAndForeignModels) {
  const TempFolder twice;
  ASSERT_TRUE(writeSafetensors(twice / "model.safetensors",
                               {tensor("language_model.model.norm.weight"), tensor("model.language_model.norm.weight")})
                  .ok());
  EXPECT_NE(WeightFiles::open(twice.path()).error().what.find("twice"), std::string::npos);
  const TempFolder foreign;
  ASSERT_TRUE(writeSafetensors(foreign / "model.safetensors", {tensor("transformer.h.0.attn.weight")}).ok());
  EXPECT_FALSE(WeightFiles::open(foreign.path()).ok());
}

TEST(ShardSize, IsReadAsTransformersWritesIt) {
  EXPECT_EQ(parseShardSize("5GB").value(), 5'000'000'000u);
  EXPECT_EQ(parseShardSize("200 mb").value(), 200'000'000u);
  EXPECT_EQ(parseShardSize("1GiB").value(), 1u << 30);
  EXPECT_EQ(parseShardSize("1.5KB").value(), 1500u);
  EXPECT_EQ(parseShardSize("4096").value(), 4096u);
  for (const char* text : {"", "GB", "5XB", "-1GB", "0", "nan", "1e40GB", "5GBx"})
    EXPECT_FALSE(parseShardSize(text).ok()) << text;
}

}  // namespace
}  // namespace roadtune::model
