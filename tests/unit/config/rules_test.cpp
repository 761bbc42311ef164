// SPDX-License-Identifier: GPL-3.0-or-later
// What keys mean together, and how problems are gathered.
#include "core/config/fleet.h"
#include "core/config/readable.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/config/support.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace roadtune::config {
namespace {

TEST(Rules, TrainedCopiesBesideFourBitsAreDoubtedAsPeftOpensThem) {
  const std::string four = "finetuning_type: qlora\ntarget_modules: [q_proj]\n";
  const auto warnings = warningsOf(four + "modules_to_save: [embed_tokens, multi_modal_projector]\n");
  ASSERT_EQ(warnings.size(), 1u) << toText(warnings);
  EXPECT_EQ(warnings[0].key, "modules_to_save");
  EXPECT_NE(warnings[0].hint.find("['model.multi_modal_projector', 'lm_head']"), std::string::npos) << warnings[0].hint;
  EXPECT_TRUE(warningsOf(four + "modules_to_save: [embed_tokens]\n").empty());
}

TEST(Rules, ClassesToDetectHaveNamesAndStandThereOnce) {
  EXPECT_NE(onlyError("classes: []\n").message.find("nothing to detect"), std::string::npos);
  EXPECT_NE(onlyError("classes: [car, Car]\n").message.find("twice"), std::string::npos);
  EXPECT_NE(onlyError("classes: [car, \"\"]\n").message.find("empty name"), std::string::npos);
  goodRun("task: vqa\nclasses: []\n");
}

using ::testing::HasSubstr;

TEST(Rules, AnAdapterToStartFromIsTrainedAsOne) {
  const std::string start = "adapter_name_or_path: /a\n";
  EXPECT_EQ(goodRun(start).text("finetuning_type"), "lora") << "and no target_modules are asked for";
  EXPECT_EQ(goodRun(start + "load_in_4bit: true\n").text("finetuning_type"), "qlora");
  EXPECT_EQ(goodRun(start + "finetuning_type: qlora\n").text("finetuning_type"), "qlora");
  EXPECT_EQ(onlyError(start + "finetuning_type: full\n").key, "adapter_name_or_path");
  EXPECT_TRUE(warningsOf(start + "finetuning_type: full\n").empty()) << "once is enough";
  EXPECT_FALSE(onlyError("finetuning_type: lora\n").message.empty()) << "a new one needs layers";
  const auto warnings = warningsOf(start + "r: 16\nautocast_adapter_dtype: false\nlora_alpha: 32\n");
  ASSERT_EQ(warnings.size(), 2u) << toText(warnings);
  EXPECT_EQ(warnings[0].key, "r");
  EXPECT_EQ(warnings[0].message, "has no effect beside adapter_name_or_path");
  EXPECT_EQ(warnings[1].key, "lora_alpha");
}

TEST(Rules, AnAdapterToStartFromHasTheNamesOfOthers) {
  EXPECT_EQ(goodRun("adapters: [/a]\n").text("adapter_name_or_path"), "/a");
  EXPECT_EQ(goodRun("adapters: a\n").text("adapter_name_or_path"), "/project/a");
  EXPECT_EQ(goodRun("lora_model_dir: /a\n").text("finetuning_type"), "lora");
  EXPECT_EQ(goodRun("adapters: []\n").text("finetuning_type"), "full");
  EXPECT_EQ(onlyError("adapters: [/a, /b]\n").message, "names 2; a run starts from one");
  EXPECT_EQ(onlyError("adapter_name_or_path: /a\ncreate_new_adapter: true\n").key, "create_new_adapter");
}

const std::string kLora = "finetuning_type: lora\ntarget_modules: [q_proj]\n";

std::vector<std::string> keysOf(const std::vector<Problem>& problems) {
  std::vector<std::string> keys;
  for (const auto& problem : problems) keys.push_back(problem.key);
  return keys;
}

TEST(Problems, AllAreReportedAtOnceInTheOrderOfTheFile) {
  const auto problems =
      errorsOf("learning_rat: 1e-5\nmax_steps: many\ntrain:\n  bf16: maybe\n  adam_beta1: 2\nseed: 1\nseed: 2\n",
               {"lora_r=x"}, Purpose::Training);
  EXPECT_EQ(keysOf(problems), (std::vector<std::string>{"learning_rat", "max_steps", "bf16", "adam_beta1", "seed",
                                                        "lora_r", "model_name_or_path", "train_data", "output_dir"}))
      << toText(problems);
  EXPECT_EQ(problems[0].hint, "learning_rate");
  EXPECT_EQ(problems[2].line, 4);
  EXPECT_EQ(problems[3].column, 15);
  EXPECT_NE(problems[4].message.find("second time; first in line 6"), std::string::npos);
  EXPECT_EQ(problems[5].text().find("--set lora_r: expected"), 0u) << problems[5].text();
}

TEST(Problems, AMissingKeyIsNotReportedWhenItsValueWasWrong) {
  const auto problems = errorsOf("model_name_or_path: /m\noutput_dir: /o\ntrain_data: []\n", {}, Purpose::Training);
  ASSERT_EQ(problems.size(), 1u) << toText(problems);
  EXPECT_EQ(problems[0].key, "train_data");
}

TEST(Problems, ThePurposeDecidesWhatIsNeeded) {
  EXPECT_EQ(keysOf(errorsOf("", {}, Purpose::Training)),
            (std::vector<std::string>{"model_name_or_path", "train_data", "output_dir"}));
  EXPECT_EQ(keysOf(errorsOf("", {}, Purpose::Model)), (std::vector<std::string>{"model_name_or_path"}));
  EXPECT_TRUE(errorsOf("", {}, Purpose::Editing).empty());
}

TEST(Problems, UnknownKeysBelowHeadingsAreFoundToo) {
  const Problem problem = onlyError("train:\n  lerning_rate: 1\n");
  EXPECT_EQ(problem.line, 2);
  EXPECT_EQ(problem.column, 3);
  EXPECT_EQ(problem.hint, "learning_rate");
  EXPECT_EQ(errorsOf("trainn:\n  learning_rate: 1\n").size(), 1u);
}

TEST(Problems, DuplicateKeysAcrossHeadingsAreErrors) {
  EXPECT_EQ(onlyError("seed: 1\ntrain:\n  seed: 2\n").line, 3);
  EXPECT_EQ(onlyError("train: {seed: 1}\ntraining: {seed: 2}\n").key, "seed");
}

TEST(Problems, LoadingGivesThemAllInOneError) {
  const auto result = loadRunConfig("/nowhere/run.yaml");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::BadInput);
}

