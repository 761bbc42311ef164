// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/module_tree.h"

#include "core/model/tree_notes.h"
#include "tests/unit/model/tiny_config.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace roadtune::model {
namespace {

using testing::full;
using testing::lora;
using testing::smallConfig;

ModuleTree build(const Method& method) {
  auto tree = buildModuleTree(smallConfig(), method);
  EXPECT_TRUE(tree.ok()) << (tree.ok() ? "" : tree.error().text());
  return tree.ok() ? std::move(tree).value() : ModuleTree();
}

std::string problem(const Method& method) {
  const auto tree = buildModuleTree(smallConfig(), method);
  if (tree.ok()) return "accepted";
  EXPECT_EQ(tree.error().kind, ErrorKind::BadInput);
  return tree.error().text();
}

const Module& moduleAt(const ModuleTree& tree, const std::string& path) {
  return *std::find_if(tree.modules.begin(), tree.modules.end(), [&](const Module& m) { return m.path == path; });
}

const std::string kLayer1 = "model.language_model.layers.1.";
const std::string kLayer2 = "model.language_model.layers.2.";

TEST(ModuleTree, FreezeFlagsTakeWholePartsOut) {
  Method method = full();
  method.freezeVisionTower = method.freezeProjector = true;
  const auto tree = build(method);
  for (const Tensor& tensor : tree.tensors)
    EXPECT_EQ(tensor.trainable, tree.moduleOf(tensor).part == Part::Text) << tensor.name;
}

TEST(ModuleTree, FreezingEverythingIsAnError) {
  Method method = full();
  method.freezeVisionTower = method.freezeProjector = method.freezeLanguageModel = true;
  EXPECT_NE(problem(method).find("nothing would be trained"), std::string::npos);
}

TEST(ModuleTree, LoraFreezesTheBaseAndAddsTwoMatrices) {
  const auto tree = build(lora({"q_proj"}));
  const Tensor* a = tree.find(kLayer1 + "self_attn.q_proj.lora_A.weight");
  const Tensor* b = tree.find(kLayer1 + "self_attn.q_proj.lora_B.weight");
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->shape, (std::vector<std::int64_t>{8, 128}));
  EXPECT_EQ(b->shape, (std::vector<std::int64_t>{128, 8}));
  EXPECT_TRUE(a->trainable && b->trainable);
  EXPECT_FALSE(tree.find(kLayer1 + "self_attn.q_proj.weight")->trainable);
  EXPECT_EQ(stateText(tree, *a), "lora(8), alpha 8");
  EXPECT_EQ(stateWord(tree, *a), "lora(8)");
  Method dora = lora({"q_proj"});
  dora.dora = true;
  const auto weighed = build(dora);
  const Tensor* same = weighed.find(a->name);
  ASSERT_TRUE(same);
  EXPECT_EQ(stateWord(weighed, *same), "lora(8)");
  EXPECT_EQ(stateText(weighed, *same), "lora(8), DoRA, alpha 8");
}

TEST(ModuleTree, FreezeVisionTowerDoesNotKeepAdaptersOffAndSaysSo) {
  Method method = lora({"q_proj"});
  method.freezeVisionTower = true;
  const auto tree = build(method);
  EXPECT_TRUE(moduleAt(tree, "model.vision_tower.encoder.layers.0.self_attn.q_proj").lora);
  ASSERT_FALSE(tree.notes.empty());
  EXPECT_NE(tree.notes[0].find("freeze_vision_tower freezes the tower's own weights"), std::string::npos);
}

TEST(ModuleTree, LaterRulesWin) {
  Method method = full();
  method.rules = {{"language_model", ModuleMode::Frozen},
                  {"language_model.layers.1", ModuleMode::Full},
                  {"language_model.layers.1.mlp", ModuleMode::Frozen}};
  const auto tree = build(method);
  EXPECT_FALSE(tree.find(kLayer2 + "self_attn.q_proj.weight")->trainable);
  EXPECT_TRUE(tree.find(kLayer1 + "self_attn.q_proj.weight")->trainable);
  EXPECT_TRUE(tree.find(kLayer1 + "input_layernorm.weight")->trainable);
  EXPECT_FALSE(tree.find(kLayer1 + "mlp.up_proj.weight")->trainable);
  EXPECT_TRUE(tree.find("model.vision_tower.post_layernorm.bias")->trainable);
}

