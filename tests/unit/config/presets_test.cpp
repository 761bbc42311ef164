// SPDX-License-Identifier: GPL-3.0-or-later
// What comes with the program: presets, the starter file, the reference page.
#include "core/config/presets.h"

#include "core/base/text.h"
#include "core/config/difference.h"
#include "core/config/reference.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/config/support.h"

#include <algorithm>

namespace roadtune::config {
namespace {

TEST(Presets, AreTheOnesPromised) {
  for (const char* name :
       {"demo", "lora-r8", "qlora-nf4", "vqav2-frozen-vision", "waymo-detect-448", "waymo-full-multinode"})
    EXPECT_NE(findPreset(name), nullptr) << name;
  EXPECT_EQ(findPreset("none"), nullptr);
}

TEST(Presets, PassTheChecksWithoutAWarning) {
  for (const auto& preset : presets()) {
    const auto problems = check(Document(preset.yaml, "/p/" + preset.name + ".yaml"));
    EXPECT_TRUE(problems.empty()) << toText(problems);
  }
}

TEST(Presets, SayWhatHardwareTheyWerePlannedFor) {
  for (const auto& preset : presets()) {
    EXPECT_GE(preset.summary.size(), 20u) << preset.name;
    EXPECT_NE(preset.yaml.find("# Planned for: "), std::string::npos) << preset.name;
    EXPECT_TRUE(preset.yaml.find("Memory") != std::string::npos || preset.yaml.find("memory") != std::string::npos)
        << preset.name;
  }
}

TEST(Presets, EqualTheFilesInResources) {
  for (const auto& preset : presets())
    EXPECT_EQ(preset.yaml,
              testing::readAll(std::string(ROADTUNE_SOURCE_DIR) + "/resources/presets/" + preset.name + ".yaml"));
}

TEST(Presets, MultinodeUsesTheCorrectedRecipe) {
  const RunConfig run = *resolve(Document(findPreset("waymo-full-multinode")->yaml, "/p/x.yaml")).config;
  EXPECT_EQ(run.number("learning_rate"), 2e-5);
  EXPECT_EQ(run.number("weight_decay"), 1e-6);
  EXPECT_EQ(run.number("adam_beta2"), 0.999);
  EXPECT_EQ(run.warmupSteps(1000), 2);
  EXPECT_EQ(run.integer("per_device_train_batch_size"), 8);
  EXPECT_EQ(run.integer("gradient_accumulation_steps"), 2);
  EXPECT_GE(run.list("hosts").size(), 2u);
  EXPECT_TRUE(run.has("eval_data"));
}

// The documented example, every kind of key once.
TEST(Example, OfTheManualPassesTheChecks) {
  const std::string example = R"(
model_name_or_path: /models/paligemma2-3b-pt-224
output_dir: /runs/night-walkers
train_data: /data/train.jsonl
eval_data: /data/idx
task: detect
finetuning_type: lora
freeze_vision_tower: true
freeze_multi_modal_projector: true
freeze_language_model: false
r: 8
lora_alpha: 8
lora_dropout: 0.0
target_modules: [q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj]
modules: {language_model.layers.17: full}
load_in_4bit: false
per_device_train_batch_size: 16
gradient_accumulation_steps: 4
num_train_epochs: 2
learning_rate: 2.0e-5
lr_scheduler_type: linear
warmup_steps: 2
weight_decay: 1.0e-6
adam_beta2: 0.999
max_grad_norm: 1.0
bf16: true
dataloader_num_workers: 4
logging_steps: 100
save_steps: 1000
save_total_limit: 1
seed: 42
shuffle: true
)";
  const Resolution resolution = resolve(Document(example, "/p/run.yaml"));
  ASSERT_TRUE(resolution.config) << toText(resolution.problems);
  EXPECT_EQ(resolution.config->sources("train_data")[0].path, "/data/train.jsonl");
  EXPECT_EQ(resolution.config->moduleOverrides()[0], (ModuleOverride{"language_model.layers.17", "full"}));
  EXPECT_TRUE(resolution.config->flag("freeze_vision_tower"));
}

TEST(Starter, PassesTheChecksInBothForms) {
  for (const bool all : {false, true}) {
    const auto problems = check(Document(starterYaml(all), "/p/run.yaml"));
    EXPECT_TRUE(problems.empty()) << toText(problems);
  }
  for (const auto& field : schema())
    EXPECT_NE(starterYaml(true).find(field.name + ": "), std::string::npos) << field.name;
  for (const auto& line : split(starterYaml(true), '\n')) EXPECT_LE(line.size(), 130u) << line;
}

TEST(Starter, LeavesOpenWhatOnlyTheUserKnows) {
  Document document(starterYaml(false, {"model_name_or_path", "train_data"}), "/p/run.yaml");
  EXPECT_EQ(toText(check(document)).find("/models"), std::string::npos);
  EXPECT_EQ(check(document).size(), 2u) << toText(check(document));
  EXPECT_FALSE(document.contains("model_name_or_path"));
  ASSERT_TRUE(document.set("model_name_or_path", Value("/m")).ok());
  ASSERT_TRUE(document.set("train_data", Value("/d")).ok());
  EXPECT_TRUE(check(document).empty()) << toText(check(document)) << document.text();
}

TEST(Starter, TheOnlyKeyBelowAHeadingCanBeTakenOutAndComeBack) {
  Document data("data:\n  train_data: /d\ntrain:\n  seed: 7\n", "/p/run.yaml");
  ASSERT_TRUE(data.unset("train_data").ok());
  ASSERT_TRUE(data.set("train_data", Value("/e")).ok()) << data.text();
  Document document("model:\n  model_name_or_path: /m\ntrain:\n  seed: 7\n", "/p/run.yaml");
  ASSERT_TRUE(document.unset("model_name_or_path").ok());
  EXPECT_FALSE(document.contains("model_name_or_path"));
  EXPECT_EQ(document.text(), "train:\n  seed: 7\n");
  ASSERT_TRUE(document.set("model_name_or_path", Value("/n")).ok());
  EXPECT_NE(document.text().find("model:\n  model_name_or_path: /n"), std::string::npos) << document.text();
}

TEST(Reference, TheCommittedPageIsTheGeneratedOne) {
  const auto page =
      split(testing::readAll(std::string(ROADTUNE_SOURCE_DIR) + "/resources/docs/reference/configuration.md"), '\n');
  const auto generated = split(referenceMarkdown(), '\n');
  const std::string advice =
      "write it anew: roadtune config reference --out resources/docs/reference/configuration.md --force";
  for (std::size_t i = 0; i < std::min(page.size(), generated.size()); ++i) ASSERT_EQ(page[i], generated[i]) << advice;
  EXPECT_EQ(page.size(), generated.size()) << advice;
}

TEST(Reference, NamesEveryFieldAndAlias) {
  const std::string page = referenceMarkdown();
  for (const auto& field : schema()) {
    EXPECT_NE(page.find("### `" + field.name + "`"), std::string::npos) << field.name;
    for (const auto& alias : field.aliases) EXPECT_NE(page.find("`" + alias.name), std::string::npos) << alias.name;
  }
}

TEST(Difference, NamesWhatDiffers) {
  const auto list = differences(goodRun("seed: 1\nbf16: true\n"), goodRun("seed: 2\nbf16: yes\n"));
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].key, "seed");
  EXPECT_EQ(list[0].second, Value(2));
}

