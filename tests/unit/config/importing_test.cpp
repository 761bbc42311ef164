// SPDX-License-Identifier: GPL-3.0-or-later
// Files of other trainers, turned into ours: what they say, in words that mean something else there, and what they
// leave out.
#include "core/config/importing.h"

#include "core/base/text.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/config/support.h"

#include <gmock/gmock.h>

namespace roadtune::config {
namespace {

using ::testing::HasSubstr;

TEST(Import, ReadsPeftAdapterConfigurations) {
  const auto config =
      imported("adapter_config.json", R"({"peft_type": "LORA", "task_type": "CAUSAL_LM", "r": 16, "lora_alpha": 32,
    "lora_dropout": 0.05, "target_modules": ["q_proj", "v_proj"], "bias": "none", "base_model_name_or_path": "google/paligemma2-3b-pt-224",
    "modules_to_save": null, "use_rslora": true, "rank_pattern": {"q_proj": 4}, "alpha_pattern": {}, "inference_mode": true,
    "layers_to_transform": null, "init_lora_weights": true, "loftq_config": {}, "peft_version": "0.21.2"})");
  EXPECT_EQ(config.format, "PEFT adapter");
  const RunConfig run = goodRun(config.yaml);
  EXPECT_EQ(run.text("finetuning_type"), "lora");
  EXPECT_EQ(run.integer("r"), 16);
  EXPECT_EQ(run.number("lora_dropout"), 0.05);
  EXPECT_TRUE(run.flag("use_rslora"));
  EXPECT_EQ(run.numberMap("rank_pattern")[0].second, 4);
  EXPECT_EQ(config.yaml.find("init_lora_weights: true"), std::string::npos) << config.yaml;
}

TEST(Import, ReadsLlamaFactoryWithItsDefaults) {
  const auto config = imported("sft.yaml",
                               "stage: sft\nmodel_name_or_path: /m\nfinetuning_type: lora\nlora_rank: 16\ndataset: "
                               "mine\ncutoff_len: 512\nval_size: 0.1\n");
  EXPECT_EQ(config.format, "LLaMA-Factory");
  const RunConfig run = goodRun(config.yaml);
  EXPECT_EQ(run.text("target_modules"), "all-linear");
  EXPECT_EQ(run.number("lora_alpha"), 32);
  EXPECT_TRUE(run.flag("freeze_vision_tower"));
  EXPECT_EQ(run.text("exclude_modules"), ".*(vision_tower|multi_modal_projector).*") << "adapters stay out of it";
  EXPECT_FALSE(run.flag("freeze_language_model"));
  EXPECT_EQ(run.number("eval_fraction"), 0.1);
  EXPECT_FALSE(config.notes.empty());
}

TEST(Import, FourBitsOfOtherTrainersHaveTheirScalesInEightBits) {
  const auto four = [](const char* file, const std::string& text) {
    return goodRun(imported(file, text).yaml).flag("bnb_4bit_use_double_quant");
  };
  const std::string llamaFactory = "stage: sft\nmodel_name_or_path: /m\ndataset: mine\n";
  EXPECT_TRUE(four("sft.yaml", llamaFactory + "quantization_bit: 4\n"));
  EXPECT_FALSE(four("sft.yaml", llamaFactory + "quantization_bit: 4\ndouble_quantization: false\n"));
  EXPECT_FALSE(four("sft.yaml", llamaFactory));
  EXPECT_TRUE(four("args.yaml", "tuner_type: lora\nmodel: /m\ndataset: mine\nquant_bits: 4\nquant_method: bnb\n"));
}

TEST(Import, StepsOfMsSwiftAreOfSixteenSamplesOfAllProcesses) {
  const std::string said = "tuner_type: lora\nmodel: /m\ndataset: mine\nper_device_train_batch_size: 2\n";
  const auto accumulated = [](const std::string& text) {
    return goodRun(imported("args.yaml", text).yaml).integer("gradient_accumulation_steps");
  };
  EXPECT_EQ(accumulated(said), 8);
  EXPECT_EQ(accumulated(said + "nproc_per_node: 4\n"), 2);
}

TEST(Import, OfLayersThatLlamaFactoryWouldChooseNothingIsTrainedUntilTheyAreNamed) {
  const auto config = imported("sft.yaml", "stage: sft\nmodel_name_or_path: /m\nfinetuning_type: freeze\ndataset: a\n");
  EXPECT_THAT(config.yaml, HasSubstr("finetuning_type: full"));
  EXPECT_THAT(config.yaml, HasSubstr("freeze_language_model: true"));
  EXPECT_THAT(config.yaml, HasSubstr("# finetuning_type: 'freeze' trains some layers, which are named here"));
}

TEST(Import, SamplesOfEachSetAndOtherStagesOfLlamaFactoryAreSaid) {
  const auto config = imported("dpo.yaml",
                               "stage: dpo\nmodel_name_or_path: /m\ndataset: a.jsonl,b.jsonl\nmax_samples: 100\n"
                               "mix_strategy: interleave_under\n");
  EXPECT_THAT(config.yaml, HasSubstr("max_train_samples: 200"));
  EXPECT_THAT(config.yaml, HasSubstr("# max_samples: 100 of each of 2 sets"));
  EXPECT_THAT(config.yaml, HasSubstr("# stage: 'dpo' is not offered"));
  EXPECT_THAT(config.yaml, HasSubstr("# mix_strategy: sources are mixed by their weights"));
}

TEST(Import, TakesAnAdapterToStartFromWithoutTheDefaultsOfNewOnes) {
  const auto config =
      imported("sft.yaml", "stage: sft\nmodel_name_or_path: /m\nadapter_name_or_path: old\ndataset: mine\n");
  EXPECT_EQ(config.format, "LLaMA-Factory");
  EXPECT_EQ(goodRun(config.yaml).text("adapter_name_or_path"), "/project/old");
  for (const char* key : {"target_modules", "lora_alpha", "exclude_modules"})
    EXPECT_EQ(config.yaml.find(key), std::string::npos) << config.yaml;
}

TEST(Import, ReadsAxolotl) {
  const auto config = imported("ax.yaml",
                               "base_model: /m\nadapter: qlora\nload_in_4bit: true\ndatasets:\n  - path: d.jsonl\n    "
                               "type: alpaca\n    ds_type: json\n"
                               "lora_r: 32\nlora_target_modules: [q_proj]\nmicro_batch_size: 2\noptimizer: "
                               "lion_8bit\nspecial_tokens: {pad: x}\n"
                               "no_such_key: 3\n");
  EXPECT_EQ(config.format, "axolotl");
  const RunConfig run = goodRun(config.yaml);
  EXPECT_EQ(run.text("finetuning_type"), "qlora");
  EXPECT_EQ(run.sources("train_data")[0].path, "/project/d.jsonl");
  EXPECT_EQ(run.text("optim"), "adamw_torch_fused");
  EXPECT_NE(config.yaml.find("# optimizer: 'lion_8bit'"), std::string::npos) << config.yaml;
  EXPECT_NE(config.yaml.find("# no_such_key: unknown key"), std::string::npos);
}

TEST(Import, WhatSomebodyWantedIsNamedOfFilesThatSayEverything) {
  const auto config =
      imported("args.json", R"({"output_dir": "out", "learning_rate": 2e-05, "per_device_train_batch_size": 2,
    "push_to_hub": true, "hub_model_id": null, "label_names": ["labels"], "torch_compile": false, "skip_memory_metrics": true})");
  EXPECT_NE(config.yaml.find("# push_to_hub:"), std::string::npos) << config.yaml;
  EXPECT_NE(config.yaml.find("# label_names:"), std::string::npos) << config.yaml;
  for (const char* silent : {"hub_model_id", "torch_compile", "skip_memory_metrics"})
    EXPECT_EQ(config.yaml.find(silent), std::string::npos) << config.yaml;
}