TEST(ModuleTree, AFullRuleInALoraRunTrainsThatLayerWithoutAdapters) {
  Method method = lora({"q_proj"});
  method.rules = {{"language_model.layers.1", ModuleMode::Full, {}, {}, {}, 1e-6}};
  const auto tree = build(method);
  EXPECT_TRUE(tree.find(kLayer1 + "self_attn.q_proj.weight")->trainable);
  EXPECT_EQ(tree.find(kLayer1 + "self_attn.q_proj.lora_A.weight"), nullptr);
  EXPECT_NE(tree.find(kLayer2 + "self_attn.q_proj.lora_A.weight"), nullptr);
  EXPECT_DOUBLE_EQ(*moduleAt(tree, kLayer1 + "self_attn.q_proj").learningRate, 1e-6);
}

TEST(ModuleTree, ALoraRuleForABlockUsesTheTargetNames) {
  Method method = lora({"q_proj", "v_proj"});
  method.exclude.pattern = ".*";
  method.exclude.names.clear();
  method.rules = {{"language_model.layers.2", ModuleMode::Lora, 3, 6.0, 0.25}};
  const auto tree = build(method);
  const auto& q = moduleAt(tree, kLayer2 + "self_attn.q_proj");
  ASSERT_TRUE(q.lora);
  EXPECT_EQ(q.lora->r, 3);
  EXPECT_DOUBLE_EQ(q.lora->scale, 2.0);
  EXPECT_DOUBLE_EQ(q.lora->dropout, 0.25);
  EXPECT_FALSE(moduleAt(tree, kLayer2 + "mlp.up_proj").lora);
  EXPECT_FALSE(moduleAt(tree, kLayer1 + "self_attn.q_proj").lora);
}

TEST(ModuleTree, ARuleOfATypeLeavesTheMethodAndLaterOnesWin) {
  Method method = lora({"q_proj"});
  method.rules = {{.path = "language_model", .mode = {}, .dtype = Dtype::F32},
                  {.path = "language_model.layers.1", .mode = {}, .dtype = std::optional<Dtype>()},
                  {.path = "language_model.layers.1.mlp", .mode = ModuleMode::Full}};
  const auto tree = build(method), plain = build(lora({"q_proj"}));
  EXPECT_NE(tree.find(kLayer1 + "self_attn.q_proj.lora_A.weight"), nullptr);
  EXPECT_EQ(moduleAt(tree, kLayer2 + "self_attn.q_proj").dtype, Dtype::F32);
  EXPECT_EQ(moduleAt(tree, kLayer1 + "self_attn.q_proj").dtype, std::nullopt) << "the run's again";
  EXPECT_TRUE(tree.find(kLayer1 + "mlp.up_proj.weight")->trainable);
  method.rules.pop_back();
  EXPECT_EQ(build(method).trainableParameters(), plain.trainableParameters());
}

TEST(ModuleTree, ATiedHeadHasNothingOfItsOwnToDecideOn) {
  Method method = lora({"q_proj"});
  for (const ModuleRule& rule : {ModuleRule{.path = "lm_head", .mode = {}, .dtype = Dtype::F32},
                                 ModuleRule{"lm_head", ModuleMode::Frozen}, ModuleRule{"lm_head", ModuleMode::Full}}) {
    method.rules = {rule};
    EXPECT_NE(problem(method).find("embed_tokens"), std::string::npos) << problem(method);
  }
}

TEST(ModuleTree, AdaptersThatCannotBeTrainedAreCountedAndRefused) {
  EXPECT_TRUE(requireTrainable(build(lora({"q_proj", "linear"}))).ok());
  for (const char* name : {"embed_tokens", "lm_head", "patch_embedding"}) {
    const Status refused = requireTrainable(build(lora({"q_proj", name})));
    ASSERT_FALSE(refused.ok()) << name;
    EXPECT_NE(refused.error().what.find(name), std::string::npos) << refused.error().text();
    EXPECT_EQ(refused.error().where, "target_modules");
  }
}

TEST(ModuleTree, NamesThatHitNothingAreKnown) {
  EXPECT_EQ(unusedTargets(build(lora({"q_proj", "gate_pro"}))), std::vector<std::string>{"gate_pro"});
  Method whole = lora({"gate_pro"});
  whole.type = FinetuningType::Full;
  EXPECT_TRUE(unusedTargets(build(whole)).empty()) << "there none has an effect";
}