TEST(Rules, QloraAndFourBitsImplyEachOther) {
  EXPECT_TRUE(goodRun("finetuning_type: qlora\ntarget_modules: [q_proj]\n").flag("load_in_4bit"));
  EXPECT_EQ(goodRun(kLora + "load_in_4bit: true\n").text("finetuning_type"), "qlora");
  EXPECT_EQ(goodRun("load_in_4bit: true\ntarget_modules: [q_proj]\n").text("finetuning_type"), "qlora");
  EXPECT_EQ(onlyError("finetuning_type: qlora\ntarget_modules: [q_proj]\nload_in_4bit: false\n").line, 3);
  EXPECT_EQ(onlyError("finetuning_type: full\nload_in_4bit: true\n").key, "load_in_4bit");
}

TEST(Rules, AdaptersNeedLayers) {
  EXPECT_EQ(onlyError("finetuning_type: lora\n").key, "target_modules");
  EXPECT_EQ(onlyError("finetuning_type: lora\ntarget_modules: []\n").line, 2);
  EXPECT_EQ(onlyError("finetuning_type: lora\ntarget_modules: ''\n").key, "target_modules");
  EXPECT_TRUE(errorsOf("finetuning_type: full\nmodules: {language_model: lora}\n").empty());
}

TEST(Rules, PeftsOwnRestrictionsHold) {
  EXPECT_EQ(onlyError(kLora + "layers_pattern: [layers]\n").key, "layers_pattern");
  EXPECT_EQ(onlyError("finetuning_type: lora\ntarget_modules: '.*q_proj'\nlayers_to_transform: [1]\n").key,
            "layers_to_transform");
}

