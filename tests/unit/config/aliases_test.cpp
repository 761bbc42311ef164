// SPDX-License-Identifier: GPL-3.0-or-later
// Other trainers' spellings.
#include "tests/unit/config/support.h"

namespace roadtune::config {
namespace {

TEST(Aliases, ALlamaFactoryFileWorksAsPasted) {
  const RunConfig run = goodRun(
      "### model\nmodel_name_or_path: /m\ntrust_remote_code: true\n\n### method\nstage: sft\ndo_train: true\n"
      "finetuning_type: lora\nlora_rank: 16\nlora_target: all\nquantization_bit: 4\n\n### dataset\ntemplate: "
      "paligemma\ncutoff_len: 2048\n"
      "overwrite_cache: true\npreprocessing_num_workers: 16\n\n### train\nper_device_train_batch_size: 1\n"
      "gradient_accumulation_steps: 8\nlearning_rate: 1.0e-4\nnum_train_epochs: 3.0\nlr_scheduler_type: "
      "cosine\nwarmup_ratio: 0.1\n"
      "bf16: true\nddp_timeout: 180000000\nresume_from_checkpoint: null\n");
  EXPECT_EQ(run.text("finetuning_type"), "qlora");
  EXPECT_TRUE(run.flag("load_in_4bit"));
  EXPECT_EQ(run.text("target_modules"), "all-linear");
  EXPECT_EQ(run.integer("r"), 16);
  EXPECT_EQ(run.integer("max_length"), 2048);
  EXPECT_EQ(run.number("lora_alpha"), 32) << "twice the rank, as there";
  EXPECT_TRUE(run.flag("freeze_vision_tower"));
  EXPECT_EQ(run.text("exclude_modules"), ".*(vision_tower|multi_modal_projector).*");
  EXPECT_EQ(goodRun("stage: sft\nlora_rank: 16\nlora_alpha: 8\n").number("lora_alpha"), 8);
  EXPECT_EQ(goodRun("stage: sft\nfinetuning_type: full\n").text("exclude_modules"), "");
  EXPECT_EQ(goodRun("lora_rank: 16\n").number("lora_alpha"), 8) << "no file of theirs";
}

TEST(Aliases, AxolotlSpellingsAreUnderstood) {
  const RunConfig run = goodRun(
      "base_model: /m\nadapter: qlora\nload_in_4bit: true\nlora_r: 32\nlora_target_linear: true\n"
      "micro_batch_size: 2\nnum_epochs: 4\noptimizer: adamw_torch\nlr_scheduler: cosine\nsequence_len: "
      "1024\nwandb_project:\n");
  EXPECT_EQ(run.text("finetuning_type"), "qlora");
  EXPECT_EQ(run.text("target_modules"), "all-linear");
  EXPECT_EQ(run.integer("per_device_train_batch_size"), 2);
  EXPECT_EQ(run.text("optim"), "adamw_torch");
  EXPECT_EQ(goodRun("adapter:\n").text("finetuning_type"), "full");
  EXPECT_EQ(goodRun("base_model: /m\nmicro_batch_size: 2\n").text("finetuning_type"), "full") << "as there";
}

TEST(Aliases, WhatProgramsWriteOfThingsNeverSetIsNothing) {
  EXPECT_EQ(goodRun("base_model: /m\nadapter: lora\nlora_target_linear: true\nfp16:\nwarmup_ratio:\n").flag("fp16"),
            false);
  EXPECT_EQ(goodRun("fp16: null\nddp_bucket_cap_mb: ~\nlearning_rate: null\n").number("learning_rate"), 5e-5);
  EXPECT_NE(onlyError("learning_rate:\n").message.find("has no value"), std::string::npos) << "but not half a line";
  const RunConfig both = goodRun("{\"gradient_checkpointing\": true, \"activation_checkpointing\": true}");
  EXPECT_TRUE(both.flag("gradient_checkpointing"));
  EXPECT_NE(onlyError("r: 8\nlora_r: 16\n").message.find("already set"), std::string::npos);
}

// One spelling with a value and another without: as axolotl's files and peft's have them.
TEST(Aliases, ASpellingWithoutAValueGivesWayToOneThatHasOne) {
  EXPECT_EQ(goodRun("adapter: lora\nlora_target_modules:\nlora_target_linear: true\n").text("target_modules"),
            "all-linear");
  for (const char* both : {"lora_r: ~\nr: 16\n", "r: 16\nlora_r: ~\n"})
    EXPECT_EQ(goodRun(both).integer("r"), 16) << both;
  EXPECT_EQ(goodRun("base_model_name_or_path: null\nmodel_name_or_path: /m\n").text("model_name_or_path"), "/m");
  EXPECT_EQ(goodRun("finetuning_type: lora\nadapter:\ntarget_modules: [q_proj]\n").text("finetuning_type"), "lora");
}

TEST(Aliases, TheReferencesDefaultsOfThingsThatAreNotOfferedAreNoErrors) {
  EXPECT_TRUE(goodRun("train_sampling_strategy: random\n").flag("shuffle"));
  EXPECT_FALSE(goodRun("train_sampling_strategy: sequential\n").flag("shuffle"));
  EXPECT_NE(onlyError("train_sampling_strategy: group_by_length\n").message.find("not sorted"), std::string::npos);
  EXPECT_TRUE(errorsOf("trackio_static_space_id: null\nllm_int8_threshold: 6.0\nstrict: false\nplugins:\n").empty());
  const RunConfig json = goodRun("lr_scheduler_type: cosine\nlr_scheduler_kwargs: '{\"num_cycles\": 2}'\n");
  EXPECT_EQ(json.numberMap("lr_scheduler_kwargs")[0].second, 2);
  EXPECT_EQ(onlyError("lr_scheduler_type: cosine\nlr_scheduler_kwargs: '{oops'\n").key, "lr_scheduler_kwargs");
}

TEST(Aliases, OptimizersOfOtherTrainersAreUnderstood) {
  for (const auto& [theirs, ours] : {std::pair{"adamw_hf", "adamw_torch"},
                                     {"paged_adamw_32bit", "adamw_torch_fused"},
                                     {"adamw_bnb_8bit", "adamw_8bit"},
                                     {"paged_adamw_8bit", "adamw_8bit"}})
    EXPECT_EQ(goodRun(std::string("optim: ") + theirs + "\n").text("optim"), ours) << theirs;
}

TEST(Aliases, UnslothAndMsSwiftSpellingsAreUnderstood) {
  const RunConfig run = goodRun(
      "finetune_vision_layers: false\nfinetune_language_layers: true\nfreeze_aligner: true\nvit_lr: 1e-6\n"
      "aligner_lr: 1e-5\nmax_seq_length: 512\n");
  EXPECT_TRUE(run.flag("freeze_vision_tower"));
  EXPECT_FALSE(run.flag("freeze_language_model"));
  EXPECT_TRUE(run.flag("freeze_multi_modal_projector"));
  EXPECT_EQ(run.number("vision_tower_learning_rate"), 1e-6);
  EXPECT_EQ(run.number("multi_modal_projector_learning_rate"), 1e-5);
}

TEST(Aliases, BitsOtherThanFourAreRefused) {
  EXPECT_FALSE(goodRun("quant_bits: 0\n").flag("load_in_4bit"));
  EXPECT_FALSE(goodRun("quantization_bit: null\n").flag("load_in_4bit"));
  EXPECT_EQ(onlyError("quantization_bit: 8\n").hint, "4");
  EXPECT_NE(onlyError("quantization_bit: few\n").message.find("a whole number"), std::string::npos);
}

TEST(Aliases, TwoSpellingsOfOneKeyAreAnError) {
  const Problem problem = onlyError("per_device_train_batch_size: 4\nmicro_batch_size: 2\n");
  EXPECT_EQ(problem.line, 2);
  EXPECT_EQ(problem.key, "micro_batch_size");
  EXPECT_NE(problem.message.find("line 1"), std::string::npos);
}

TEST(Aliases, ProblemsSpeakTheSpellingOfTheFile) {
  EXPECT_EQ(onlyError("micro_batch_size: 0\n").key, "micro_batch_size");
}

TEST(Aliases, OtherWordsForTheSameChoice) {
  EXPECT_EQ(goodRun("torch_dtype: bf16\n").text("torch_dtype"), "bfloat16");
  EXPECT_EQ(goodRun("dtype: torch.float32\n").text("torch_dtype"), "float32");
  EXPECT_EQ(goodRun("device: gpu\n").text("device"), "cuda");
  EXPECT_EQ(goodRun("sharding: fsdp\n").text("sharding"), "sharded");
}

TEST(ForeignKeys, WithoutUseAreNamedAndPass) {
  const auto warnings = warningsOf("push_to_hub: true\nseed: 1\n");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].key, "push_to_hub");
  EXPECT_NE(warnings[0].text().find(":1:1: warning: push_to_hub: has no effect"), std::string::npos);
}

TEST(ForeignKeys, ThatWouldChangeTheTrainingAreRefusedUnlessOff) {
  EXPECT_EQ(onlyError("deepspeed: ds_z3.json\n").hint, "sharding: sharded");
  EXPECT_EQ(onlyError("load_in_8bit: true\n").key, "load_in_8bit");
  EXPECT_TRUE(errorsOf("deepspeed: null\nload_in_8bit: false\nval_size: 0.0\npacking: no\nfsdp: ''\nfsdp_config: {}\n")
                  .empty());
}

}  // namespace
}  // namespace roadtune::config
