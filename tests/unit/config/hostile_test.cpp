// SPDX-License-Identifier: GPL-3.0-or-later
// Files that nobody should write. Each must end in problems, never in a crash or a long wait.
#include "core/config/yaml_node.h"
#include "tests/unit/config/support.h"

#include <random>

namespace roadtune::config {
namespace {

std::string repeated(const std::string& part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

TEST(HostileYaml, EmptyFilesAreEmptyConfigurations) {
  for (const char* text : {"", "\n\n", "# only a comment\n", "---\n", "---\n...\n", "null\n", "{}\n", "\xEF\xBB\xBF"})
    EXPECT_TRUE(resolveText(text).config) << text;
}

TEST(HostileYaml, AListOrAWordAtTheTopIsNamed) {
  EXPECT_NE(onlyError("- a\n- b\n").message.find("found a list"), std::string::npos);
  EXPECT_NE(onlyError("just words\n").message.find("a single value"), std::string::npos);
}

TEST(HostileYaml, SyntaxErrorsHaveAPlace) {
  const Problem problem = onlyError("seed: 1\nclasses: [a, b\nbf16: true\n");
  EXPECT_GE(problem.line, 2);
  EXPECT_NE(problem.message.find("not well-formed YAML"), std::string::npos);
  EXPECT_EQ(onlyError("train:\n\tseed: 1\n").line, 2);
  EXPECT_NE(onlyError("train:\n\tseed: 1\n").hint.find("tabs"), std::string::npos);
  EXPECT_FALSE(errorsOf("a: b: c\n").empty());
  EXPECT_FALSE(errorsOf("seed: 'open\n").empty());
  EXPECT_FALSE(errorsOf("seed: *nothing\n").empty());
}

TEST(HostileYaml, DeepNestingIsRefused) {
  for (const int depth : {40, 600, 100000}) {
    EXPECT_FALSE(errorsOf("seed: " + repeated("[", depth) + "\n").empty());
    EXPECT_FALSE(errorsOf("seed: " + repeated("{a: ", depth) + "\n").empty());
  }
  std::string blocks;
  for (int i = 0; i < 300; ++i) blocks += std::string(static_cast<std::size_t>(i), ' ') + "train:\n";
  EXPECT_FALSE(errorsOf(blocks + std::string(300, ' ') + "seed: x\n").empty());
  EXPECT_FALSE(errorsOf(repeated("- ", 5000) + "a\n").empty());
  EXPECT_FALSE(errorsOf(repeated("? ", 5000) + "a\n").empty());
}

TEST(HostileYaml, AliasesWorkAndDoNotExplode) {
  const RunConfig run = goodRun(
      "classes: &all [vehicle, sign]\nreport_to: [tensorboard]\nlayers_pattern: *all\nlayers_to_transform: "
      "[1]\nfinetuning_type: lora\ntarget_modules: *all\n");
  EXPECT_EQ(run.list("target_modules"), run.list("classes"));
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i)
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" +
              repeated("*a" + std::to_string(i - 1) + ", ", 10) + "x]\n";
  EXPECT_FALSE(errorsOf(laughs).empty());
  EXPECT_FALSE(errorsOf("seed: &a [*a]\n").empty());
  EXPECT_FALSE(errorsOf("<<: {seed: 1}\n").empty());
}

TEST(HostileYaml, BinaryGarbageIsRefused) {
  EXPECT_NE(onlyError(std::string("seed: 1\nbf16: \0\n", 16)).message.find("control character"), std::string::npos);
  const Problem broken = onlyError("seed: 1\nrun_name: \xff\xfe\n");
  EXPECT_EQ(broken.line, 2);
  EXPECT_NE(broken.message.find("UTF-8"), std::string::npos);
  EXPECT_FALSE(errorsOf("\xff\xfes\0e\0").empty());
}

TEST(HostileYaml, HugeFilesAreRefusedAtOnce) {
  EXPECT_NE(onlyError(repeated("# padding padding padding\n", 50000)).message.find("1 MiB"), std::string::npos);
  EXPECT_FALSE(errorsOf("classes: [" + repeated("a,", 100000) + "a]\n").empty());
}

TEST(HostileYaml, SeveralDocumentsAreRefused) {
  EXPECT_EQ(onlyError("seed: 1\n---\nseed: 2\n").line, 3);
  EXPECT_TRUE(errorsOf("---\nseed: 1\n...\n").empty());
}

TEST(HostileYaml, KeysThatAreNoWordsAreNamed) {
  EXPECT_FALSE(errorsOf("[a, b]: 1\n").empty());
  EXPECT_FALSE(errorsOf("{a: b}: 1\n").empty());
  EXPECT_FALSE(errorsOf("? \n: 1\n").empty());
  EXPECT_FALSE(errorsOf("null: 1\n").empty());
  EXPECT_FALSE(errorsOf("train_data: [{[x]: 1}]\n").empty());
  EXPECT_FALSE(errorsOf("modules: {[x]: full}\n").empty());
}

TEST(HostileYaml, WindowsFilesWork) {
  const RunConfig run = goodRun("\xEF\xBB\xBFseed: 7\r\ntrain:\r\n  bf16: true\r\n");
  EXPECT_EQ(run.integer("seed"), 7);
  EXPECT_TRUE(run.flag("bf16"));
}

TEST(HostileYaml, ColumnsCountCharacters) { EXPECT_EQ(onlyError("{run_name: \"äöü\", seed: x}\n").column, 25); }

// Good text with random bytes replaced, cut and doubled: whatever happens, it ends, and bad text has problems.
TEST(HostileYaml, DamagedFilesNeverCrash) {
  const std::string good =
      "model: {model_name_or_path: /m}\ntrain_data:\n  - {path: a, weight: 2}\nmodules: {a.b: full, c: {method: lora, "
      "r: 4}}\n"
      "lora:\n  target_modules: [q_proj, \"v_proj\"]  # which\nlearning_rate: 1e-5\nprompt_template: |\n  two\n  "
      "lines\n";
  std::mt19937 random(7);
  const std::string alphabet = "{}[]:,-#&*!|>'\"%@`? \n\tab1.\x80\xc3~=<";
  for (int round = 0; round < 400; ++round) {
    std::string text = good;
    for (unsigned edits = random() % 6 + 1; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      const unsigned kind = random() % 3;
      if (kind == 0) text[at] = alphabet[random() % alphabet.size()];
      if (kind == 1) text.insert(at, 1, alphabet[random() % alphabet.size()]);
      if (kind == 2) text.erase(at, random() % 4 + 1);
      if (text.empty()) text = " ";
    }
    Document document = fileWith(text);
    const Resolution resolution = resolve(document, {Purpose::Editing, {}});
    EXPECT_EQ(resolution.config.has_value(), !hasErrors(resolution.problems)) << text;
    // Edits either work or leave the text alone.
    if (!document.set("seed", 5).ok()) {
      EXPECT_EQ(document.text(), text);
    }
    if (document.set("learning_rate", 1e-3).ok() && resolution.config) {
      const Resolution edited = resolve(document, {Purpose::Editing, {}});
      ASSERT_TRUE(edited.config) << text << "\n----\n" << document.text();
      EXPECT_EQ(edited.config->number("learning_rate"), 1e-3);
    }
    if (!document.unset("target_modules").ok()) continue;
    EXPECT_FALSE(document.contains("target_modules")) << document.text();
  }
}

}  // namespace
}  // namespace roadtune::config