TEST(Rules, EverythingFrozenIsAnError) {
  const std::string frozen =
      "freeze_vision_tower: true\nfreeze_multi_modal_projector: true\nfreeze_language_model: true\n";
  EXPECT_EQ(onlyError(frozen).line, 3);
  EXPECT_TRUE(errorsOf(frozen + "modules: {language_model.layers.17: full}\n").empty());
  EXPECT_TRUE(errorsOf(frozen + kLora + "modules_to_save: [multi_modal_projector]\n").empty());
}

TEST(Rules, HalfPrecisionsExclude) {
  EXPECT_EQ(onlyError("bf16: true\nfp16: true\n").key, "fp16");
  EXPECT_EQ(onlyError("fp16: true\n").hint, "bf16: true without fp16");
  EXPECT_EQ(onlyError("pure_bf16: true\nema_decay: 0.99\n").key, "ema_decay");
  EXPECT_FALSE(goodRun("pure_bf16: true\n").flag("bf16")) << "a key of its own";
}

TEST(Rules, OneWarmUpIsEnough) {
  EXPECT_EQ(onlyError("warmup_steps: 10\nwarmup_ratio: 0.1\n").key, "warmup_ratio");
  EXPECT_TRUE(errorsOf("warmup_steps: 0\nwarmup_ratio: 0.1\n").empty());
}

TEST(Rules, MaxStepsWinsOverEpochs) {
  const auto warnings = warningsOf("max_steps: 10\nnum_train_epochs: 2\n");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].key, "num_train_epochs");
  EXPECT_TRUE(warningsOf("max_steps: -1\nnum_train_epochs: 2\n").empty());
  EXPECT_EQ(onlyError("max_steps: 0\n").key, "max_steps");
}

TEST(Rules, RanksShareAGpuWithGlooOnly) {
  EXPECT_EQ(onlyError("gpus: [0, 0]\nddp_backend: nccl\n").key, "gpus");
  EXPECT_TRUE(errorsOf("gpus: [0, 0]\nddp_backend: gloo\n").empty());
}

TEST(Rules, TheStableDecaysRatioHasTheNameOfTheReference) {
  const std::string kind = "lr_scheduler_type: warmup_stable_decay\nlr_scheduler_kwargs: ";
  EXPECT_TRUE(errorsOf(kind + "{num_decay_steps: 4, min_lr_ratio: 0.1}\n").empty());
  EXPECT_EQ(onlyError(kind + "{num_decay_steps: 4, min_lr: 0.1}\n").key, "lr_scheduler_kwargs");
}

TEST(Rules, APolynomialEndsBelowTheRateItComesFrom) {
  const std::string kind = "lr_scheduler_type: polynomial\n";
  EXPECT_TRUE(errorsOf(kind).empty());
  EXPECT_TRUE(errorsOf(kind + "lr_scheduler_kwargs: {lr_end: 1e-6}\n").empty());
  EXPECT_THAT(onlyError(kind + "lr_scheduler_kwargs: {lr_end: 1}\n").message, HasSubstr("below the learning rate"));
  EXPECT_EQ(onlyError(kind + "learning_rate: 1e-8\n").key, "lr_scheduler_kwargs") << "its end is 1e-7";
}

TEST(Rules, WhatTrainsHasARate) {
  EXPECT_THAT(onlyError("vision_tower_learning_rate: 0\n").hint, HasSubstr("freeze_vision_tower"));
  EXPECT_TRUE(errorsOf("vision_tower_learning_rate: 0\nfreeze_vision_tower: true\n").empty());
  EXPECT_TRUE(errorsOf("learning_rate: 0\nvision_tower_learning_rate: 0\n").empty()) << "a run that only looks";
  EXPECT_EQ(onlyError("modules: {multi_modal_projector: {learning_rate: 0}}\n").key, "modules");
}