TEST(Import, WhatAxolotlSaysOfASourceIsNamedWhereItIsLeftOut) {
  const std::string text =
      "base_model: /m\nadapter: lora\nlora_target_modules: [q_proj]\nlora_r: 8\nmicro_batch_size: 2\ndatasets:\n"
      "  - path: a.jsonl\n    split: train[:10%]\n    shards: 10\n  - {path: b.jsonl, type: chat_template, split: "
      "train}\n";
  const auto config = imported("ax.yaml", text);
  const RunConfig run = goodRun(config.yaml);
  ASSERT_EQ(run.sources("train_data").size(), 2u);
  EXPECT_EQ(run.sources("train_data")[1].path, "/project/b.jsonl");
  for (const char* said :
       {"all samples are taken: 'split: train[:10%]' is left out", "'shards: 10'", "'type' of a source"})
    EXPECT_NE(config.yaml.find(said), std::string::npos) << said << config.yaml;
  EXPECT_EQ(config.yaml.find("'split: train'"), std::string::npos) << config.yaml;
}

TEST(Import, FilesOfAxolotlTakeThePlaceOfTheirKind) {
  const auto config = imported("ax.yaml",
                               "base_model: /m\nadapter: lora\nlora_target_modules: [q_proj]\nlora_r: 8\ndatasets:\n"
                               "  - {path: json, data_files: a.jsonl}\n  - {path: json, data_files: [b.jsonl]}\n");
  const RunConfig run = goodRun(config.yaml);
  ASSERT_EQ(run.sources("train_data").size(), 2u);
  EXPECT_EQ(run.sources("train_data")[0].path, "/project/a.jsonl");
  EXPECT_EQ(run.sources("train_data")[1].path, "/project/b.jsonl");
}

