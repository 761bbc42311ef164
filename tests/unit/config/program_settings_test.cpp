// SPDX-License-Identifier: GPL-3.0-or-later
// Trainings that are programs: what their text says of settings, without running it.
#include "core/config/program_settings.h"

#include "core/base/random.h"
#include "core/config/importing.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/config/support.h"

#include <algorithm>

namespace roadtune::config {
namespace {

const std::string kProgram = R"(import torch
from peft import LoraConfig, get_peft_model
model_id = "google/paligemma2-3b-pt-224"  # the base
USE_LORA = False
USE_QLORA = True
LR = 2e-5
if USE_LORA or USE_QLORA:
    lora_config = LoraConfig(
        r=8,
        target_modules=["q_proj", "o_proj",
  "k_proj"],  # the outer line ends here
        task_type="CAUSAL_LM",
    )
    if USE_QLORA:
        bnb_config = BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_quant_type="nf4",
                                        bnb_4bit_compute_type=torch.bfloat16)
    model = PaliGemmaForConditionalGeneration.from_pretrained(model_id, quantization_config=bnb_config)
    model = get_peft_model(model, lora_config)
else:
    model = PaliGemmaForConditionalGeneration.from_pretrained("another", device_map="auto")
    for param in model.vision_tower.parameters():
        param.requires_grad = False
args = transformers.TrainingArguments(
    num_train_epochs=2, remove_unused_columns=False, learning_rate=LR, weight_decay=1e-6,
    # seed=1,
    optim="adamw_hf", output_dir="out" "_all", lr_scheduler_type="cosine", lr_scheduler_kwargs={"num_cycles": 0.5},
    bf16=torch.cuda.is_bf16_supported(), push_to_hub=bool(1), report_to=["tensorboard"])
)";

TEST(PythonSettings, ArgumentsVariablesAndTakenBranchesBecomeAConfiguration) {
  const auto config = imported("train.py", kProgram);
  const RunConfig run = goodRun(config.yaml);
  EXPECT_EQ(run.text("model_name_or_path"), "/project/google/paligemma2-3b-pt-224");
  EXPECT_EQ(run.text("finetuning_type"), "qlora");
  EXPECT_EQ(run.integer("r"), 8);
  EXPECT_EQ(run.list("target_modules"), (std::vector<std::string>{"q_proj", "o_proj", "k_proj"}));
  EXPECT_EQ(run.text("bnb_4bit_compute_dtype"), "bfloat16");
  EXPECT_FALSE(run.flag("freeze_vision_tower")) << "that branch is not taken";
  EXPECT_EQ(run.number("learning_rate"), 2e-5);
  EXPECT_EQ(run.number("weight_decay"), 1e-6);
  EXPECT_EQ(run.text("output_dir"), "/project/out_all");
  EXPECT_FALSE(run.isSet("seed")) << "a comment";
  EXPECT_NE(
      config.yaml.find("# bf16: is worked out by the program: torch.cuda.is_bf16_supported() (try: write its value)"),
      std::string::npos)
      << config.yaml;
  EXPECT_EQ(config.yaml.find("push_to_hub"), std::string::npos) << "of no use here, whatever it is";
  const auto note = std::find_if(config.notes.begin(), config.notes.end(), [](auto& one) { return one.key == "bf16"; });
  ASSERT_NE(note, config.notes.end());
  EXPECT_EQ(note->line, 27);
}

TEST(PythonSettings, TheOtherBranchFreezesAndLeavesTheAdaptersOut) {
  std::string text = kProgram;
  text.replace(text.find("USE_QLORA = True"), 16, "USE_QLORA = False");
  const RunConfig run = goodRun(imported("train.py", text).yaml);
  EXPECT_EQ(run.text("finetuning_type"), "full");
  EXPECT_EQ(run.text("model_name_or_path"), "/project/another");
  EXPECT_TRUE(run.flag("freeze_vision_tower"));
  EXPECT_FALSE(run.flag("freeze_multi_modal_projector"));
  EXPECT_FALSE(run.flag("load_in_4bit"));
}

TEST(PythonSettings, WhatIsGivenToNoModelIsSaid) {
  const auto config = imported("a.py",
                               "c = LoraConfig(r=4)\nb = BitsAndBytesConfig(load_in_4bit=True)\n"
                               "m = AutoModelForImageTextToText.from_pretrained('x')\n"
                               "m.vision_tower.requires_grad_(False)\n"
                               "m.language_model.requires_grad_(True)\nSFTConfig(seed=3)\n");
  const RunConfig run = goodRun(config.yaml);
  EXPECT_EQ(run.text("finetuning_type"), "full");
  EXPECT_TRUE(run.flag("freeze_vision_tower"));
  EXPECT_FALSE(run.flag("freeze_language_model"));
  EXPECT_EQ(run.integer("seed"), 3);
  EXPECT_EQ(config.notes.size(), 2u) << config.yaml;
}