TEST(Rules, SchedulersGetWhatTheyNeed) {
  const std::string stable = "lr_scheduler_type: warmup_stable_decay\nlr_scheduler_kwargs: ";
  EXPECT_TRUE(errorsOf(stable + "{num_decay_steps: 4, decay_type: 1-sqrt, warmup_type: cosine}\n").empty());
  EXPECT_THAT(onlyError(stable + "{num_decay_steps: 4, decay_type: steep}\n").hint, HasSubstr("1-sqrt"));
  EXPECT_THAT(onlyError(stable + "{num_decay_steps: 4, decay_type: 3}\n").hint, HasSubstr("1-sqrt"));
  EXPECT_THAT(onlyError(stable + "{decay_type: linear}\n").message, HasSubstr("needs num_decay_steps"));
  EXPECT_THAT(onlyError(stable + "{num_decay_steps: few}\n").message, HasSubstr("takes a number, not 'few'"));
  for (const std::string type : {"cosine_with_min_lr", "cosine_warmup_with_min_lr"}) {
    const std::string kind = "lr_scheduler_type: " + type + "\nlr_scheduler_kwargs: ";
    EXPECT_TRUE(errorsOf(kind + "{min_lr: 1.0e-6}\n").empty());
    EXPECT_THAT(onlyError(kind + "{num_cycles: 1}\n").message, HasSubstr("needs one of min_lr and min_lr_rate"));
    EXPECT_THAT(onlyError(kind + "{min_lr: 1.0e-6, min_lr_rate: 0.1}\n").message, HasSubstr("needs one of"));
  }
}

TEST(Rules, EvaluationNeedsData) {
  EXPECT_EQ(onlyError("eval_strategy: steps\n").key, "eval_strategy");
  EXPECT_EQ(onlyError("eval_on_start: true\n").key, "eval_on_start");
  EXPECT_TRUE(errorsOf("eval_strategy: steps\neval_data: x\n").empty());
  EXPECT_EQ(warningsOf("eval_data: x\n").size(), 1u);
}

TEST(Rules, TheBestModelNeedsCheckpointsAtEvaluations) {
  const std::string base = "eval_data: x\nload_best_model_at_end: true\n";
  EXPECT_EQ(onlyError(base).key, "load_best_model_at_end");
  EXPECT_EQ(onlyError(base + "eval_strategy: epoch\nsave_strategy: steps\n").key, "load_best_model_at_end");
  EXPECT_EQ(onlyError(base + "eval_strategy: steps\neval_steps: 200\nsave_steps: 500\n").hint, "save_steps: 600");
  const RunConfig run = goodRun(base + "eval_strategy: steps\neval_steps: 200\nsave_steps: 400\n");
  EXPECT_EQ(run.text("metric_for_best_model"), "loss");
  EXPECT_TRUE(run.has("greater_is_better"));
  EXPECT_FALSE(run.flag("greater_is_better"));
  EXPECT_TRUE(goodRun("metric_for_best_model: ap\n").flag("greater_is_better"));
}

TEST(Rules, HalfStepsAreMistakes) {
  EXPECT_EQ(onlyError("save_steps: 2.5\n").hint, "3");
  EXPECT_EQ(onlyError("warmup_steps: 1.5\n").key, "warmup_steps");
}

TEST(Rules, SchedulersKnowTheirOptions) {
  EXPECT_TRUE(errorsOf("lr_scheduler_type: cosine_with_min_lr\nlr_scheduler_kwargs: {min_lr: 1e-6}\n").empty());
  EXPECT_EQ(onlyError("lr_scheduler_type: polynomial\nlr_scheduler_kwargs: {min_lr: 1e-6}\n").hint, "power, lr_end");
}