TEST(Import, SetsOfLlamaFactoryStandBetweenCommas) {
  const auto config = imported("sft.yaml", "stage: sft\nmodel_name_or_path: /m\ndataset: a.jsonl, b.jsonl\n");
  const RunConfig run = goodRun(config.yaml);
  ASSERT_EQ(run.sources("train_data").size(), 2u);
  EXPECT_EQ(run.sources("train_data")[1].path, "/project/b.jsonl");
}

TEST(Import, SetsOfLlamaFactoryAreFoundInItsList) {
  const testing::TempFolder folder;
  folder.write("data/dataset_info.json", R"({"cars": {"file_name": "sub/cars.json"}, "hub": {"hf_hub_url": "a/b"}})");
  const auto file = folder.write("examples/lora/sft.yaml", "stage: sft\nmodel_name_or_path: /m\ndataset: cars,hub\n");
  const auto config = importConfig(file);
  ASSERT_TRUE(config.ok()) << config.error().text();
  EXPECT_THAT(config.value().yaml, HasSubstr((folder / "data/sub/cars.json").string()));
  EXPECT_THAT(config.value().yaml, HasSubstr("hub"));
}

TEST(Import, ReadsTrainingArguments) {
  const auto config = imported(
      "args.json", R"({"output_dir": "out", "learning_rate": 2e-05, "seed": 42, "eval_strategy": "no", "bf16": true,
    "lr_scheduler_type": "cosine", "deepspeed": null, "push_to_hub": false, "resume_from_checkpoint": null})");
  const RunConfig run = goodRun(config.yaml);
  EXPECT_EQ(run.number("learning_rate"), 2e-5);
  EXPECT_FALSE(run.isSet("seed"));
  EXPECT_EQ(run.text("lr_scheduler_type"), "cosine");
}

TEST(Import, RefusesWhatItCannotRead) {
  const testing::TempFolder folder;
  EXPECT_FALSE(importConfig(folder / "none.json").ok());
  EXPECT_FALSE(importConfig(folder.write("a.json", "{")).ok());
  EXPECT_FALSE(importConfig(folder.write("b.json", "[]")).ok());
  EXPECT_FALSE(importConfig(folder.write("c.json", "")).ok());
  EXPECT_FALSE(importConfig(folder.write("d.json", R"({"peft_type": "IA3"})")).ok());
}