TEST(Paths, AreCheckedApart) {
  const testing::TempFolder folder;
  folder.write("model/config.json", "{}");
  folder.write("train.jsonl", "");
  const auto file =
      folder.write("run.yaml", "model_name_or_path: model\ntrain_data: train.jsonl\noutput_dir: runs/a/b\n");
  const auto good = loadRunConfig(file);
  ASSERT_TRUE(good.ok()) << good.error().text();
  EXPECT_TRUE(checkPaths(good.value()).empty()) << toText(checkPaths(good.value()));

  const auto bad = loadRunConfig(
      folder.write("bad.yaml",
                   "model_name_or_path: train.jsonl\ntrain_data: [none.jsonl, train.jsonl]\noutput_dir: train.jsonl/x\n"
                   "resume_from_checkpoint: checkpoint-1\ntokenizer_name_or_path: tok\n"));
  ASSERT_TRUE(bad.ok());
  const auto problems = checkPaths(bad.value());
  ASSERT_EQ(problems.size(), 5u) << toText(problems);
  EXPECT_EQ(problems[0].line, 1);
  EXPECT_NE(problems[0].message.find("not a folder"), std::string::npos);
  EXPECT_EQ(problems[2].key, "train_data");
}

TEST(Paths, ATokenizersFolderHoldsOne) {
  const testing::TempFolder folder;
  folder.write("model/config.json", "{}");
  folder.write("train.jsonl", "");
  folder.write("tok/README", "");
  const auto run = loadRunConfig(folder.write(
      "run.yaml", "model_name_or_path: model\ntrain_data: train.jsonl\noutput_dir: a\ntokenizer_name_or_path: tok\n"));
  ASSERT_TRUE(run.ok());
  EXPECT_NE(toText(checkPaths(run.value())).find("neither tokenizer.json nor tokenizer.model in"), std::string::npos);
  folder.write("tok/tokenizer.model", "");
  EXPECT_TRUE(checkPaths(run.value()).empty());
}

