// SPDX-License-Identifier: GPL-3.0-or-later
// The commands `roadtune config ...` as a user or a script meets them.
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace roadtune {
namespace {

using testing::ProgramResult;
using testing::TempFolder;

ProgramResult config(std::vector<std::string> words, const std::string& folder = {}) {
  words.insert(words.begin(), {"roadtune", "config"});
  return testing::runProgram(words, {.folder = folder});
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// A file that passes every check on this machine.
std::string goodProject(const TempFolder& folder) {
  folder.write("model/config.json", "{}");
  folder.write("train.jsonl", "{}");
  return folder
      .write("run.yaml",
             "# mine\nmodel_name_or_path: model\ntrain_data: train.jsonl\noutput_dir: out\n"
             "per_device_train_batch_size: 4\ngradient_accumulation_steps: 2\nnproc_per_node: 2\n")
      .string();
}

TEST(ConfigCheck, SaysOkWithTheEffectiveBatch) {
  const TempFolder folder;
  const auto result = config({"check", goodProject(folder)});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_EQ(result.out.find("OK "), 0u);
  EXPECT_TRUE(has(result.out, "effective batch 4 x 2 x 2 = 16")) << result.out;
  EXPECT_TRUE(has(result.err, ":2:1: warning: model_name_or_path: holds no weights")) << "a plan is all it is good for";
  EXPECT_TRUE(has(result.err, ":3:1: warning: train_data: 1 of 1 samples cannot be used")) << result.err;
}

TEST(ConfigCheck, NamesEveryProblemAndExitsWithTwo) {
  const TempFolder folder;
  const std::string file = folder.write("bad.yaml", "learning_rat: 1e-5\nmax_steps: many\n").string();
  const auto result = config({"check", file});
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_TRUE(result.out.empty());
  EXPECT_TRUE(has(result.err, file + ":1:1: learning_rat: unknown key (try: learning_rate)")) << result.err;
  EXPECT_TRUE(has(result.err, file + ":2:12: max_steps: expected a whole number")) << result.err;
  EXPECT_TRUE(has(result.err, "model_name_or_path: is missing"));
}

TEST(ConfigCheck, AMissingValueIsNamedWhereItsKeyStands) {
  const TempFolder folder;
  const std::string file = folder.write("bad.yaml", "seed: 1\nlearning_rate:\nmax_steps: 3\n").string();
  const auto result = config({"check", file});
  EXPECT_TRUE(has(result.err, file + ":2:1: learning_rate: has no value")) << result.err;
}

TEST(ConfigCheck, AnOrderThatWouldBeIgnoredIsAnError) {
  const TempFolder folder;
  const auto check = [&](const char* strategy) {
    const std::string text = std::string("train_sampling_strategy: ") + strategy + "\ngroup_by_length: false\n";
    return config({"check", folder.write("run.yaml", text).string()}).err;
  };
  EXPECT_FALSE(has(check("sequential"), "train_sampling_strategy")) << "it is shuffle: false";
  const std::string grouped = check("group_by_length");
  EXPECT_TRUE(has(grouped, ":1:26: train_sampling_strategy: samples are not sorted by length")) << grouped;
  EXPECT_FALSE(has(grouped, ": group_by_length:")) << grouped;
}

TEST(ConfigCheck, TheModelIsAskedWhenItIsThere) {
  const TempFolder folder;
  ASSERT_EQ(testing::runProgram({"roadtune", "model", "new-tiny", "--out", (folder / "model").string()}).exitCode, 0);
  folder.write("train.jsonl", "{}");
  const auto check = [&](const std::string& lines) {
    const std::string file = folder
                                 .write("run.yaml",
                                        "model_name_or_path: model\noutput_dir: out\ntrain_data: train.jsonl\n"
                                        "finetuning_type: lora\n" +
                                            lines)
                                 .string();
    return config({"check", file});
  };
  EXPECT_EQ(check("target_modules: [q_proj]\n").exitCode, 0);
  const auto name = check("target_modules: [nosuch]\n");
  EXPECT_EQ(name.exitCode, 2);
  EXPECT_TRUE(has(name.err, "run.yaml:5:1: target_modules: ")) << name.err;
  EXPECT_TRUE(has(check("target_modules: [q_proj]\nmodules: {language_model.layers.77: full}\n").err, ":6:1: modules"));
  EXPECT_TRUE(has(check("target_modules: [q_proj]\nimage_size: 100\n").err, ":6:1: image_size: ")) << "of 112 pixels";
  const auto trained = testing::runProgram({"roadtune", "train", (folder / "run.yaml").string()});
  EXPECT_EQ(trained.exitCode, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "out")) << "nothing was begun";
}

TEST(ConfigCheck, SamplesThatDoNotFitAreCounted) {
  const TempFolder folder;
  ASSERT_EQ(testing::runProgram({"roadtune", "model", "new-tiny", "--out", (folder / "model").string()}).exitCode, 0);
  folder.write("a.png", "a picture");
  folder.write("train.jsonl", R"({"image": "a.png", "prefix": "q", "suffix": "a b c d e f g h"})");
  const auto check = [&](const std::string& limit) {
    return config({"check", folder
                                .write("run.yaml",
                                       "model_name_or_path: model\noutput_dir: out\ntrain_data: train.jsonl\n"
                                       "max_length: " +
                                           limit)
                                .string()});
  };
  const auto hopeless = check("20");
  EXPECT_EQ(hopeless.exitCode, 2);
  EXPECT_TRUE(has(hopeless.err, "run.yaml:4:1: max_length: no sample fits: the shortest prompt needs "))
      << hopeless.err;
  const auto cut = check("74");
  EXPECT_EQ(cut.exitCode, 0);
  EXPECT_TRUE(has(cut.err, "1 of 1 samples are longer and lose the end of their answer")) << cut.err;
  EXPECT_FALSE(has(check("200").err, "max_length"));
}

TEST(ConfigCheck, QueriesAreReadToo) {
  const TempFolder folder;
  folder.write("model/config.json", "{}");
  folder.write("train.jsonl", "{}");
  const std::string file =
      folder
          .write("run.yaml",
                 "model_name_or_path: model\noutput_dir: out\ntrain_data:\n  - {path: train.jsonl, query: n>2}\n"
                 "  - {path: train.jsonl, query: camra=front}\neval_query: \"n >\"\n")
          .string();
  const auto result = config({"check", file});
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_TRUE(has(result.err, ":3:1: train_data[1].query: there is no field 'camra'")) << result.err;
  EXPECT_TRUE(has(result.err, "try: camera")) << result.err;
  EXPECT_TRUE(has(result.err, ":6:1: eval_query: ")) << result.err;
}

TEST(ConfigCheck, TellsMissingFilesApart) {
  const TempFolder folder;
  const std::string file =
      folder.write("run.yaml", "model_name_or_path: none\ntrain_data: none.jsonl\noutput_dir: out\n").string();
  const auto result = config({"check", file});
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_TRUE(has(result.err, "On this machine:\n")) << result.err;
  EXPECT_TRUE(has(result.err, ":2:1: train_data: no such file or folder")) << result.err;
  EXPECT_EQ(config({"check", file, "--skip-paths"}).exitCode, 0);
}

TEST(ConfigCheck, TellsWhatIsNoCheckpointToGoOnFrom) {
  const TempFolder folder;
  const std::string good = goodProject(folder);
  folder.write("run/events/rank-000.jsonl", "");
  folder.write("run/checkpoint-8/COMPLETE", "{\"files\": {\"model.safetensors\": {\"bytes\": 3, \"sha256\": \"\"}}}");
  folder.write("theirs/checkpoint-8/optimizer.pt", "");
  folder.write("half/checkpoint-8/model.safetensors", "");
  const auto told = [&](const std::string& place) {
    const auto result = config({"check", good, "--set", "resume_from_checkpoint=" + (folder / place).string()});
    EXPECT_EQ(result.exitCode, 2);
    return result.err;
  };
  EXPECT_TRUE(has(told("run"), "is a run, not a checkpoint (try: " + (folder / "run/checkpoint-8").string()));
  EXPECT_TRUE(has(told("run/checkpoint-8"), "the checkpoint lacks model.safetensors"));
  EXPECT_TRUE(has(told("theirs/checkpoint-8"), "is a checkpoint of another trainer"));
  EXPECT_TRUE(has(told("half/checkpoint-8"), "COMPLETE is missing"));
}

TEST(ConfigCheck, SpeaksJson) {
  const TempFolder folder;
  const std::string good = goodProject(folder);
  const auto ok = config({"check", good, "--json"});
  EXPECT_EQ(ok.exitCode, 0);
  EXPECT_TRUE(has(ok.out, "\"ok\": true")) << ok.out;
  const auto bad = config({"check", good, "--json", "--set", "seed=x", "--set", "bf16=maybe"});
  EXPECT_EQ(bad.exitCode, 2);
  EXPECT_TRUE(has(bad.out, "\"where\": \"--set seed\"")) << bad.out;
  EXPECT_TRUE(has(bad.out, "\"where\": \"--set bf16\"")) << bad.out;
}

TEST(ConfigCheck, SurvivesFilesThatAreNone) {
  const TempFolder folder;
  EXPECT_EQ(config({"check", (folder / "none.yaml").string()}).exitCode, 2);
  EXPECT_EQ(config({"check", folder.path().string()}).exitCode, 2);
  EXPECT_EQ(config({"check", folder.write("a.yaml", std::string("\x00\xff\x01", 3)).string()}).exitCode, 2);
  EXPECT_EQ(config({"check", folder.write("b.yaml", std::string(100000, '[')).string()}).exitCode, 2);
  EXPECT_EQ(config({"check", folder.write("c.yaml", "").string()}).exitCode, 2);
  EXPECT_TRUE(has(config({"check", "/dev/zero"}).err, "goes on without end"));
}

TEST(ConfigShow, ResolvedReadsBackToTheSame) {
  const TempFolder folder;
  const std::string file = goodProject(folder);
  const auto first = config({"show", file, "--resolved"});
  ASSERT_EQ(first.exitCode, 0) << first.err;
  EXPECT_TRUE(has(first.out, "# default"));
  const auto second = config({"show", folder.write("copy.yaml", first.out).string(), "--resolved"});
  EXPECT_EQ(first.out, second.out);
  EXPECT_TRUE(has(config({"show", file, "--frozen"}).out, "# mine\n"));
  EXPECT_TRUE(has(config({"show", file, "--resolved", "--json"}).out, "\"learning_rate\": 5"));
}

TEST(ConfigDiff, AcceptsFilesAndRuns) {
  const TempFolder folder;
  folder.write("one/run.yaml", "seed: 1\n");
  const std::string two = folder.write("two.yaml", "seed: 2\nbf16: true\n").string();
  const auto result = config({"diff", (folder / "one").string(), two});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_EQ(result.out, "seed: 1 -> 2\nbf16: false -> true\n");
  EXPECT_EQ(config({"diff", two, two}).out, "no difference\n");
  EXPECT_TRUE(has(config({"diff", two, two, "--json"}).out, "\"same\": true"));
  EXPECT_EQ(config({"diff", two, (folder / "none").string()}).exitCode, 2);
}

TEST(ConfigInit, PrintsFilesThatPass) {
  const TempFolder folder;
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"init"}, {"init", "--all"}, {"init", "--preset", "qlora-nf4"}}) {
    const auto result = config(words);
    ASSERT_EQ(result.exitCode, 0) << result.err;
    const auto check = config({"check", "--skip-paths", folder.write("x.yaml", result.out).string()});
    EXPECT_EQ(check.exitCode, 0) << check.err;
  }
  const auto unknown = config({"init", "--preset", "qlora-nf5"});
  EXPECT_EQ(unknown.exitCode, 2);
  EXPECT_TRUE(has(unknown.err, "qlora-nf4"));
  EXPECT_TRUE(has(config({"init", "--list"}).out, "waymo-full-multinode"));
}

TEST(ConfigInit, DoesNotOverwrite) {
  const TempFolder folder;
  const std::string file = folder.write("mine.yaml", "seed: 1\n").string();
  EXPECT_EQ(config({"init", "--out", file}).exitCode, 2);
  EXPECT_EQ(testing::readAll(file), "seed: 1\n");
  EXPECT_EQ(config({"init", "--out", file, "--force"}).exitCode, 0);
  EXPECT_NE(testing::readAll(file), "seed: 1\n");
}

TEST(ConfigImport, WritesOurKeys) {
  const TempFolder folder;
  const std::string file = folder
                               .write("adapter_config.json",
                                      R"({"peft_type": "LORA", "r": 4, "lora_alpha": 4, "target_modules": ["q_proj"]})")
                               .string();
  const auto result = config({"import", file, "--out", (folder / "run.yaml").string()});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_TRUE(has(testing::readAll(folder / "run.yaml"), "target_modules: [q_proj]"));
  EXPECT_EQ(config({"import", (folder / "none.json").string()}).exitCode, 2);
}

}  // namespace
}  // namespace roadtune