TEST(PythonSettings, NotebooksAreReadCellByCell) {
  const auto config = imported("n.ipynb", R"json({"cells": [
      {"cell_type": "markdown", "source": ["TrainingArguments(seed=1)"]},
      {"cell_type": "code", "source": ["!pip install -q peft\n", "SEED = 7\n"], "outputs": [{"text": "seed=9"}]},
      {"cell_type": "code", "source": "TrainingArguments(seed=SEED, learning_rate=now())"}], "nbformat": 4})json");
  EXPECT_EQ(goodRun(config.yaml).integer("seed"), 7);
  ASSERT_EQ(config.notes.size(), 1u) << config.yaml;
  EXPECT_NE(config.notes[0].text().find("n.ipynb: warning: learning_rate: "), std::string::npos)
      << config.notes[0].text() << ": lines of its code are no lines of the file";
  const testing::TempFolder folder;
  const auto broken = importConfig(folder.write("n.ipynb", "{\"cells\": 3}"));
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().what, "is no Jupyter notebook");
  const auto empty = importConfig(folder.write("e.py", "print('hello')\n"));
  ASSERT_FALSE(empty.ok());
  EXPECT_NE(empty.error().hint.find("TrainingArguments"), std::string::npos);
}

const std::string kScript =
    "# 22GB\nexport MODEL=google/paligemma2-3b-pt-224\nnvidia-smi --query\nCUDA_VISIBLE_DEVICES=0 \\\nswift sft \\\n"
    "    --model $MODEL \\\n    --train_type lora \\\n    --dataset 'walkers one.jsonl#500' b.jsonl \\\n"
    "    --learning-rate=1e-4 \\\n    --lr_scheduler_type cosine_with_min_lr \\\n"
    "    --lr_scheduler_kwargs '{\"min_lr\": 1e-6}' \\\n    --output_dir output/${RUN:-first} # here\n";

TEST(ShellSettings, TheOptionsOfTheCommandBecomeAConfiguration) {
  const auto config = imported("train.sh", kScript);
  EXPECT_EQ(config.format, "ms-swift");
  const RunConfig run = goodRun(config.yaml);
  EXPECT_EQ(run.text("model_name_or_path"), "/project/google/paligemma2-3b-pt-224");
  EXPECT_EQ(run.sources("train_data")[0].path, "/project/walkers one.jsonl");
  EXPECT_EQ(run.sources("train_data")[1].path, "/project/b.jsonl");
  EXPECT_EQ(run.number("learning_rate"), 1e-4);
  EXPECT_EQ(run.text("output_dir"), "/project/output/first");
  EXPECT_EQ(run.numberMap("lr_scheduler_kwargs")[0].second, 1e-6);
}

TEST(ShellSettings, TheProgramBehindALauncherIsNoValue) {
  const auto config =
      imported("go.sh", "torchrun --standalone --nproc_per_node 2 train.py --bf16 --seed 5 --max_steps 9\n");
  const RunConfig run = goodRun(config.yaml);
  EXPECT_EQ(run.integer("nproc_per_node"), 2);
  EXPECT_EQ(run.integer("seed"), 5);
  EXPECT_TRUE(run.flag("bf16"));
  const testing::TempFolder folder;
  EXPECT_FALSE(importConfig(folder.write("e.sh", "echo hello\n")).ok());
}

// Cut, repeated and changed texts neither crash nor hang; sanitizers look on.
TEST(ProgramSettings, ManglesOfProgramsAreRead) {
  Random random(26);
  for (const std::string& whole : {kProgram, kScript})
    for (int i = 0; i < 600; ++i) {
      std::string text = whole.substr(0, random.below(whole.size()));
      for (int change = 0; change < 4 && !text.empty(); ++change) {
        const std::string odd = "()[]{}'\"\\$#=,:\n\0f\xff";
        text.insert(random.below(text.size()), 1, odd[random.below(odd.size())]);
      }
      settingsOfPython(text, "p.py");
      settingsOfShell(text);
    }
  const std::string deep(200'000, '[');
  settingsOfPython("TrainingArguments(seed=" + deep, "p.py");
  settingsOfPython("x = " + deep + "\nif " + std::string(100'000, '(') + ":\n", "p.py");
}

}  // namespace
}  // namespace roadtune::config
