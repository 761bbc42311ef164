// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/tensor_names.h"

#include <gtest/gtest.h>

namespace roadtune::model {
namespace {

struct Spelling {
  const char *canonical, *l0, *l1, *hf5;
};

constexpr Spelling kSpellings[] = {
    {"model.language_model.layers.3.self_attn.q_proj.weight", "language_model.model.layers.3.self_attn.q_proj.weight",
     "model.language_model.layers.3.self_attn.q_proj.weight", "language_model.model.layers.3.self_attn.q_proj.weight"},
    {"model.language_model.embed_tokens.weight", "language_model.model.embed_tokens.weight",
     "model.language_model.embed_tokens.weight", "language_model.model.embed_tokens.weight"},
    {"lm_head.weight", "language_model.lm_head.weight", "lm_head.weight", "language_model.lm_head.weight"},
    {"model.vision_tower.encoder.layers.0.mlp.fc1.bias", "vision_tower.vision_model.encoder.layers.0.mlp.fc1.bias",
     "model.vision_tower.vision_model.encoder.layers.0.mlp.fc1.bias", "vision_tower.encoder.layers.0.mlp.fc1.bias"},
    {"model.multi_modal_projector.linear.weight", "multi_modal_projector.linear.weight",
     "model.multi_modal_projector.linear.weight", "multi_modal_projector.linear.weight"},
};

TEST(TensorNames, FourLayoutsMapToOneNameAndBack) {
  for (const Spelling& s : kSpellings) {
    for (const char* name : {s.canonical, s.l0, s.l1, s.hf5}) EXPECT_EQ(canonicalName(name), s.canonical) << name;
    EXPECT_EQ(nameIn(NameLayout::L0, s.canonical), s.l0);
    EXPECT_EQ(nameIn(NameLayout::L1, s.canonical), s.l1);
    EXPECT_EQ(nameIn(NameLayout::L2, s.canonical), s.canonical);
    EXPECT_EQ(nameIn(NameLayout::Hf5, s.canonical), s.hf5);
  }
}

TEST(TensorNames, ModulePathsWork) {
  EXPECT_EQ(canonicalName("vision_tower.vision_model"), "model.vision_tower");
  EXPECT_EQ(canonicalName("language_model.model"), "model.language_model");
  EXPECT_EQ(nameIn(NameLayout::L0, "model.language_model"), "language_model.model");
}

TEST(TensorNames, WhatIsNotPaliGemmaHasNoCanonicalName) {
  for (const char* name :
       {"", "model", "transformer.h.0", "language_models.x", "vision_towers.a", "lm_heads", "model.norm.weight"})
    EXPECT_FALSE(canonicalName(name)) << name;
}

TEST(TensorNames, TheLayoutOfASetOfNamesIsRecognised) {
  EXPECT_EQ(detectLayout({kSpellings[0].l0, kSpellings[3].l0}), NameLayout::L0);
  EXPECT_EQ(detectLayout({kSpellings[0].l1, kSpellings[3].l1}), NameLayout::L1);
  EXPECT_EQ(detectLayout({kSpellings[0].canonical, kSpellings[3].canonical}), NameLayout::L2);
  EXPECT_EQ(detectLayout({kSpellings[0].hf5, kSpellings[3].hf5}), NameLayout::Hf5);
  EXPECT_EQ(detectLayout({"x", "y"}), std::nullopt);
}

TEST(TensorNames, AdaptersAreSpelledInThreeLayouts) {
  const std::string canonical = "model.vision_tower.encoder.layers.0.self_attn.q_proj.lora_A.weight";
  const std::string a = "base_model.model.vision_tower.vision_model.encoder.layers.0.self_attn.q_proj.lora_A.weight";
  const std::string b =
      "base_model.model.model.vision_tower.vision_model.encoder.layers.0.self_attn.q_proj.lora_A.weight";
  const std::string c = "base_model.model.model.vision_tower.encoder.layers.0.self_attn.q_proj.lora_A.weight";
  EXPECT_EQ(adapterName(AdapterLayout::A, canonical), a);
  EXPECT_EQ(adapterName(AdapterLayout::B, canonical), b);
  EXPECT_EQ(adapterName(AdapterLayout::C, canonical), c);
  for (const std::string& name : {a, b, c}) EXPECT_EQ(canonicalAdapterName(name), canonical);
  EXPECT_EQ(detectAdapterLayout({a}), AdapterLayout::A);
  EXPECT_EQ(detectAdapterLayout({b}), AdapterLayout::B);
  EXPECT_EQ(detectAdapterLayout({c}), AdapterLayout::C);
  EXPECT_FALSE(canonicalAdapterName(canonical));
}

TEST(AdapterNames, PeftsInnerWordsAreNotPartOfAModulesName) {
  const std::string bias = "model.vision_tower.encoder.layers.0.mlp.fc1.bias";
  EXPECT_EQ(adapterName(AdapterLayout::C, bias, true),
            "base_model.model.model.vision_tower.encoder.layers.0.mlp.fc1.base_layer.bias");
  EXPECT_EQ(canonicalAdapterName(adapterName(AdapterLayout::A, bias, true)), bias);
  const std::string head = "base_model.model.model.multi_modal_projector.";
  for (const char* inner : {"modules_to_save.linear.bias", "modules_to_save.default.linear.bias", "linear.bias"})
    EXPECT_EQ(canonicalAdapterName(head + inner), "model.multi_modal_projector.linear.bias");
  EXPECT_TRUE(isOriginalCopy(head + "original_module.linear.bias"));
  EXPECT_FALSE(isOriginalCopy(head + "linear.bias"));
}

}  // namespace
}  // namespace roadtune::model