TEST(Import, WordsOfAxolotlThatMeanSomethingThere) {
  const auto config = imported("ax.yaml",
                               "base_model: /m\nadapter: lora\nlora_target_linear: true\ndatasets: [{path: d.jsonl}]\n"
                               "bf16: auto\ntf32: auto\ngradient_checkpointing: offload\nval_set_size: 0.1\n"
                               "num_epochs: 2\nevals_per_epoch: 4\nsaves_per_epoch: 1\n");
  const RunConfig run = goodRun(config.yaml);
  EXPECT_TRUE(run.flag("bf16")) << "what cards of today can";
  EXPECT_TRUE(run.flag("gradient_checkpointing"));
  EXPECT_EQ(run.text("eval_strategy"), "steps");
  EXPECT_EQ(run.number("eval_steps"), 0.125) << "four times in each of two epochs";
  EXPECT_EQ(run.text("save_strategy"), "epoch");
  EXPECT_TRUE(config.notes.empty()) << config.yaml;
}

TEST(Import, WhatAxolotlMeansByWhatItLeavesOutIsWrittenOut) {
  const auto bare = imported("ax.yaml", "base_model: /m\ndatasets: [{path: d.jsonl}]\nevals_per_epoch: 2\n");
  const RunConfig run = goodRun(bare.yaml);
  EXPECT_EQ(run.integer("per_device_train_batch_size"), 1);
  EXPECT_EQ(run.number("num_train_epochs"), 1);
  EXPECT_EQ(run.text("lr_scheduler_type"), "cosine");
  EXPECT_EQ(run.number("warmup_ratio"), 0.03);
  EXPECT_EQ(run.text("eval_strategy"), "no");
  EXPECT_NE(bare.yaml.find("# evals_per_epoch: there is no data to evaluate on"), std::string::npos) << bare.yaml;
  const auto warm = imported("ax.yaml", "base_model: /m\ndatasets: [{path: d.jsonl}]\nwarmup_steps: 10\n");
  EXPECT_EQ(goodRun(warm.yaml).number("warmup_ratio"), 0) << "one of the two";
}

const std::string kUnsloth =
    "model: /m\ndata:\n  local_dataset: [./walkers.jsonl]\n  format_type: auto\n"
    "training:\n  training_type: lora\n  load_in_4bit: true\n  output_dir: out\n  num_epochs: 1\n"
    "  batch_size: 1\n  random_seed: 7\n  max_steps: 0\n  save_steps: 0\n  packing: false\n"
    "  train_on_completions: true\n  gradient_checkpointing: \"unsloth\"\n"
    "logging:\n  enable_wandb: false\n  log_frequency: 10\n";

TEST(Import, ReadsUnsloth) {
  const auto config = imported("un.yaml", kUnsloth +
                                              "lora:\n  lora_r: 32\n  target_modules: \"\"\n  vision_all_linear: true\n"
                                              "  use_loftq: false\n  finetune_vision_layers: false\n"
                                              "  finetune_attention_modules: true\n  finetune_mlp_modules: true\n");
  EXPECT_EQ(config.format, "Unsloth");
  const RunConfig run = goodRun(config.yaml);
  EXPECT_EQ(run.text("finetuning_type"), "qlora");
  EXPECT_EQ(run.sources("train_data")[0].path, "/project/walkers.jsonl");
  EXPECT_EQ(run.text("target_modules"), "all-linear");
  EXPECT_EQ(run.text("exclude_modules"), ".*(vision_tower|multi_modal_projector).*");
  EXPECT_EQ(run.integer("r"), 32);
  EXPECT_EQ(run.number("lora_alpha"), 16) << "its own default";
  EXPECT_EQ(run.integer("seed"), 7);
  EXPECT_EQ(run.text("save_strategy"), "no");
  EXPECT_EQ(run.number("logging_steps"), 10);
  EXPECT_TRUE(run.flag("gradient_checkpointing"));
  EXPECT_TRUE(run.flag("bf16"));
  EXPECT_EQ(run.number("learning_rate"), 2e-4);
  EXPECT_EQ(run.integer("gradient_accumulation_steps"), 4);
  ASSERT_FALSE(config.notes.empty());
  for (const auto& note : config.notes)
    EXPECT_EQ(note.message.rfind("has no effect", 0), 0u) << note.text() << " is lost";
}