TEST(Rules, LaunchSettingsAgree) {
  EXPECT_EQ(onlyError("hosts: [a, b]\nfleet: fleet.yaml\n").key, "fleet");
  EXPECT_EQ(onlyError("hosts: [a, a]\n").key, "hosts");
  EXPECT_EQ(onlyError("gpus: [0, 1]\nnproc_per_node: 3\n").hint, "nproc_per_node: 2");
  EXPECT_EQ(onlyError("gpus: [1, 1]\n").key, "gpus");
  EXPECT_EQ(onlyError("device: cpu\nddp_backend: nccl\n").key, "ddp_backend");
}

TEST(Rules, KeysWithoutEffectAreNamed) {
  const auto warnings = warningsOf("r: 16\n");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].message.find("unless finetuning_type is lora or qlora"), std::string::npos);
  EXPECT_TRUE(warningsOf(kLora + "r: 16\n").empty());
  EXPECT_TRUE(warningsOf("bnb_4bit_use_double_quant: true\nfinetuning_type: qlora\ntarget_modules: [q]\n").empty());
}

TEST(Rules, WhatTheTrainerCannotDoIsSaidBeforeItStarts) {
  const std::string base = "model_name_or_path: /m\ntrain_data: /d\noutput_dir: /o\n";
  const auto problems =
      errorsOf(base + "cache_vision_features: true\nsharding: sharded\nema_decay: 0.99\n", {}, Purpose::Training);
  EXPECT_EQ(keysOf(problems), (std::vector<std::string>{"cache_vision_features", "ema_decay"})) << toText(problems);
  EXPECT_EQ(problems[1].hint, "sharding: ddp, or no ema_decay");
  EXPECT_EQ(goodRun("cache_vision_features: true\n").text("cache_vision_features"), "memory");
  const auto moving = errorsOf(base + "cache_vision_features: disk\naugment: true\n", {}, Purpose::Training);
  ASSERT_EQ(moving.size(), 1u) << toText(moving);
  EXPECT_EQ(moving[0].hint, "augment: false");
  EXPECT_TRUE(errorsOf(base + "sharding: sharded\n", {}, Purpose::Model).empty());
}

TEST(Rules, TheBestModelIsChosenByAMetricThatEvaluationHas) {
  for (const char* known : {"loss", "eval_loss", "AP", "ap50", "eval_accuracy", "malformed"})
    EXPECT_TRUE(errorsOf(std::string("metric_for_best_model: ") + known + "\n").empty()) << known;
  EXPECT_FALSE(goodRun("metric_for_best_model: malformed\n").flag("greater_is_better"));
  EXPECT_EQ(onlyError("metric_for_best_model: acuracy\n").hint, "accuracy");
  EXPECT_EQ(onlyError("metric_for_best_model: bleu\n").hint, "one of loss, AP, AP50, accuracy, malformed");
  EXPECT_EQ(onlyError("metric_for_best_model: AP50\nnum_probe_samples: 0\n").hint, "num_probe_samples: 100");
  EXPECT_EQ(onlyError("metric_for_best_model: AP\nprediction_loss_only: true\n").hint, "prediction_loss_only: false");
}

TEST(Overrides, WinOverTheFileAndAreCheckedAlike) {
  EXPECT_EQ(goodRun("learning_rate: 1e-5\n", {"learning_rate=3e-4"}).number("learning_rate"), 3e-4);
  EXPECT_EQ(goodRun("", {"lr=1e-3", "learning_rate=2e-3"}).number("learning_rate"), 2e-3);
  EXPECT_EQ(onlyError("", {"learning_rat=1"}).hint, "learning_rate");
  EXPECT_EQ(onlyError("", {"learning_rate=.nan"}).where, "--set learning_rate");
  EXPECT_EQ(onlyError("", {"modules.vision_tower.layers.1=bad"}).key, "modules.vision_tower.layers.1");
  EXPECT_EQ(onlyError("", {"learning_rate"}).message, "expected key=value");
  EXPECT_EQ(onlyError("", {"=3"}).message, "expected key=value");
  EXPECT_EQ(onlyError("", {"deepspeed=x.json"}).hint, "sharding: sharded");
}

