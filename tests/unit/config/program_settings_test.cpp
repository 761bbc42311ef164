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

// What a program does to its data cannot be taken over, but is not lost without a word.
TEST(PythonSettings, DataOfAHubHeldOutSharesAndPromptsAreToldOrTakenOver) {
  const auto config = imported("train.py", R"(
ds = load_dataset('HuggingFaceM4/VQAv2', split="train[:10%]")
ds = ds.train_test_split(test_size=0.1)
def collate_fn(examples): return processor(text=["answer " + e["question"] for e in examples])
model = PaliGemmaForConditionalGeneration.from_pretrained("google/paligemma-3b-pt-224")
trainer = Trainer(model=model, train_dataset=ds["train"], data_collator=collate_fn, args=args)
)");
  EXPECT_EQ(goodRun(config.yaml).number("eval_fraction"), 0.1);
  for (const char* words : {"# load_dataset: the program reads 'HuggingFaceM4/VQAv2', \"train[:10%]\"",
                            "# data_collator: prompts and answers are put together by the program: collate_fn"})
    EXPECT_NE(config.yaml.find(words), std::string::npos) << config.yaml;
  const auto counted =
      imported("train.py", "ds = ds.train_test_split(test_size=200)\nargs = TrainingArguments(seed=1)\n");
  EXPECT_NE(counted.yaml.find("# train_test_split: the program holds samples back: 200"), std::string::npos);
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

TEST(PythonSettings, AnAdapterThatIsLoadedToBeTrainedIsTrainedOn) {
  const std::string model = "m = AutoModelForImageTextToText.from_pretrained('x')\n",
                    end = "TrainingArguments(seed=3)\n";
  const RunConfig run = goodRun(
      imported("a.py", model + "start = 'ad'\nm = PeftModel.from_pretrained(m, start, is_trainable=True)\n" + end)
          .yaml);
  EXPECT_EQ(run.text("adapter_name_or_path"), "/project/ad");
  EXPECT_EQ(run.text("finetuning_type"), "lora");
  EXPECT_EQ(run.text("model_name_or_path"), "/project/x");
  const RunConfig named = goodRun(
      imported("a.py",
               model + "m = peft.PeftModelForCausalLM.from_pretrained(m, model_id='ad', is_trainable=True)\n" + end)
          .yaml);
  EXPECT_EQ(named.text("adapter_name_or_path"), "/project/ad");
  const RunConfig used = goodRun(imported("a.py", model + end + "m = PeftModel.from_pretrained(m, 'ad')\n").yaml);
  EXPECT_EQ(used.text("finetuning_type"), "full") << "for use alone";
}

// What a program asks of whoever starts it.
const std::string kAsking = R"(import argparse
from trl import SFTConfig

def main(args):
    quantized = args.bits == 4
    out = f"runs/{args.name}-{args.seed}"
    if quantized:
        bnb = BitsAndBytesConfig(load_in_4bit=True)
    model = PaliGemmaForConditionalGeneration.from_pretrained(
        args.model, quantization_config=bnb if quantized else None,
        torch_dtype=torch.bfloat16 if torch.cuda.is_available() else torch.float32)
    if args.lora:
        model = get_peft_model(model, LoraConfig(r=args.rank, lora_alpha=2 * args.rank, target_modules=["q_proj"]))
    config = SFTConfig(output_dir=out, learning_rate=args.lr, num_train_epochs=args.epochs, seed=args.seed,
                       gradient_accumulation_steps=64 // args.batch // 4, per_device_train_batch_size=args.batch)

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--name", default="first", help="of the run")
    parser.add_argument("-l", "--lr", type=float, default=2e-5)
    parser.add_argument("--batch", dest="batch", type=int,
                        default=8)
    parser.add_argument("--epochs", default=3)
    parser.add_argument("--bits", type=int, default=16, choices=[4, 16])
    parser.add_argument("--rank", type=int, default=8)
    parser.add_argument("--lora", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wandb-project", default="p")
    main(parser.parse_args())
)";

TEST(PythonSettings, TheDefaultsOfItsCommandLineAreTakenAndNamed) {
  std::string code = kAsking;
  const auto config = imported("train.py", code);
  const std::string inOne = "    main(parser.parse_args())\n";
  code.replace(code.find(inOne), inOne.size(), "    options, rest = parser.parse_known_args()\n    main(options)\n");
  EXPECT_EQ(imported("train.py", code).yaml, config.yaml);
  EXPECT_NE(
      config.yaml.find("# model_name_or_path: is given to the program when it is started: --model (try: write its"),
      std::string::npos)
      << config.yaml;
  const RunConfig run = goodRun(config.yaml + "\nmodel_name_or_path: /models/pg\n");
  EXPECT_EQ(run.text("output_dir"), "/project/runs/first-1");
  EXPECT_EQ(run.number("learning_rate"), 2e-5);
  EXPECT_EQ(run.integer("per_device_train_batch_size"), 8);
  EXPECT_EQ(run.integer("gradient_accumulation_steps"), 2);
  EXPECT_EQ(run.text("finetuning_type"), "full") << "--lora is off unless it is given";
  EXPECT_FALSE(run.flag("load_in_4bit"));
  EXPECT_NE(config.yaml.find("# command line: the program's own defaults are taken for gradient_acc"),
            std::string::npos)
      << config.yaml;
  EXPECT_NE(config.yaml.find("learning_rate (--lr)"), std::string::npos) << config.yaml;
}

TEST(ShellSettings, ProcessesOfAllMachinesAreSharedAmongThem) {
  const auto launched = [](const std::string& options) {
    return imported("go.sh", "accelerate launch " + options + " train.py --model_name_or_path /m\n");
  };
  EXPECT_EQ(goodRun(launched("--num_machines 2 --num_processes 16").yaml).integer("nproc_per_node"), 8);
  EXPECT_EQ(goodRun(launched("--num_machines 1 --num_processes 8").yaml).integer("nproc_per_node"), 8);
  EXPECT_EQ(goodRun(launched("--num_processes 4").yaml).integer("nproc_per_node"), 4);
  const auto odd = launched("--num_machines 3 --num_processes 16");
  EXPECT_FALSE(goodRun(odd.yaml).has("nproc_per_node"));
  EXPECT_NE(odd.yaml.find("16 processes do not go into 3 machines"), std::string::npos) << odd.yaml;
}

TEST(ShellSettings, TheProgramBesideTheScriptSaysWhatItMakesOfItsOptions) {
  const testing::TempFolder folder;
  folder.write("src/train.py", kAsking);
  const auto path = folder.write("scripts/go.sh",
                                 "LR=5e-5\naccelerate launch ../src/train.py --model /models/pg --lr $LR --lora \\\n"
                                 "    --rank 16 --bits 4 --name second --wandb-project w\n");
  const auto config = importConfig(path);
  ASSERT_TRUE(config.ok()) << config.error().text();
  const RunConfig run = goodRun(config.value().yaml);
  EXPECT_EQ(run.text("model_name_or_path"), "/models/pg");
  EXPECT_EQ(run.text("finetuning_type"), "qlora");
  EXPECT_EQ(run.integer("r"), 16);
  EXPECT_EQ(run.integer("lora_alpha"), 32);
  EXPECT_EQ(run.number("learning_rate"), 5e-5);
  EXPECT_EQ(run.text("output_dir"), "/project/runs/second-1");
  folder.write("scripts/late.sh", "../src/train.py --model /m --lr $(head -1 lr.txt) --batch $1\n");
  const auto late = importConfig(folder / "scripts/late.sh");
  ASSERT_TRUE(late.ok());
  EXPECT_EQ(late.value().yaml.find("\n  learning_rate:"), std::string::npos) << "not the program's default";
  EXPECT_NE(late.value().yaml.find("# lr: is worked out by the script: $(head -1 lr.txt)"), std::string::npos)
      << late.value().yaml;
  for (const char* gone : {"# lr:", "# rank:", "# bits:", "# name:", "# command line:"})
    EXPECT_EQ(config.value().yaml.find(gone), std::string::npos) << config.value().yaml;
}

TEST(PythonSettings, DataClassesDictionariesAndFunctionsAreFollowed) {
  const auto config = imported("train.py", R"(
@dataclass
class ModelArguments:
    """What is trained."""
    model_id: str = field(default="google/paligemma-3b-pt-224", metadata={"help": "of the hub"})
    targets: list[str] = field(default_factory=lambda: ["q_proj", "v_proj"])
    lr: float = 3e-4

class CFG:
    seed = 11
    def __init__(self, decay=0.01):
        self.decay = decay

COMMON = {"warmup_ratio": 0.1, "bf16": True, "max_steps": len(data), "optim": "adamw_torch"}
cfg = CFG(decay=0.05)

def build(rank: int = 4, *, alpha=8):
    return LoraConfig(r=rank, lora_alpha=alpha, target_modules=model_args.targets, task_type=None)

parser = HfArgumentParser((ModelArguments, TrainingArguments))
model_args, training_args = parser.parse_args_into_dataclasses()
base = os.environ.get("BASE", "out") if cfg.seed >= 11 else "in"
EVERY = [10, 20]
name = model_args.model_id.split("/")[-1]
model = AutoModelForVision2Seq.from_pretrained(model_args.model_id)
model = get_peft_model(model, build(rank=12))
args = TrainingArguments(os.path.join(base, "a"), output_dir=os.path.join(base, str(cfg.seed)), **COMMON,
                         run_name=name + "-" + f"{Path(base).name}", logging_steps=EVERY[1],
                         learning_rate=model_args.lr, weight_decay=cfg.decay, seed=CFG.seed,
                         lr_scheduler_type=COMMON["optim"] if False else "linear", **others)
)");
  const RunConfig run = goodRun(config.yaml);
  EXPECT_EQ(run.text("model_name_or_path"), "/project/google/paligemma-3b-pt-224");
  EXPECT_EQ(run.list("target_modules"), (std::vector<std::string>{"q_proj", "v_proj"}));
  EXPECT_EQ(run.integer("r"), 12);
  EXPECT_EQ(run.integer("lora_alpha"), 8);
  EXPECT_EQ(run.number("warmup_ratio"), 0.1);
  EXPECT_EQ(run.number("learning_rate"), 3e-4);
  EXPECT_EQ(run.number("weight_decay"), 0.05);
  EXPECT_EQ(run.integer("seed"), 11);
  EXPECT_EQ(run.text("lr_scheduler_type"), "linear");
  EXPECT_EQ(run.text("output_dir"), "/project/out/11");
  EXPECT_EQ(run.text("run_name"), "paligemma-3b-pt-224-out");
  EXPECT_EQ(run.integer("logging_steps"), 20);
  EXPECT_NE(config.yaml.find("# max_steps: is worked out by the program: len(data)"), std::string::npos) << config.yaml;
  EXPECT_NE(config.yaml.find("# **: is worked out by the program: others"), std::string::npos) << config.yaml;
}

TEST(PythonSettings, OnlyTextsAreAddedToTexts) {
  const auto config = imported("t.py", R"(
parts = "google/paligemma-3b".split("/")
TrainingArguments(output_dir=os.path.join(parts, "out"), run_name=parts + "-" + "a", seed=3)
)");
  EXPECT_EQ(config.yaml.find("  run_name:"), std::string::npos) << config.yaml;
  EXPECT_EQ(config.yaml.find("  output_dir:"), std::string::npos) << config.yaml;
  for (const char* left :
       {"# run_name: is worked out by the program: parts + ", "# output_dir: is worked out by the program: os"})
    EXPECT_NE(config.yaml.find(left), std::string::npos) << config.yaml;
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
  EXPECT_FALSE(importConfig(folder.write("h.sh", "a --=1\n")).ok());
  const auto named = importConfig(folder.write("f.sh", "cd x\nllamafactory-cli train conf/lora.yaml\n"));
  ASSERT_FALSE(named.ok());
  EXPECT_EQ(named.error().hint, "import conf/lora.yaml, which it names");
  folder.write("t.py", "TrainingArguments(seed=8)\n");
  const auto plain = importConfig(folder.write("g.sh", "mkdir -p out\npython t.py\n"));
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(goodRun(plain.value().yaml).integer("seed"), 8);
}

TEST(ShellSettings, ArraysAndNestedCommandsAreFollowed) {
  const auto config = imported("go.sh", R"(set -euo pipefail
MODEL="${1:-/models/pg}"
LRS="--learning_rate 1e-4 --weight_decay 0.1"
ARGS=(
  --model_name_or_path "$MODEL"   # the base
  "--output_dir=out/${RUN:-first run}" --lr_scheduler_type="cosine"
)
if [[ -n "${DEBUG:-}" ]]; then ARGS+=(--max_steps "9"); fi
echo "--seed 1" > log.txt
srun bash -c "torchrun --nproc_per_node $(nvidia-smi -L | wc -l) t.py $LRS --warmup_steps $2" 2>&1 | tee log
torchrun t.py "${ARGS[@]}" $LRS --seed `date +%s` --num_train_epochs $((1 + 1)) --report_to tensorboard "$@" >>log.txt 2>&1 &
)");
  const RunConfig run = goodRun(config.yaml);
  EXPECT_EQ(run.text("model_name_or_path"), "/models/pg");
  EXPECT_EQ(run.text("output_dir"), "/project/out/first run");
  EXPECT_EQ(run.text("lr_scheduler_type"), "cosine");
  EXPECT_EQ(run.integer("max_steps"), 9);
  EXPECT_EQ(run.number("learning_rate"), 1e-4);
  EXPECT_EQ(run.list("report_to"), std::vector<std::string>{"tensorboard"});
  EXPECT_NE(config.yaml.find("# seed: is worked out by the script: `date +%s` (try: write its value)"),
            std::string::npos)
      << config.yaml;
  EXPECT_NE(config.yaml.find("# num_train_epochs: is worked out by the script: $((1 + 1))"), std::string::npos)
      << config.yaml;
  const RunConfig nested = goodRun(imported("n.sh", "srun bash -lc 'torchrun t.py --seed 3 --max_steps=5'\n").yaml);
  EXPECT_EQ(nested.integer("seed"), 3);
  EXPECT_EQ(nested.integer("max_steps"), 5);
}

// Cut, repeated and changed texts neither crash nor hang; sanitizers look on.
TEST(ProgramSettings, ManglesOfProgramsAreRead) {
  Random random(26);
  for (const std::string& whole : {kProgram, kScript, kAsking})
    for (int i = 0; i < 600; ++i) {
      std::string text = whole.substr(0, random.below(whole.size()));
      for (int change = 0; change < 4 && !text.empty(); ++change) {
        const std::string odd = "()[]{}'\"\\$#=,:\n\0f\xff";
        text.insert(random.below(text.size()), 1, odd[random.below(odd.size())]);
      }
      settingsOfPython(text, "p.py");
      settingsOfShell(text, "p.sh");
    }
  const std::string deep(200'000, '[');
  settingsOfPython("TrainingArguments(seed=" + deep, "p.py");
  settingsOfPython("x = " + deep + "\nif " + std::string(100'000, '(') + ":\n", "p.py");
  std::string calls = "x = ", members = "class A:\n  a = 1\nx = A()\n", ternaries = "x = 1";
  for (int i = 0; i < 50'000; ++i) {
    calls += "f(";
    members += i % 2 ? "x.b = y\n" : "y.c = x\n";
    ternaries += " if a else 1";
  }
  std::string comparisons = "x = y";
  for (int i = 0; i < 40; ++i) comparisons += "(a(b.((";
  for (const std::string& text :
       {calls, members, ternaries, "TrainingArguments(seed=" + calls, comparisons + " is not 1 == 2\n"})
    settingsOfPython(text, "p.py");
}

}  // namespace
}  // namespace roadtune::config