TEST(Import, AWordThatManyUseIsNoMarkOfUnsloth) {
  EXPECT_EQ(imported("a.yaml", "model: /m\nrandom_seed: 3\n").format, "Hugging Face");
}

TEST(Import, SwitchesOfUnslothForLayersBecomeNames) {
  const auto attention =
      imported("un.yaml", kUnsloth + "lora:\n  target_modules: \"\"\n  finetune_mlp_modules: false\n");
  EXPECT_EQ(goodRun(attention.yaml).list("target_modules"),
            (std::vector<std::string>{"q_proj", "k_proj", "v_proj", "o_proj", "out_proj"}));
  const auto mlp = imported("un.yaml", kUnsloth +
                                           "lora:\n  vision_all_linear: true\n  finetune_attention_modules: false\n"
                                           "  finetune_mlp_modules: true\n");
  EXPECT_EQ(goodRun(mlp.yaml).list("target_modules"),
            (std::vector<std::string>{"gate_proj", "up_proj", "down_proj", "fc1", "fc2"}));
  const auto named = imported("un.yaml", kUnsloth + "lora:\n  target_modules: \"q_proj,v_proj\"\n");
  EXPECT_EQ(goodRun(named.yaml).list("target_modules"), (std::vector<std::string>{"q_proj", "v_proj"}));
}

TEST(Import, ReadsMsSwift) {
  const auto config = imported("sw.yaml",
                               "model: /m\ntrain_type: lora\ndataset:\n  - walkers.jsonl#500\ntorch_dtype: bfloat16\n"
                               "per_device_train_batch_size: 4\nsplit_dataset_ratio: 0.1\nmodel_author: swift\n"
                               "model_name: swift-robot\nsystem: 'You help.'\noutput_dir: out\n");
  EXPECT_EQ(config.format, "ms-swift");
  const RunConfig run = goodRun(config.yaml);
  EXPECT_EQ(run.text("model_name_or_path"), "/m");
  EXPECT_EQ(run.sources("train_data")[0].path, "/project/walkers.jsonl");
  EXPECT_EQ(run.number("lora_alpha"), 32);
  EXPECT_EQ(run.number("lora_dropout"), 0.05);
  EXPECT_EQ(run.text("exclude_modules"), ".*(vision_tower|multi_modal_projector).*");
  EXPECT_EQ(run.integer("gradient_accumulation_steps"), 4) << "16 samples a step";
  EXPECT_EQ(run.number("learning_rate"), 1e-4);
  EXPECT_EQ(run.number("weight_decay"), 0.1);
  EXPECT_TRUE(run.flag("bf16"));
  EXPECT_NE(config.yaml.find("# dataset: all samples are taken, not 500 (try: max_train_samples)"), std::string::npos)
      << config.yaml;
  EXPECT_EQ(run.number("eval_fraction"), 0.1);
  EXPECT_EQ(run.text("eval_strategy"), "steps") << "as often as it saves";
  const auto apart = imported("sw.yaml",
                              "model: /m\ntuner_type: lora\ndataset: a.jsonl\nval_dataset: [b.jsonl]\n"
                              "split_dataset_ratio: 0.01\nsave_strategy: epoch\n");
  EXPECT_FALSE(goodRun(apart.yaml).isSet("eval_fraction"));
  EXPECT_EQ(goodRun(apart.yaml).text("eval_strategy"), "epoch");
  const auto full = imported("sw.yaml", "model: /m\ntuner_type: full\ndataset: a.jsonl\nfreeze_vit: false\n");
  EXPECT_EQ(goodRun(full.yaml).number("learning_rate"), 1e-5);
  EXPECT_FALSE(goodRun(full.yaml).isSet("exclude_modules"));
}