TEST(Overrides, MayRepairAWrongValueOfTheFile) {
  // The file stays wrong: its own problem is still told.
  EXPECT_EQ(onlyError("seed: x\n", {"seed=1"}).line, 1);
}

TEST(Overrides, TakeListsMapsAndDottedNames) {
  const RunConfig run =
      goodRun(kLora + "modules: {vision_tower: frozen}\n",
              {"target_modules=[q_proj, v_proj]", "lora.r=4", "train.seed=9", "modules.language_model.layers.17=full",
               "rank_pattern.q_proj=2", "prompt_template=detect: what?"});
  EXPECT_EQ(run.list("target_modules").size(), 2u);
  EXPECT_EQ(run.integer("r"), 4);
  EXPECT_EQ(run.integer("seed"), 9);
  ASSERT_EQ(run.moduleOverrides().size(), 2u);
  EXPECT_EQ(run.moduleOverrides()[1].pattern, "language_model.layers.17");
  EXPECT_EQ(run.numberMap("rank_pattern")[0].second, 2);
  EXPECT_EQ(run.text("prompt_template"), "detect: what?");
}

TEST(Overrides, AnEmptyValueIsTheDefault) {
  const RunConfig run = goodRun("seed: 3\nbf16: true\n", {"seed="});
  EXPECT_EQ(run.integer("seed"), 42);
  EXPECT_FALSE(run.isSet("seed"));
  EXPECT_TRUE(run.flag("bf16"));
}

TEST(Fleet, IsOneDocument) {
  const testing::TempFolder folder;
  EXPECT_EQ(readFleet(folder.write("one.yaml", "---\n- a\n- b\n")).value(), (std::vector<std::string>{"a", "b"}));
  const auto two = readFleet(folder.write("two.yaml", "- a\n---\n- b\n"));
  ASSERT_FALSE(two.ok());
  EXPECT_NE(two.error().what.find("several YAML documents"), std::string::npos);
  EXPECT_FALSE(readFleet(folder.write("none.yaml", "")).ok());
}

TEST(Fleet, NothingThatIsWrittenThereIsPassedOver) {
  const testing::TempFolder folder;
  const auto trouble = [&](const std::string& text) {
    const auto read = readFleet(folder.write("fleet.yaml", text));
    return read.ok() ? "read" : read.error().text();
  };
  const auto said = [](const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos ? std::string() : text;
  };
  EXPECT_EQ(said(trouble("- a\n- host: h1\n  usr: root\n"), "fleet.yaml:3: unknown key 'usr'"), "");
  EXPECT_EQ(said(trouble("- host: h1\n  usr: root\n"), "host, user, port"), "");
  EXPECT_EQ(said(trouble("machines: [h1]\n"), "fleet.yaml:1: unknown key 'machines'"), "");
  EXPECT_EQ(said(trouble("hosts: [h1]\nhosts: [h2]\n"), "fleet.yaml:2: hosts stands here twice"), "");
  EXPECT_EQ(said(trouble("- host: h1\n  host: h2\n"), "fleet.yaml:2: host stands here twice"), "");
  EXPECT_EQ(said(trouble("hosts: h1\n"), "fleet.yaml:1: lists no machines"), "");
  EXPECT_EQ(said(trouble("- host: h1\n  user: [a, b]\n"), "fleet.yaml:1: is not a machine"), "");
  EXPECT_EQ(readFleet(folder.write("good.yaml", "hosts:\n- {host: h1, user: al, port: 2222}\n- h2\n")).value(),
            (std::vector<std::string>{"al@h1:2222", "h2"}));
}

TEST(Readable, OneWrongNumberDoesNotChangeWhatIsTrained) {
  const Document document("load_in_4bit: true\nr: 8\ntarget_modules: [q_proj]\nper_device_train_batch_size: -1\n", {});
  EXPECT_EQ(readableConfig(document).text("finetuning_type"), "qlora");
}

}  // namespace
}  // namespace roadtune::config
