// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pali_config.h"

#include "tests/support/temp_folder.h"
#include "tests/unit/model/published.h"

#include <gtest/gtest.h>

#include <cmath>

namespace roadtune::model {
namespace {

Result<PaliGemmaConfig> parse(const std::string& json) { return PaliGemmaConfig::fromText(json, "config.json"); }

std::string withText(const std::string& fields) {
  return R"({"model_type":"paligemma","image_token_index":9,"text_config":{)" + fields +
         R"(},"vision_config":{"hidden_size":32,"num_attention_heads":2}})";
}

TEST(PaliGemmaConfig, SuppliesWhatTheHubLeavesOut) {
  const auto config = parse(testing::publishedModels()[0].configJson()).value();
  EXPECT_EQ(config.family, Family::PaliGemma1);
  EXPECT_EQ(config.vision.imageSize, 224);
  EXPECT_EQ(config.imageTokens(), 256);
  EXPECT_EQ(config.text.headDim, 256);
  EXPECT_DOUBLE_EQ(config.text.ropeTheta, 10000.0);
  EXPECT_DOUBLE_EQ(config.text.queryScale(), 1.0 / 16.0);
  EXPECT_FALSE(config.text.attentionSoftcap);
  EXPECT_EQ(config.dtype, Dtype::BF16);
  EXPECT_TRUE(config.tieWordEmbeddings);
}

TEST(PaliGemmaConfig, GemmaTwoHasCapsWindowsAndItsOwnQueryScale) {
  const auto config = parse(testing::publishedModels()[9].configJson()).value();
  EXPECT_EQ(config.family, Family::PaliGemma2);
  EXPECT_DOUBLE_EQ(*config.text.attentionSoftcap, 50.0);
  EXPECT_DOUBLE_EQ(*config.text.finalSoftcap, 30.0);
  EXPECT_EQ(config.text.slidingWindow, 4096);
  EXPECT_TRUE(config.text.slidingLayers[0]);
  EXPECT_FALSE(config.text.slidingLayers[1]);
  EXPECT_EQ(config.text.headDim, 128);
  EXPECT_DOUBLE_EQ(config.text.queryScale(), 1.0 / 12.0);
}

TEST(PaliGemmaConfig, ReadsOldAndNewSpellings) {
  const auto older = parse(withText(R"("hidden_size":64,"rope_theta":500.0,"torch_dtype":"float16")")).value();
  const auto newer =
      parse(withText(
                R"("hidden_size":64,"rope_parameters":{"rope_theta":500.0,"rope_type":"default"},"dtype":"float16")"))
          .value();
  for (const auto& config : {older, newer}) {
    EXPECT_DOUBLE_EQ(config.text.ropeTheta, 500.0);
    EXPECT_EQ(config.dtype, Dtype::F16);
  }
  auto json = withText(R"("hidden_size":64)");
  json.replace(json.find("image_token_index"), 17, "image_token_id");
  EXPECT_EQ(parse(json).value().imageTokenId, 9);
}

TEST(PaliGemmaConfig, ANullCapIsOffAndAnAbsentOneIsTheDefault) {
  const auto off =
      parse(
          withText(
              R"("model_type":"gemma2","attn_logit_softcapping":null,"final_logit_softcapping":12.5,"sliding_window":null)"))
          .value();
  EXPECT_FALSE(off.text.attentionSoftcap);
  EXPECT_DOUBLE_EQ(*off.text.finalSoftcap, 12.5);
  EXPECT_EQ(off.text.slidingWindow, 0);
}

TEST(PaliGemmaConfig, LogitsOfTheFirstGemmaAreCappedWhereItsFileSaysSo) {
  EXPECT_FALSE(parse(withText(R"("model_type":"gemma")")).value().text.finalSoftcap);
  const auto capped = parse(withText(R"("model_type":"gemma","attn_logit_softcapping":5,"final_logit_softcapping":3)"));
  EXPECT_DOUBLE_EQ(*capped.value().text.finalSoftcap, 3.0);
  EXPECT_FALSE(capped.value().text.attentionSoftcap) << "which the reference does not read";
}

TEST(PaliGemmaConfig, LayerTypesAreTaken) {
  const auto config =
      parse(
          withText(
              R"("model_type":"gemma2","num_hidden_layers":3,"layer_types":["full_attention","sliding_attention","full_attention"])"))
          .value();
  EXPECT_EQ(config.text.slidingLayers, (std::vector<bool>{false, true, false}));
  EXPECT_FALSE(parse(withText(R"("model_type":"gemma2","num_hidden_layers":3,"layer_types":["full_attention"])")).ok());
}

TEST(PaliGemmaConfig, AListOfEndTokensGivesTheFirst) {
  EXPECT_EQ(parse(withText(R"("eos_token_id":[1,107],"pad_token_id":0)")).value().eosTokenId, 1);
}

TEST(PaliGemmaConfig, FourBitCheckpointsAreRecognised) {
  const auto config = parse(
      R"({"model_type":"paligemma","quantization_config":{"load_in_4bit":true,"bnb_4bit_quant_type":"nf4","bnb_4bit_use_double_quant":true}})");
  ASSERT_TRUE(config.ok());
  ASSERT_TRUE(config.value().quantization);
  EXPECT_EQ(config.value().quantization->type, "nf4");
  EXPECT_TRUE(config.value().quantization->doubleQuantized);
}

TEST(PaliGemmaConfig, AQuantizationThatCannotBeReadIsNamed) {
  const std::pair<std::string, const char*> cases[] = {
      {R"({"load_in_4bit":"yes"})", "load_in_4bit must be true or false, not \"yes\""},
      {R"({"load_in_4bit":true,"bnb_4bit_quant_type":4})", "bnb_4bit_quant_type must be text, not 4"},
      {R"({"load_in_4bit":true,"bnb_4bit_use_double_quant":"no"})", "bnb_4bit_use_double_quant must be true or false"},
      {R"({"load_in_4bit":true,"bnb_4bit_compute_dtype":[]})", "bnb_4bit_compute_dtype must be text, not []"},
      {R"({"load_in_4bit":true,"llm_int8_skip_modules":"lm_head"})", "llm_int8_skip_modules must be a list of names"},
      {R"({"load_in_4bit":true,"llm_int8_skip_modules":[1]})", "llm_int8_skip_modules must be a list of names"},
      {R"("nf4")", "quantization_config must be an object, not string"}};
  for (const auto& [written, what] : cases) {
    const auto config = parse(R"({"model_type":"paligemma","quantization_config":)" + written + "}");
    ASSERT_FALSE(config.ok()) << written;
    EXPECT_EQ(config.error().kind, ErrorKind::BadInput);
    EXPECT_NE(config.error().text().find(what), std::string::npos) << config.error().text();
    EXPECT_NE(config.error().text().find("remove the key"), std::string::npos) << config.error().text();
  }
}

TEST(PaliGemmaConfig, RefusesWhatItCannotTrainAndSaysWhere) {
  const std::pair<std::string, const char*> cases[] = {
      {"", "not a JSON object"},
      {"[]", "not a JSON object"},
      {R"({"model_type":"llama"})", "llama"},
      {withText(R"("model_type":"gemma3_text")"), "gemma3_text"},
      {withText(R"("hidden_size":"wide")"), "hidden_size"},
      {withText(R"("hidden_size":-1)"), "hidden_size"},
      {withText(R"("hidden_size":1e30)"), "hidden_size"},
      {withText(R"("num_attention_heads":6,"num_key_value_heads":4)"), "num_key_value_heads"},
      {withText(R"("head_dim":7)"), "head_dim"},
      {withText(R"("rope_parameters":{"rope_type":"yarn"})"), "yarn"},
      {withText(R"("dtype":"int8")"), "floating"},
      {R"({"model_type":"paligemma","vision_config":{"hidden_size":30,"num_attention_heads":4}})", "multiple"},
      {R"({"model_type":"paligemma","vision_config":{"hidden_size":32,"num_attention_heads":4,"image_size":8}})",
       "patch_size"},
      {R"({"model_type":"paligemma","projection_dim":7})", "projection_dim"},
  };
  for (const auto& [json, word] : cases) {
    const auto result = parse(json);
    ASSERT_FALSE(result.ok()) << json;
    EXPECT_EQ(result.error().kind, ErrorKind::BadInput);
    EXPECT_NE(result.error().text().find(word), std::string::npos) << result.error().text();
    EXPECT_NE(result.error().text().find("config.json"), std::string::npos);
  }
}

TEST(PaliGemmaConfig, AFolderWithoutOneIsNamed) {
  const testing::TempFolder folder;
  const auto result = PaliGemmaConfig::fromFolder(folder.path());
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().text().find(folder.path().string()), std::string::npos);
}

}  // namespace
}  // namespace roadtune::model
