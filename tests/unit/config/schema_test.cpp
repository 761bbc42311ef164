// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/schema.h"

#include "core/config/convert.h"
#include "core/config/dump.h"
#include "core/config/foreign_keys.h"
#include "core/config/run_config.h"

#include <gtest/gtest.h>

#include <set>

namespace roadtune::config {
namespace {

TEST(Schema, HasTheKeysOfThoseWhoComeFromElsewhere) {
  EXPECT_GE(schema().size(), 90u);
  for (const char* name : {"learning_rate",
                           "lr_scheduler_type",
                           "warmup_ratio",
                           "weight_decay",
                           "adam_beta2",
                           "max_grad_norm",
                           "num_train_epochs",
                           "max_steps",
                           "per_device_train_batch_size",
                           "gradient_accumulation_steps",
                           "bf16",
                           "save_total_limit",
                           "seed",
                           "r",
                           "lora_alpha",
                           "target_modules",
                           "modules_to_save",
                           "rank_pattern",
                           "use_rslora",
                           "use_dora",
                           "load_in_4bit",
                           "bnb_4bit_quant_type",
                           "bnb_4bit_use_double_quant",
                           "bnb_4bit_compute_dtype",
                           "freeze_vision_tower",
                           "output_dir"}) {
    ASSERT_NE(findField(name), nullptr) << name;
    EXPECT_EQ(findField(name)->name, name);
  }
}

TEST(Schema, SaysOfEveryFieldWithoutAValueWhatThatMeans) {
  for (const auto& field : schema()) {
    if (!field.required) EXPECT_EQ(field.unset.empty(), !field.defaultValue.isNull()) << field.name;
    const bool number = field.type == FieldType::Integer || field.type == FieldType::Number;
    if (number) EXPECT_LE(field.unset.size(), 16u) << field.name << "'s editor is narrow";
  }
}

TEST(Schema, NoNameMeansTwoThings) {
  std::set<std::string> names;
  for (const auto& field : schema()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_EQ(findForeignKey(field.name), nullptr) << field.name;
    for (const auto& alias : field.aliases) {
      EXPECT_TRUE(names.insert(alias.name).second) << alias.name;
      EXPECT_EQ(findForeignKey(alias.name), nullptr) << alias.name;
    }
  }
}

TEST(Schema, EveryFieldExplainsItself) {
  for (const auto& field : schema()) {
    EXPECT_GE(field.help.size(), 15u) << field.name;
    EXPECT_TRUE(field.help.ends_with('.')) << field.name << ": " << field.help;
    EXPECT_EQ(field.help.find('\n'), std::string::npos) << field.name;
  }
}

TEST(Schema, ConditionsNameFieldsAndValuesThatExist) {
  for (const auto& field : schema())
    for (const auto& condition : field.visibleWhen) {
      const Field* other = findField(condition.field);
      ASSERT_NE(other, nullptr) << field.name;
      EXPECT_EQ(other->name, condition.field);
      if (other->type != FieldType::Choice) continue;
      for (const auto& value : condition.values)
        EXPECT_NE(std::find(other->choices.begin(), other->choices.end(), value), other->choices.end()) << field.name;
    }
}

TEST(Schema, DefaultsPassTheirOwnChecks) {
  for (const auto& field : schema()) {
    if (field.defaultValue.isNull()) continue;
    const YamlTree tree = parseYaml(yamlOf(field, field.defaultValue));
    ASSERT_FALSE(tree.error) << field.name;
    std::vector<Problem> problems;
    const auto value = Converter("", "", problems).convert(field, AliasRule::Same, field.name, tree.root);
    ASSERT_TRUE(value) << field.name << ": " << toText(problems);
    EXPECT_EQ(*value, field.defaultValue) << field.name;
  }
}

TEST(Schema, AliasesLeadToTheField) {
  EXPECT_EQ(findField("micro_batch_size")->name, "per_device_train_batch_size");
  EXPECT_EQ(findField("lora_rank")->name, "r");
  EXPECT_EQ(findField("vit_lr")->name, "vision_tower_learning_rate");
  EXPECT_EQ(findField("cutoff_len")->name, "max_length");
  EXPECT_EQ(findField("nonsense"), nullptr);
}

TEST(Schema, NearestNameIsWhatWasMeant) {
  EXPECT_EQ(nearestFieldName("learning_rat"), "learning_rate");
  EXPECT_EQ(nearestFieldName("LearningRate"), "learning_rate");
  EXPECT_EQ(nearestFieldName("gradient_acumulation_steps"), "gradient_accumulation_steps");
  EXPECT_EQ(nearestFieldName("micro_batch_siz"), "micro_batch_size");
  EXPECT_EQ(nearestFieldName("qqqqqqqqqqqqqqqq"), "");
}

TEST(Schema, EverySectionHasNameAndFields) {
  for (const Section section : allSections()) {
    EXPECT_FALSE(sectionName(section).empty());
    EXPECT_FALSE(sectionTitle(section).empty());
    EXPECT_TRUE(
        std::any_of(schema().begin(), schema().end(), [&](const Field& f) { return f.section == section && f.basic; }));
  }
}

TEST(RunConfigDeath, AnUnknownNameIsOurMistake) {
  const RunConfig run;
  EXPECT_DEATH(run.text("no_such_key"), "no_such_key");
  EXPECT_DEATH(run.flag("learning_rate"), "learning_rate");
}

}  // namespace
}  // namespace roadtune::config
