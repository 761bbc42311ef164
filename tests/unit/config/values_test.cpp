// SPDX-License-Identifier: GPL-3.0-or-later
// Single values: types, ranges, spellings, places.
#include "tests/unit/config/support.h"

#include <cstdlib>

namespace roadtune::config {
namespace {

TEST(ConfigValues, DefaultsAreThoseOfTheTrainer) {
  const RunConfig run = goodRun("");
  EXPECT_EQ(run.number("learning_rate"), 5e-5);
  EXPECT_EQ(run.integer("max_steps"), -1);
  EXPECT_EQ(run.number("num_train_epochs"), 3.0);
  EXPECT_EQ(run.integer("per_device_train_batch_size"), 8);
  EXPECT_EQ(run.number("adam_beta2"), 0.999);
  EXPECT_EQ(run.text("lr_scheduler_type"), "linear");
  EXPECT_FALSE(run.flag("bf16"));
  EXPECT_FALSE(run.isSet("learning_rate"));
  EXPECT_FALSE(run.has("eval_data"));
}

TEST(ConfigValues, FlatAndGroupedFilesMeanTheSame) {
  const RunConfig flat =
      goodRun("learning_rate: 1e-5\nr: 16\nfinetuning_type: lora\ntarget_modules: [q_proj]\noutput_dir: out\n");
  const RunConfig grouped = goodRun(
      "train:\n  learning_rate: 1e-5\nmethod:\n  finetuning_type: lora\n  lora:\n    r: 16\n"
      "    target_modules: [q_proj]\noutput:\n  output_dir: out\n");
  EXPECT_EQ(flat, grouped);
  EXPECT_EQ(flat.hash(), grouped.hash());
  EXPECT_EQ(flat.text("output_dir"), "/project/out");
}

TEST(ConfigValues, ShortNamesWorkBelowTheirHeading) {
  const RunConfig run = goodRun(
      "finetuning_type: lora\nlora: {rank: 4, alpha: 8, dropout: 0.1, bias: all, target_modules: [q_proj]}\n"
      "logging: {steps: 7}\nsave: {strategy: epoch}\neval: {batch_size: 3}\ndataloader: {num_workers: 2}\n"
      "optimizer: {beta2: 0.95}\nscheduler: {type: cosine}\n");
  EXPECT_EQ(run.integer("r"), 4);
  EXPECT_EQ(run.number("lora_alpha"), 8);
  EXPECT_EQ(run.number("lora_dropout"), 0.1);
  EXPECT_EQ(run.text("bias"), "all");
  EXPECT_EQ(run.number("logging_steps"), 7);
  EXPECT_EQ(run.text("save_strategy"), "epoch");
  EXPECT_EQ(run.integer("per_device_eval_batch_size"), 3);
  EXPECT_EQ(run.integer("per_device_train_batch_size"), 8);
  EXPECT_EQ(run.integer("dataloader_num_workers"), 2);
  EXPECT_EQ(run.number("adam_beta2"), 0.95);
  EXPECT_EQ(run.text("lr_scheduler_type"), "cosine");
}

TEST(ConfigValues, WrongTypeNamesKeyPlaceAndExpectation) {
  const Problem problem = onlyError("# a comment\nseed: 1\nmax_steps: many\n");
  EXPECT_EQ(problem.line, 3);
  EXPECT_EQ(problem.column, 12);
  EXPECT_EQ(problem.key, "max_steps");
  EXPECT_NE(problem.message.find("a whole number"), std::string::npos);
  EXPECT_NE(problem.message.find("'many'"), std::string::npos);
  EXPECT_EQ(problem.text().find("/project/run.yaml:3:12: max_steps: expected"), 0u) << problem.text();
}

TEST(ConfigValues, WrongKindsAreNamed) {
  EXPECT_NE(onlyError("learning_rate: [1, 2]\n").message.find("found a list"), std::string::npos);
  EXPECT_NE(onlyError("seed: {a: 1}\n").message.find("found a map"), std::string::npos);
  EXPECT_NE(onlyError("bf16: perhaps\n").message.find("true or false"), std::string::npos);
  EXPECT_NE(onlyError("seed: 1.5\n").message.find("a whole number"), std::string::npos);
  EXPECT_NE(onlyError("rank_pattern: 4\n").message.find("a map"), std::string::npos);
  EXPECT_NE(onlyError("modules: full\n").message.find("a map"), std::string::npos);
  EXPECT_NE(onlyError("classes: {a: b}\n").message.find("a list"), std::string::npos);
}

TEST(ConfigValues, OutOfRangeNamesTheRange) {
  EXPECT_NE(onlyError("lora_dropout: 1.0\n").message.find("below 1"), std::string::npos);
  EXPECT_NE(onlyError("per_device_train_batch_size: 0\n").message.find("at least 1"), std::string::npos);
  EXPECT_NE(onlyError("learning_rate: -1e-5\n").message.find("at least 0"), std::string::npos);
  EXPECT_NE(onlyError("num_train_epochs: 0\n").message.find("above 0"), std::string::npos);
  EXPECT_NE(onlyError("master_port: 65536\n").message.find("at most 65535"), std::string::npos);
  EXPECT_NE(onlyError("save_total_limit: 0\n").message.find("at least 1"), std::string::npos);
}

TEST(ConfigValues, NonFiniteNumbersAreRefused) {
  for (const char* word : {".inf", "-.inf", ".nan", "nan", "inf", "Infinity"})
    EXPECT_NE(onlyError(std::string("learning_rate: ") + word + "\n").message.find("finite"), std::string::npos)
        << word;
  EXPECT_EQ(errorsOf("learning_rate: 1e999\n").size(), 1u);
}

TEST(ConfigValues, ExponentsWithoutADotAreNumbers) {
  EXPECT_EQ(goodRun("learning_rate: 1e-5\n").number("learning_rate"), 1e-5);
  EXPECT_EQ(goodRun("learning_rate: \"2.0e-5\"\n").number("learning_rate"), 2e-5);
  EXPECT_EQ(goodRun("max_steps: 1_000\n").integer("max_steps"), 1000);
}

TEST(ConfigValues, UnknownChoicesGetTheNearestWord) {
  const Problem problem = onlyError("lr_scheduler_type: cosin\n");
  EXPECT_EQ(problem.hint, "cosine");
  EXPECT_NE(problem.message.find("constant_with_warmup"), std::string::npos);
  EXPECT_EQ(goodRun("lr_scheduler_type: COSINE\n").text("lr_scheduler_type"), "cosine");
}

TEST(ConfigValues, TheWordNoIsAChoiceAndNotAFlag) {
  EXPECT_EQ(goodRun("eval_strategy: no\n").text("eval_strategy"), "no");
  EXPECT_EQ(goodRun("eval_strategy: false\n").text("eval_strategy"), "no");
  EXPECT_EQ(goodRun("save_strategy: \"no\"\n").text("save_strategy"), "no");
}

TEST(ConfigValues, AKeyWithoutAValueIsNamed) {
  EXPECT_NE(onlyError("learning_rate:\nseed: 1\n").message.find("no value"), std::string::npos);
  EXPECT_FALSE(goodRun("eval_data:\nresume_from_checkpoint: null\ndata_seed: ~\n").has("eval_data"));
}

TEST(ConfigValues, ListsMayBeWrittenWithCommas) {
  EXPECT_EQ(goodRun("classes: vehicle, cyclist\n").list("classes"), (std::vector<std::string>{"vehicle", "cyclist"}));
  EXPECT_EQ(goodRun("classes:\n- vehicle\n- sign\n").list("classes"), (std::vector<std::string>{"vehicle", "sign"}));
  EXPECT_EQ(goodRun("gpus: [0, 2]\n").integers("gpus"), (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(errorsOf("gpus: [0, x, -1]\n").size(), 2u);
}

TEST(ConfigValues, TargetModulesAreAListOrOneExpression) {
  const std::string lora = "finetuning_type: lora\n";
  EXPECT_TRUE(goodRun(lora + "target_modules: '.*language_model.*q_proj'\n").value("target_modules").isText());
  EXPECT_EQ(goodRun(lora + "target_modules: q_proj,v_proj\n").list("target_modules"),
            (std::vector<std::string>{"q_proj", "v_proj"}));
  EXPECT_EQ(goodRun(lora + "target_modules: all-linear\n").text("target_modules"), "all-linear");
}

TEST(ConfigValues, SourcesComeInThreeForms) {
  const RunConfig one = goodRun("train_data: data/train.jsonl\ntask: vqa\n");
  ASSERT_EQ(one.sources("train_data").size(), 1u);
  EXPECT_EQ(one.sources("train_data")[0], (DataSourceSpec{"/project/data/train.jsonl", 1.0, "", "vqa", ""}));
  const RunConfig list = goodRun("train_data: [a.jsonl, /b.jsonl]\ntrain_query: time=Night\n");
  EXPECT_EQ(list.sources("train_data")[1], (DataSourceSpec{"/b.jsonl", 1.0, "time=Night", "detect", ""}));
  const RunConfig maps =
      goodRun("train_data:\n- {path: idx, weight: 2.5, query: split=training, task: caption, images: pics}\n- b\n");
  EXPECT_EQ(maps.sources("train_data")[0],
            (DataSourceSpec{"/project/idx", 2.5, "split=training", "caption", "/project/pics"}));
  EXPECT_EQ(maps.sources("train_data")[1].weight, 1.0);
}

TEST(ConfigValues, BadSourcesAreNamedMemberByMember) {
  const auto problems = errorsOf("train_data:\n  - path: a\n    wieght: 2\n  - weight: 0\n  - {query: x}\n  - []\n");
  ASSERT_EQ(problems.size(), 4u) << toText(problems);
  EXPECT_EQ(problems[0].line, 3);
  EXPECT_EQ(problems[0].hint, "weight");
  EXPECT_EQ(problems[1].key, "train_data.weight");
  EXPECT_NE(problems[2].message.find("without a path"), std::string::npos);
  EXPECT_EQ(problems[3].line, 6);
}

TEST(ConfigValues, ModuleOverridesKeepTheirOrder) {
  const RunConfig run = goodRun(
      "modules:\n  vision_tower: frozen\n  language_model.layers.17: full\n  lm: {method: lora, r: 4, lora_alpha: 8, "
      "dropout: 0.2, learning_rate: 1e-3}\n");
  const auto overrides = run.moduleOverrides();
  ASSERT_EQ(overrides.size(), 3u);
  EXPECT_EQ(overrides[0], (ModuleOverride{"vision_tower", "frozen"}));
  EXPECT_EQ(overrides[1].pattern, "language_model.layers.17");
  EXPECT_EQ(overrides[2], (ModuleOverride{"lm", "lora", 4, 8.0, 0.2, 1e-3}));
}

TEST(ConfigValues, AModuleMayHaveATypeOfItsOwnWhateverItsMethod) {
  const auto overrides = goodRun(
                             "modules: {vision_tower: {dtype: float32}, lm: {method: lora, torch_dtype: bfloat16}, "
                             "projector: {learning_rate: 1e-5, dtype: auto}}\n")
                             .moduleOverrides();
  ASSERT_EQ(overrides.size(), 3u);
  EXPECT_EQ(overrides[0].method, "");
  EXPECT_EQ(overrides[0].dtype, "float32");
  EXPECT_EQ(overrides[1].method, "lora");
  EXPECT_EQ(overrides[1].dtype, "bfloat16");
  EXPECT_EQ(overrides[2].dtype, "auto");
  EXPECT_DOUBLE_EQ(*overrides[2].learningRate, 1e-5);
  EXPECT_NE(onlyError("modules: {a: {dtype: float8}}\n").message.find("auto, float32, bfloat16"), std::string::npos);
  EXPECT_NE(onlyError("modules: {a: {dtype: float32, lora_alpha: 4}}\n").message.find("without a method"),
            std::string::npos);
  EXPECT_NE(onlyError("modules: {a: {}}\n").message.find("without a method"), std::string::npos);
}

TEST(ConfigValues, BadModuleOverridesAreNamed) {
  EXPECT_EQ(onlyError("modules: {vision_tower: forzen}\n").hint, "frozen");
  EXPECT_EQ(onlyError("modules: {a: {method: lora, rnk: 1}}\n").line, 1);
  EXPECT_EQ(onlyError("modules: {a: {method: lora, lora_dropout: 1}}\n").line, 1);
  EXPECT_NE(onlyError("modules: {a: {r: 4}}\n").message.find("without a method"), std::string::npos);
  EXPECT_NE(onlyError("modules: {a: {method: lora, r: 4, rank: 8}}\n").message.find("twice"), std::string::npos);
  EXPECT_NE(onlyError("modules: {a: full, a: frozen}\n").message.find("twice"), std::string::npos);
}

TEST(ConfigValues, MapsAreTyped) {
  const RunConfig run = goodRun(
      "finetuning_type: lora\ntarget_modules: [q_proj]\nrank_pattern: {q_proj: 4, v_proj: 8}\nenvironment: "
      "{NCCL_DEBUG: INFO, X: 1}\n");
  EXPECT_EQ(run.numberMap("rank_pattern"), (std::vector<std::pair<std::string, double>>{{"q_proj", 4}, {"v_proj", 8}}));
  EXPECT_EQ(run.textMap("environment")[1].second, "1");
  EXPECT_EQ(onlyError("rank_pattern: {q_proj: 1.5}\n").key, "rank_pattern");
  EXPECT_EQ(onlyError("alpha_pattern: {q_proj: 0}\n").key, "alpha_pattern");
}

TEST(ConfigValues, VariablesAreFilledIn) {
  ::setenv("ROADTUNE_TEST_ROOT", "/big/disk", 1);
  ::unsetenv("ROADTUNE_TEST_NONE");
  const RunConfig run = goodRun(
      "output_dir: ${ROADTUNE_TEST_ROOT}/runs\nseed: ${ROADTUNE_TEST_NONE:-7}\ntrain_data: "
      "[\"${ROADTUNE_TEST_ROOT}/a\"]\n");
  EXPECT_EQ(run.text("output_dir"), "/big/disk/runs");
  EXPECT_EQ(run.integer("seed"), 7);
  EXPECT_EQ(run.sources("train_data")[0].path, "/big/disk/a");
  EXPECT_EQ(onlyError("\noutput_dir: ${ROADTUNE_TEST_NONE}\n").line, 2);
}

TEST(ConfigValues, PathsCountFromTheFile) {
  EXPECT_EQ(goodRun("model_name_or_path: ../models/pg/\n").text("model_name_or_path"), "/models/pg");
  EXPECT_EQ(goodRun("resume_from_checkpoint: true\n").text("resume_from_checkpoint"), "latest");
  EXPECT_EQ(goodRun("resume_from_checkpoint: latest\n").text("resume_from_checkpoint"), "latest");
  EXPECT_FALSE(goodRun("resume_from_checkpoint: false\n").has("resume_from_checkpoint"));
  EXPECT_EQ(goodRun("resume_from_checkpoint: checkpoint-10\n").text("resume_from_checkpoint"),
            "/project/checkpoint-10");
}

TEST(ConfigValues, DataAndCopiesMayLieElsewhere) {
  const RunConfig run = goodRun("train_data: [s3://b/pack, {path: gs://b/t.jsonl, images: gs://b/pics}]\n");
  EXPECT_EQ(run.sources("train_data")[0].path, "s3://b/pack");
  EXPECT_EQ(run.sources("train_data")[1].images, "gs://b/pics");
  EXPECT_EQ(goodRun("mirror_checkpoints_to: s3://b/runs\n").text("mirror_checkpoints_to"), "s3://b/runs");
  EXPECT_EQ(goodRun("mirror_checkpoints_to: host:/runs\n").text("mirror_checkpoints_to"), "host:/runs");
  EXPECT_EQ(goodRun("mirror_checkpoints_to: runs\n").text("mirror_checkpoints_to"), "/project/runs");
  for (const char* wrong : {"output_dir: s3://b/out\n", "model_name_or_path: s3://b/m\n", "train_data: http://b/x\n"})
    EXPECT_EQ(errorsOf(wrong).size(), 1u) << wrong;
  const auto secret = errorsOf("train_data: s3://key:geheim@b/x\n");
  ASSERT_EQ(secret.size(), 1u);
  EXPECT_EQ(secret[0].text().find("geheim"), std::string::npos) << secret[0].text();
}

TEST(ConfigValues, StepsBelowOneAreAShare) {
  const RunConfig run = goodRun("logging_steps: 0.05\nsave_steps: 100\nwarmup_steps: 0.1\n");
  EXPECT_EQ(run.steps("logging_steps", 1001), 51);
  EXPECT_EQ(run.steps("save_steps", 1001), 100);
  EXPECT_EQ(run.steps("eval_steps", 1001), 51);
  EXPECT_EQ(run.warmupSteps(1001), 101);
  EXPECT_EQ(goodRun("warmup_ratio: 0.03\n").warmupSteps(12), 1);
  EXPECT_EQ(goodRun("warmup_steps: 2\n").warmupSteps(12), 2);
}

TEST(ConfigValues, OriginsAreKept) {
  const RunConfig run = goodRun("\nseed: 3\n", {"r=4"});
  EXPECT_EQ(run.origin("seed").line, 2);
  EXPECT_EQ(run.origin("r").where, "--set r");
  EXPECT_TRUE(run.origin("bf16").where.empty());
}

}  // namespace
}  // namespace roadtune::config