TEST(ModuleTree, ALoraRuleWithoutTargetsTakesEveryLinearLayer) {
  Method method = full();
  method.rules = {{"vision_tower", ModuleMode::Lora}};
  const auto tree = build(method);
  EXPECT_TRUE(moduleAt(tree, "model.vision_tower.encoder.layers.0.mlp.fc1").lora);
  EXPECT_FALSE(moduleAt(tree, "model.vision_tower.post_layernorm").lora);
  EXPECT_FALSE(tree.find("model.vision_tower.encoder.layers.0.mlp.fc1.weight")->trainable);
  EXPECT_TRUE(tree.find(kLayer1 + "mlp.up_proj.weight")->trainable);
}

TEST(ModuleTree, RulesUnderstandOtherLayouts) {
  for (const char* path : {"language_model.model.layers.1", "model.language_model.layers.1",
                           "base_model.model.model.language_model.layers.1"}) {
    Method method = lora({"q_proj"});
    method.rules = {{path, ModuleMode::Frozen}};
    EXPECT_EQ(build(method).find(kLayer1 + "self_attn.q_proj.lora_A.weight"), nullptr) << path;
  }
}

TEST(ModuleTree, RulesMatchWholeWords) {
  Method method = lora({"q_proj"});
  method.rules = {{"layers.1.self_attn.q_pro", ModuleMode::Frozen}};
  EXPECT_NE(problem(method).find("names no module"), std::string::npos);
}

TEST(ModuleTree, WeightsStoredIn4BitsStaySoAndAreNotTrainedInFull) {
  PaliGemmaConfig config = smallConfig();
  config.quantization = StoredQuantization{.doubleQuantized = true,
                                           .skip = {"lm_head", "model.vision_tower", "model.multi_modal_projector"}};
  const std::string up = kLayer1 + "mlp.up_proj";
  const auto adapted = buildModuleTree(config, lora({"up_proj"})).value();
  EXPECT_TRUE(adapted.find(up + ".weight")->nf4);
  EXPECT_TRUE(adapted.find(up + ".weight")->doubleQuant);
  EXPECT_FALSE(moduleAt(adapted, "model.vision_tower.encoder.layers.0.self_attn.q_proj").nf4);
  EXPECT_TRUE(requireTrainable(adapted).ok());
  const auto whole = buildModuleTree(config, full()).value();
  const Status refused = requireTrainable(whole);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().text().find("4 bits"), std::string::npos) << refused.error().text();
  EXPECT_FALSE(whole.find(up + ".weight")->trainable) << "and nobody counts it as trained";
  EXPECT_TRUE(whole.find(kLayer1 + "input_layernorm.weight")->trainable);
  Method only = full();
  only.freezeLanguageModel = true;
  EXPECT_TRUE(requireTrainable(buildModuleTree(config, only).value()).ok()) << "tower and projector are in 16 bits";
}

TEST(ModuleTree, QloraRulesQuantiseAndLoraRulesDoNot) {
  Method method = lora({"q_proj"});
  method.type = FinetuningType::Qlora;
  method.rules = {{"vision_tower", ModuleMode::Lora}, {"language_model.layers.1", ModuleMode::Full}};
  const auto tree = build(method);
  EXPECT_FALSE(moduleAt(tree, "model.vision_tower.encoder.layers.0.self_attn.q_proj").nf4);
  EXPECT_FALSE(moduleAt(tree, kLayer1 + "mlp.up_proj").nf4);
  EXPECT_TRUE(moduleAt(tree, kLayer2 + "mlp.up_proj").nf4);
  EXPECT_TRUE(moduleAt(tree, "model.multi_modal_projector.linear").nf4);
  EXPECT_FALSE(moduleAt(tree, "lm_head").nf4);
}

TEST(ModuleTree, TextOnlyQuantisationSparesTheRest) {
  Method method = lora({"q_proj"});
  method.type = FinetuningType::Qlora;
  method.quantizedSet = QuantizedSet::TextOnly;
  method.quantizeSkip = {"down_proj", "model.language_model.layers.2"};
  const auto tree = build(method);
  for (const Module& module : tree.modules) {
    const bool wanted = module.part == Part::Text && module.kind == ModuleKind::Linear && module.path != "lm_head" &&
                        !module.path.ends_with("down_proj") && module.layer != 2;
    EXPECT_EQ(module.nf4, wanted) << module.path;
  }
}