TEST(Import, ReadsAutoTrain) {
  const std::string head =
      "task: vlm:vqa\nbase_model: /m\nproject_name: mine\nlog: tensorboard\nbackend: local\n"
      "data:\n  path: vqa.jsonl\n  train_split: train\n  column_mapping:\n    image_column: image\n"
      "hub:\n  username: ${NOBODY_SET_THIS}\n  push_to_hub: true\n";
  const auto config =
      imported("at.yaml", head +
                              "params:\n  epochs: 3\n  lr: 2e-5\n  mixed_precision: bf16\n  peft: true\n"
                              "  quantization: int4\n  scheduler: cosine\n");
  EXPECT_EQ(config.format, "AutoTrain");
  const RunConfig run = goodRun(config.yaml);
  EXPECT_EQ(run.text("task"), "vqa");
  EXPECT_EQ(run.text("output_dir"), "/project/mine");
  EXPECT_EQ(run.sources("train_data")[0].path, "/project/vqa.jsonl");
  EXPECT_EQ(run.text("finetuning_type"), "qlora");
  EXPECT_EQ(run.integer("r"), 16);
  EXPECT_TRUE(run.flag("bf16"));
  EXPECT_TRUE(run.flag("gradient_checkpointing"));
  EXPECT_EQ(run.integer("per_device_train_batch_size"), 2);
  const auto half = imported("at.yaml", head + "params: {mixed_precision: fp16, peft: true, quantization: null}\n");
  EXPECT_EQ(goodRun(half.yaml).text("finetuning_type"), "lora");
  EXPECT_NE(half.yaml.find("# mixed_precision: float16 is not offered (try: bf16: true)"), std::string::npos);
  EXPECT_EQ(goodRun(imported("at.yaml", head + "params: {epochs: 2}\n").yaml).text("finetuning_type"), "full");
}

TEST(Import, OfWhatAFileLeavesOutTheRunIsToldWhenItIsUsedAsItIs) {
  const auto warnings = warningsOf("base_model: /m\nadapter: lora\nlora_target_linear: true\nnum_epochs: 2\n");
  ASSERT_EQ(warnings.size(), 1u) << toText(warnings);
  EXPECT_EQ(warnings[0].message,
            "left out, and something else in axolotl than here: per_device_train_batch_size: 1, lr_scheduler_type: "
            "cosine, warmup_ratio: 0.03");
  EXPECT_EQ(warnings[0].hint, "`roadtune config import` writes it out");
  EXPECT_TRUE(goodRun(kUnsloth + "lora: {vision_all_linear: true}\n").isSet("train_data"))
      << "such a file works as it is";
}

// As pages print it: curly quotes that do not match, hard blanks, and under the name of a text.
TEST(Import, CodeCopiedFromAPageIsReadAsItWasTyped) {
  const auto config =
      imported("article.txt",
               "Let\u2019s train. It isn't hard:\n"
               "args = TrainingArguments(\u00a0\u00a0num_train_epochs=2,\u00a0\u00a0optim=\u201dadamw_hf\u2033,\n"
               "  output_dir=\u2018out\u2019, run_name=\"it\u2019s\")  # \u201cdone\u201d\n"
               "config = LoraConfig(r=4, target_modules=[\u201cq_proj\u201d, \"v_proj\"])\n"
               "model = get_peft_model(model, config)\n");
  const RunConfig run = goodRun(config.yaml + "model_name_or_path: /m\n");
  EXPECT_EQ(run.number("num_train_epochs"), 2);
  EXPECT_EQ(run.text("output_dir"), "/project/out");
  EXPECT_EQ(run.text("run_name"), "it\u2019s");
  EXPECT_EQ(run.list("target_modules"), (std::vector<std::string>{"q_proj", "v_proj"}));
}

}  // namespace
}  // namespace roadtune::config