TEST(Paths, AnAdapterToStartFromIsWholeAndNoRun) {
  const testing::TempFolder folder;
  folder.write("model/config.json", "{}");
  folder.write("train.jsonl", "");
  const auto problems = [&](const std::string& adapter) {
    const auto run = loadRunConfig(folder.write(
        "run.yaml", "model_name_or_path: model\ntrain_data: train.jsonl\noutput_dir: runs/b\nadapter_name_or_path: " +
                        adapter + "\n"));
    EXPECT_TRUE(run.ok());
    return toText(checkPaths(run.value()));
  };
  EXPECT_NE(problems("a").find("no such folder"), std::string::npos);
  folder.write("a/adapter_model.bin", "");
  EXPECT_NE(problems("a").find("no adapter_config.json in"), std::string::npos);
  folder.write("a/adapter_config.json", "{}");
  EXPECT_NE(problems("a").find("safe_serialization"), std::string::npos);
  folder.write("a/adapter_model.safetensors", "");
  EXPECT_EQ(problems("a"), "");
  folder.write("runs/a/checkpoint-3/adapter_config.json", "{}");
  folder.write("runs/a/checkpoint-12/adapter_config.json", "{}");
  EXPECT_NE(problems("runs/a").find("(try: " + (folder / "runs/a/checkpoint-12").string()), std::string::npos);
  EXPECT_EQ(problems("gone\nresume_from_checkpoint: runs/a/checkpoint-3"), "") << "the run has an adapter of its own";
  EXPECT_NE(problems("gone\nresume_from_checkpoint: latest").find("no such folder"), std::string::npos) << "not yet";
  folder.write("runs/b/checkpoint-2/adapter_config.json", "{}");
  EXPECT_EQ(problems("gone\nresume_from_checkpoint: latest"), "");
}

TEST(Paths, ARunDoesNotOverwriteTheCheckpointThatItGoesOnFrom) {
  const testing::TempFolder folder;
  folder.write("model/config.json", "{}");
  folder.write("train.jsonl", "");
  const auto problems = [&](const std::string& from) {
    const auto run = loadRunConfig(folder.write("run.yaml",
                                                "model_name_or_path: model\ntrain_data: train.jsonl\noutput_dir: "
                                                "runs/a/\noverwrite_output_dir: true\nresume_from_checkpoint: " +
                                                    from + "\n"));
    EXPECT_TRUE(run.ok());
    EXPECT_EQ(checkOverwriting(run.value()).size(), checkPaths(run.value()).size());
    return toText(checkPaths(run.value()));
  };
  EXPECT_EQ(problems("latest"), "") << "nothing is there yet";
  folder.write("runs/a/checkpoint-3/COMPLETE", "");
  folder.write("runs/ab/checkpoint-3/COMPLETE", "");
  for (const char* from : {"latest", "runs/a/checkpoint-3", "runs/ab/../a/checkpoint-3/"})
    EXPECT_NE(problems(from).find("would delete the checkpoint"), std::string::npos) << from;
  EXPECT_EQ(problems("runs/ab/checkpoint-3"), "");
}

TEST(Paths, ARunDoesNotOverwriteWhatItReads) {
  const testing::TempFolder folder;
  for (const char* model : {"model", "runs/a/checkpoint-3", "runs/a/mine", "runs/a/checkpoint-1e3"}) {
    folder.write(std::string(model) + "/config.json", "{}");
    folder.write(std::string(model) + "/train.jsonl", "");
  }
  const auto problems = [&](const std::string& model, const std::string& data, bool overwrites = true) {
    const auto run = loadRunConfig(
        folder.write("run.yaml", "model_name_or_path: " + model + "\ntrain_data: " + data + "/train.jsonl\n" +
                                     "output_dir: runs/a\noverwrite_output_dir: " + (overwrites ? "true" : "false")));
    EXPECT_TRUE(run.ok());
    return toText(checkOverwriting(run.value()));
  };
  for (const char* kept : {"runs/a/mine", "runs/a/checkpoint-1e3"})
    EXPECT_EQ(problems("model", kept), "") << "what is the user's stays";
  EXPECT_EQ(problems("runs/a/checkpoint-3", "model", false), "");
  EXPECT_NE(problems("runs/a/checkpoint-3/", "model").find("would delete what model_name_or_path names"),
            std::string::npos);
  std::filesystem::create_directory_symlink("runs", folder / "linked");
  EXPECT_NE(problems("model", "linked/a/checkpoint-3").find("would delete what train_data names"), std::string::npos);
}

}  // namespace
}  // namespace roadtune::config
