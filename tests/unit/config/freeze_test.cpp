// SPDX-License-Identifier: GPL-3.0-or-later
// Resolved and frozen copies read back to the same configuration.
#include "core/base/files.h"
#include "core/config/dump.h"
#include "core/config/presets.h"
#include "tests/unit/config/support.h"

#include <cstdlib>
#include <random>

namespace roadtune::config {
namespace {

void expectFaithful(const Document& document, const RunConfig& run, const std::string& copy) {
  // In another folder and without the variables: a copy stands on its own.
  const Resolution again = resolve(Document(copy, "/elsewhere/deep/run.yaml"), {Purpose::Editing, {}});
  ASSERT_TRUE(again.config) << toText(again.problems) << "\n" << copy;
  EXPECT_TRUE(*again.config == run) << document.text() << "\n----\n" << copy;
  EXPECT_EQ(again.config->hash(), run.hash());
  for (const auto& field : schema())
    EXPECT_EQ(again.config->isSet(field.name), run.isSet(field.name)) << field.name << "\n" << copy;
}

void expectFaithfulCopies(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const Document document(text, "/project/run.yaml");
  const Resolution resolution = resolve(document, {Purpose::Editing, overrides});
  ASSERT_TRUE(resolution.config) << toText(resolution.problems) << "\n" << text;
  expectFaithful(document, *resolution.config, resolvedYaml(*resolution.config));
  expectFaithful(document, *resolution.config, frozenYaml(document, *resolution.config));
}

TEST(FrozenCopy, KeepsTheUsersCommentsAndOrder) {
  const Document document("# night walkers\nlearning_rate: 1e-5   # tuned\nmodel_name_or_path: ../m\nseed: 3\n",
                          "/project/run.yaml");
  const RunConfig run = *resolve(document, {Purpose::Editing, {"seed=4", "bf16=true"}}).config;
  const std::string frozen = frozenYaml(document, run);
  EXPECT_EQ(
      frozen.find("# night walkers\nlearning_rate: 1e-5   # tuned\nmodel_name_or_path: /m\nseed: 4\nbf16: true\n"), 0u)
      << frozen;
  EXPECT_NE(frozen.find("weight_decay: 0 "), std::string::npos);
  EXPECT_NE(frozen.find("# default"), std::string::npos);
  expectFaithful(document, run, frozen);
}

TEST(FrozenCopy, WhatIsEditedInItIsGiven) {
  const auto given = [](const Document& document) {
    return resolve(document, {Purpose::Editing, {}}).config->isSet("master_port");
  };
  const Document empty("seed: 3\n", "/project/run.yaml");
  const std::string frozen = frozenYaml(empty, *resolve(empty, {Purpose::Editing, {}}).config);
  Document document(frozen, "/project/run.yaml");
  EXPECT_FALSE(given(document));
  ASSERT_TRUE(document.set("master_port", std::int64_t{29600}).ok());
  EXPECT_TRUE(given(document));
  EXPECT_NE(document.text().find("\nmaster_port: 29600\n"), std::string::npos) << document.text();
  std::string byHand = frozen;
  byHand.replace(byHand.find("master_port: 29500"), 18, "master_port: 29600");  // with "# default" behind it
  EXPECT_TRUE(given(Document(byHand, "/project/run.yaml")));
}

TEST(FrozenCopy, NamesEveryKey) {
  const std::string resolved = resolvedYaml(RunConfig());
  for (const auto& field : schema())
    EXPECT_NE(resolved.find("\n  " + field.name + ": "), std::string::npos) << field.name;
  for (const Section section : allSections())
    EXPECT_NE(resolved.find("\n" + sectionName(section) + ":\n"), std::string::npos);
}

TEST(FrozenCopy, OfSpecialFilesIsFaithful) {
  ::setenv("ROADTUNE_TEST_ROOT", "/big", 1);
  expectFaithfulCopies("");
  expectFaithfulCopies("{seed: 1}\n");
  expectFaithfulCopies("output_dir: ${ROADTUNE_TEST_ROOT}/x\nprompt_template: $${classes} here\n");
  expectFaithfulCopies("train_data: [{path: a, weight: 2}, b]\neval_data: c\n");
  expectFaithfulCopies("finetuning_type: lora\nload_in_4bit: true\ntarget_modules: all-linear\n");
  expectFaithfulCopies("quantization_bit: 4\nlora_target: all\n");
  expectFaithfulCopies("adapter: qlora\nlora_target_linear: true\n");
  expectFaithfulCopies("eval_strategy: no\ninit_lora_weights: false\nrun_name: \"123\"\n");
  expectFaithfulCopies("finetune_vision_layers: false\n", {"freeze_vision_tower=false"});
  expectFaithfulCopies("seed: &s 3\nmax_steps: *s\n", {"seed=4"});
  expectFaithfulCopies("modules: {a: full, b: {method: lora, r: 4}}\n", {"modules.c=frozen"});
  expectFaithfulCopies("train: {seed: 1}\noutput:\n  output_dir: x\n...\n");
  expectFaithfulCopies("metric_for_best_model: ap50\n");
  expectFaithfulCopies("seed: 3\n", {"seed="});
}

TEST(FrozenCopy, OfPresetsIsFaithful) {
  for (const auto& preset : presets()) expectFaithfulCopies(preset.yaml);
}

// A random value that the field accepts.
std::string randomYaml(const Field& field, std::mt19937& random) {
  const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const double low = field.minimum.value_or(0), high = std::min(field.maximum.value_or(1000), low + 1000);
  const double share = (static_cast<double>(pick(98)) + 1) / 100;
  switch (field.type) {
    case FieldType::Flag: return pick(2) ? "true" : "no";
    case FieldType::Choice: return field.choices[pick(field.choices.size())];
    case FieldType::Integer:
      return toYaml(static_cast<std::int64_t>(std::max(low, 1.0) + share * (high - std::max(low, 1.0))));
    case FieldType::Number:
      return toYaml(high <= 1 ? low + share * (high - low) : std::floor(low + 1 + share * (high - low - 1)));
    case FieldType::Text:
      return toYaml(Value(std::vector<std::string>{"plain", "with: colon", "# hash", "yes", "${X", "é\"q"}[pick(6)]));
    case FieldType::Path: return std::vector<std::string>{"/a/b", "rel/x", "../up", "'sp ace'"}[pick(4)];
    case FieldType::List:
      return field.choices.empty() ? "[a, 'b: c', \"1\"]" : "[" + field.choices[pick(field.choices.size())] + "]";
    case FieldType::Integers: return "[3, 1]";
    case FieldType::TextOrList: return pick(2) ? "[q_proj, v_proj]" : "'.*q_(proj|x)'";
    case FieldType::Map: return field.name == "environment" ? "{A: '1', B: x}" : "{}";
    case FieldType::Sources:
      return std::vector<std::string>{"a.jsonl", "[a, /b]", "[{path: a, weight: 2.5, query: 'n>1'}]"}[pick(3)];
    case FieldType::Overrides: return "{vision_tower: frozen, x.y: {method: lora, r: 2}}";
  }
  return "null";
}

TEST(FrozenCopy, OfRandomConfigurationsIsFaithful) {
  std::mt19937 random(11);
  int tried = 0;
  for (int round = 0; round < 200; ++round) {
    std::map<Section, std::string> sections;
    std::string flat;
    for (const auto& field : schema()) {
      if (random() % 6 != 0) continue;
      const std::string yaml = randomYaml(field, random);
      const std::string comment = random() % 3 == 0 ? "  # note " + std::to_string(round) : "";
      if (round % 2)
        flat += field.name + ": " + yaml + comment + "\n";
      else
        sections[field.section] += "  " + field.name + ": " + yaml + comment + "\n";
    }
    std::string text = flat;
    for (const auto& [section, lines] : sections) text += sectionName(section) + ":\n" + lines;
    if (!resolveText(text).config) continue;  // chance made a contradiction
    ++tried;
    expectFaithfulCopies(text);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GE(tried, 10);
}

TEST(Hash, DependsOnValuesAndNotOnTheirSpelling) {
  const std::string one = goodRun("learning_rate: 1e-5\nlora_r: 8\n").hash();
  EXPECT_EQ(one, goodRun("train:\n  lr: 0.00001\n").hash());
  EXPECT_NE(one, goodRun("learning_rate: 1.0001e-5\n").hash());
  EXPECT_EQ(one.size(), 64u);
}

}  // namespace
}  // namespace roadtune::config
