// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/module_tree.h"
#include "tests/unit/model/published.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace roadtune::model {
namespace {

using testing::PublishedModel;

class Published : public ::testing::TestWithParam<PublishedModel> {
 protected:
  PaliGemmaConfig config() const { return PaliGemmaConfig::fromText(GetParam().configJson(), "config.json").value(); }

  ModuleTree tree(FinetuningType type) const {
    Method method;
    method.type = type;
    method.load4bit = type == FinetuningType::Qlora;
    method.targets.names = {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"};
    return buildModuleTree(config(), method).value();
  }
};

TEST_P(Published, IsRecognisedByItsSizes) { EXPECT_EQ(config().name, GetParam().name); }

TEST_P(Published, CountsOfFullTrainingAreThoseOfPeft) {
  EXPECT_EQ(trainableLine(tree(FinetuningType::Full)), GetParam().fullLine);
}

TEST_P(Published, CountsOfSevenProjectionsAreThoseOfPeft) {
  EXPECT_EQ(trainableLine(tree(FinetuningType::Lora)), GetParam().loraLine);
}

TEST_P(Published, FourBitsDoNotChangeTheCounts) {
  EXPECT_EQ(trainableLine(tree(FinetuningType::Qlora)), GetParam().loraLine);
}

TEST_P(Published, TheTrapOfTheVisionTowerIsNoted) {
  const auto& notes = tree(FinetuningType::Lora).notes;
  EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
    return note.find("81 layers of the vision tower") != std::string::npos &&
           note.find("1,492,992") != std::string::npos;
  }));
}

INSTANTIATE_TEST_SUITE_P(Models, Published, ::testing::ValuesIn(testing::publishedModels()), [](const auto& each) {
  std::string name = each.param.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
});

std::size_t count(const ModuleTree& tree, bool (*wanted)(const Tensor&)) {
  return static_cast<std::size_t>(std::count_if(tree.tensors.begin(), tree.tensors.end(), wanted));
}

TEST(PublishedTensors, BaseAndAdapterCountsMatchTheCheckpoints) {
  const std::size_t base[] = {603, 727, 903, 947}, modules[] = {207, 263, 375, 403};
  const auto models = testing::publishedModels();
  for (std::size_t i = 0; i < 4; ++i) {
    const auto config = PaliGemmaConfig::fromText(models[3 * i].configJson(), "config.json").value();
    Method method;
    method.targets.names = {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"};
    const auto tree = buildModuleTree(config, method).value();
    EXPECT_EQ(count(tree, [](const Tensor& t) { return t.role == TensorRole::Base; }), base[i]);
    EXPECT_EQ(count(tree, [](const Tensor& t) { return t.role != TensorRole::Base; }), 2 * modules[i]);
  }
}

TEST(PublishedTensors, QuantisedElementsAreThoseOfTransformers) {
  const std::int64_t expected[] = {2'395'238'400, 2'438'000'640, 8'738'795'520, 26'463'006'720};
  const auto models = testing::publishedModels();
  for (std::size_t i = 0; i < 4; ++i) {
    Method method;
    method.type = FinetuningType::Qlora;
    method.targets.names = {"q_proj"};
    const auto config = PaliGemmaConfig::fromText(models[3 * i].configJson(), "config.json").value();
    const auto tree = buildModuleTree(config, method).value();
    std::int64_t elements = 0;
    for (const Tensor& tensor : tree.tensors) elements += tensor.nf4 ? tensor.elements() : 0;
    EXPECT_EQ(elements, expected[i]);
  }
}

TEST(PublishedTensors, AnOlderVocabularyHas64RowsFewer) {
  auto json = testing::publishedModels()[0].configJson();
  json.replace(json.find("257216"), 6, "257152");
  Method method;
  method.type = FinetuningType::Full;
  const auto tree = buildModuleTree(PaliGemmaConfig::fromText(json, "config.json").value(), method).value();
  EXPECT_EQ(tree.allParameters(), 2'923'335'408);
}

}  // namespace
}  // namespace roadtune::model
