// SPDX-License-Identifier: GPL-3.0-or-later
// Edits that leave every other byte alone.
#include "core/config/dump.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/config/support.h"

#include <filesystem>

namespace roadtune::config {
namespace {

std::string afterSet(std::string text, const char* key, const Value& value) {
  Document document(std::move(text), "/project/run.yaml");
  const Status status = document.set(key, value);
  EXPECT_TRUE(status.ok()) << status.error().text();
  return document.text();
}

std::string afterUnset(std::string text, const char* key) {
  Document document(std::move(text), "/project/run.yaml");
  const Status status = document.unset(key);
  EXPECT_TRUE(status.ok()) << status.error().text();
  return document.text();
}

TEST(DocumentEdit, ReplacesAValueAndKeepsItsComment) {
  EXPECT_EQ(afterSet("# top\nlearning_rate:   1e-5   # tuned by hand\nseed: 1\n", "learning_rate", 2e-5),
            "# top\nlearning_rate:   2.0e-05   # tuned by hand\nseed: 1\n");
}

TEST(DocumentEdit, WorksInsideHeadings) {
  EXPECT_EQ(afterSet("train:\n    seed: 1   # s\n\n    bf16: no\n# end\n", "seed", 2),
            "train:\n    seed: 2   # s\n\n    bf16: no\n# end\n");
}

TEST(DocumentEdit, ReplacesAListOverSeveralLines) {
  const std::string text = "classes:  # which\n  - vehicle\n  # rare\n  - cyclist\n\n# next\nseed: 1\n";
  EXPECT_EQ(afterSet(text, "classes", Value::texts({"sign"})), "classes: [sign]  # which\n\n# next\nseed: 1\n");
  EXPECT_EQ(afterSet("classes:\n- vehicle\n- cyclist\nseed: 1\n", "classes", Value::texts({"sign"})),
            "classes: [sign]\nseed: 1\n");
  EXPECT_EQ(afterSet("classes: [vehicle,\n  cyclist]  # both\nseed: 1\n", "classes", Value::texts({"sign"})),
            "classes: [sign]  # both\nseed: 1\n");
}

TEST(DocumentEdit, ReplacesTextsOverSeveralLines) {
  EXPECT_EQ(afterSet("prompt_template: |\n  # not a comment\n  two\nseed: 1\n", "prompt_template", "x"),
            "prompt_template: x\nseed: 1\n");
  EXPECT_EQ(afterSet("prompt_template: one\n  two\nseed: 1\n", "prompt_template", "x"),
            "prompt_template: x\nseed: 1\n");
  EXPECT_EQ(afterSet("prompt_template: \"a # b\\\" c\" # d\n", "prompt_template", "x"), "prompt_template: x # d\n");
}

TEST(DocumentEdit, WorksInFlowStyle) {
  EXPECT_EQ(afterSet("lora: {r: 8, alpha: 16}\n", "lora_alpha", 4.0), "lora: {r: 8, alpha: 4}\n");
  EXPECT_EQ(afterSet("lora: {r: 8}\n", "lora_dropout", 0.5), "lora: {lora_dropout: 0.5, r: 8}\n");
  EXPECT_EQ(afterSet("{seed: 1}\n", "bf16", true), "{bf16: true, seed: 1}\n");
  EXPECT_EQ(afterUnset("lora: {r: 8, alpha: 16}\n", "r"), "lora: {alpha: 16}\n");
  EXPECT_EQ(afterUnset("lora: {r: 8, alpha: 16}\n", "lora_alpha"), "lora: {r: 8}\n");
}

TEST(DocumentEdit, FillsAnEmptyValue) {
  EXPECT_EQ(afterSet("eval_data:  # later\nseed: 1\n", "eval_data", Value::List{Value::Map{{"path", "/x"}}}),
            "eval_data: /x  # later\nseed: 1\n");
}

TEST(DocumentEdit, AddsAKeyToItsHeading) {
  EXPECT_EQ(afterSet("train:\n  seed: 1\n\n# output\noutput:\n  output_dir: x\n", "bf16", true),
            "train:\n  seed: 1\n  bf16: true\n\n# output\noutput:\n  output_dir: x\n");
  EXPECT_EQ(afterSet("train:\n  seed: 1\n", "output_dir", "/x"), "train:\n  seed: 1\n\noutput:\n  output_dir: /x\n");
  EXPECT_EQ(afterSet("lora:\n  r: 1\n", "lora_alpha", 2.0), "lora:\n  r: 1\n  lora_alpha: 2\n");
}

TEST(DocumentEdit, AddsAKeyToAFlatFile) {
  EXPECT_EQ(afterSet("seed: 1", "bf16", true), "seed: 1\nbf16: true\n");
  EXPECT_EQ(afterSet("", "bf16", true), "bf16: true\n");
  EXPECT_EQ(afterSet("# c\n", "bf16", true), "# c\nbf16: true\n");
  EXPECT_EQ(afterSet("---\nseed: 1\n...\n", "bf16", true), "---\nseed: 1\nbf16: true\n...\n");
}

TEST(DocumentEdit, KeepsTheSpellingOfTheFile) {
  EXPECT_EQ(afterSet("micro_batch_size: 2\n", "per_device_train_batch_size", 4), "micro_batch_size: 4\n");
  EXPECT_EQ(afterSet("quantization_bit: 4  # b\n", "load_in_4bit", false), "load_in_4bit: false  # b\n");
  EXPECT_EQ(afterSet("finetune_vision_layers: true\n", "freeze_vision_tower", true), "freeze_vision_tower: true\n");
}

TEST(DocumentEdit, RemovesTheLinesOfAKey) {
  EXPECT_EQ(afterUnset("# a\nseed: 1  # gone\nbf16: true\n", "seed"), "# a\nbf16: true\n");
  EXPECT_EQ(afterUnset("train_data:\n  - path: a\n    weight: 2\n  - b\n# keep\nseed: 1\n", "train_data"),
            "# keep\nseed: 1\n");
  EXPECT_EQ(afterUnset("train:\n  seed: 1\n", "seed"), "train:\n");
  EXPECT_EQ(afterUnset("seed: 1\n", "bf16"), "seed: 1\n");
}

TEST(DocumentEdit, KeepsLineEndsAndByteOrderMarks) {
  EXPECT_EQ(afterSet("\xEF\xBB\xBFseed: 1 # x\r\nbf16: true\r\n", "seed", 2),
            "\xEF\xBB\xBFseed: 2 # x\r\nbf16: true\r\n");
  EXPECT_EQ(afterSet("seed: 1\r\n", "bf16", true), "seed: 1\r\nbf16: true\r\n");
  EXPECT_EQ(afterUnset("seed: 1\r\nbf16: true\r\n", "seed"), "bf16: true\r\n");
}

TEST(DocumentEdit, LeavesAloneWhatItCannotEdit) {
  for (const char* text : {"seed: [\n", "seed: &x 1\nmax_steps: *x\n", "? seed\n: 1\n"}) {
    Document document(text);
    EXPECT_FALSE(document.set("seed", 2).ok()) << document.text();
    EXPECT_EQ(document.text(), text);
  }
  EXPECT_FALSE(Document("").set("no_such_key", 1).ok());
}

TEST(DocumentEdit, UndoesItself) {
  const std::string text = "# a\ntrain:\n  seed: 1 # b\n\n  # c\noutput: {output_dir: x}\n";
  Document document(text);
  ASSERT_TRUE(document.set("bf16", true).ok());
  ASSERT_TRUE(document.set("seed", 77).ok());
  ASSERT_TRUE(document.set("seed", 1).ok());
  ASSERT_TRUE(document.unset("bf16").ok());
  EXPECT_EQ(document.text(), text);
}

TEST(DocumentFiles, AreSavedWholeAndReadBack) {
  const testing::TempFolder folder;
  const auto path = folder.write("run.yaml", "seed: 1\n");
  auto document = Document::load(path);
  ASSERT_TRUE(document.ok());
  ASSERT_TRUE(document.value().set("seed", 5).ok());
  ASSERT_TRUE(document.value().save().ok());
  EXPECT_EQ(testing::readAll(path), "seed: 5\n");
  ASSERT_TRUE(document.value().saveAs(folder / "other.yaml").ok());
  EXPECT_EQ(document.value().path(), folder / "other.yaml");
  EXPECT_FALSE(Document("x: 1").save().ok());
  EXPECT_FALSE(Document::load(folder / "none.yaml").ok());
  EXPECT_FALSE(Document::load(folder.path()).ok());
}

}  // namespace
}  // namespace roadtune::config