TEST(ModuleTree, BytesOfFourBitWeightsIncludeTheirConstants) {
  EXPECT_EQ(nf4Bytes(4096, false).codes, 2048u);
  EXPECT_EQ(nf4Bytes(4096, false).constants, 64u * 4 + 64);
  EXPECT_EQ(nf4Bytes(65536, true).constants, 1024u + 4 * 4 + 64 + 1024 + 4);
  EXPECT_EQ(nf4Bytes(1, false).codes, 1u);
  EXPECT_EQ(nf4Bytes(65, false).constants, 2u * 4 + 64);
}

TEST(ModuleTree, SavedModulesCountTwice) {
  Method method = lora({"q_proj"});
  const auto plain = build(method).allParameters();
  method.modulesToSave = {"multi_modal_projector"};
  const auto tree = build(method);
  EXPECT_EQ(tree.allParameters() - plain, 96 * 128 + 128);
  EXPECT_EQ(stateText(tree, *tree.find("model.multi_modal_projector.linear.bias")), "full, saved copy");
}

TEST(ModuleTree, RankStabilisedScaleIsAlphaOverTheRoot) {
  Method method = lora({"q_proj"});
  method.r = 16;
  method.loraAlpha = 32;
  method.rslora = true;
  EXPECT_DOUBLE_EQ(moduleAt(build(method), kLayer1 + "self_attn.q_proj").lora->scale, 8.0);
}

TEST(ModuleTree, AdaptersAreFloat32OnA16BitBaseUnlessAskedOtherwise) {
  Method method = lora({"q_proj"});
  method.weightDtype = Dtype::BF16;
  auto tree = build(method);
  EXPECT_EQ(tree.find(kLayer1 + "self_attn.q_proj.weight")->dtype, Dtype::BF16);
  EXPECT_EQ(tree.find(kLayer1 + "self_attn.q_proj.lora_A.weight")->dtype, Dtype::F32);
  method.adapterDtype32 = false;
  EXPECT_EQ(build(method).find(kLayer1 + "self_attn.q_proj.lora_A.weight")->dtype, Dtype::BF16);
}

TEST(ModuleTree, TargetsThatCannotBeAreRefusedWithAHint) {
  EXPECT_NE(problem(lora({})).find("q_proj"), std::string::npos);
  EXPECT_NE(problem(lora({"nothing"})).find("matches no module"), std::string::npos);
  EXPECT_NE(problem(lora({"self_attn"})).find("not a layer that can carry LoRA"), std::string::npos);
  EXPECT_NE(problem(lora({"input_layernorm"})).find("modules_to_save"), std::string::npos);
  Method bad = lora({"q_proj"});
  bad.rankPattern = {{"q_proj", 0}};
  EXPECT_NE(problem(bad).find("rank 0"), std::string::npos);
  bad = lora({});
  bad.targets.pattern = "(";
  EXPECT_NE(problem(bad).find("target_modules"), std::string::npos);
  bad.targets.pattern = ".*q_proj";
  bad.layersToTransform = {1};
  EXPECT_NE(problem(bad).find("layers_to_transform"), std::string::npos);
  bad = lora({"q_proj"});
  bad.layersToTransform = {99};
  EXPECT_NE(problem(bad).find("layers_to_transform: none of the modules"), std::string::npos) << problem(bad);
  bad = lora({"q_proj"});
  bad.layersPattern = {"layers"};
  EXPECT_NE(problem(bad).find("layers_pattern"), std::string::npos);
  bad = lora({"q_proj"});
  bad.exclude.pattern = ".*";
  EXPECT_NE(problem(bad).find("excluded"), std::string::npos);
  bad = lora({"q_proj"});
  bad.modulesToSave = {"no_such_module"};
  EXPECT_NE(problem(bad).find("modules_to_save"), std::string::npos);
}

TEST(ModuleTree, NamesThatHitNothingAreNoted) {
  const auto tree = build(lora({"o_proj", "c_attn"}));
  EXPECT_TRUE(std::any_of(tree.notes.begin(), tree.notes.end(),
                          [](const std::string& note) { return note.find("c_attn") != std::string::npos; }));
}

TEST(ModuleTree, AnUntiedHeadIsATensorOfItsOwn) {
  auto config = smallConfig();
  config.tieWordEmbeddings = false;
  const auto tree = buildModuleTree(config, full()).value();
  ASSERT_NE(tree.find("lm_head.weight"), nullptr);
  EXPECT_EQ(build(full()).find("lm_head.weight"), nullptr);
}

}  // namespace
}  // namespace roadtune::model
