// SPDX-License-Identifier: GPL-3.0-or-later
// What a Python program freezes, and what it gives adapters.
#include "core/base/text.h"
#include "tests/unit/config/support.h"

#include <string>
#include <utility>

namespace roadtune::config {
namespace {

// Which parts a program leaves frozen, as "vmt" in that order, and what it is told where that cannot be known.
std::pair<std::string, std::string> frozenBy(const std::string& lines) {
  const auto config = imported("a.py", "m = AutoModel.from_pretrained('x')\n" + lines + "SFTConfig(seed=3)\n");
  const RunConfig run = goodRun(config.yaml);
  std::string frozen, told;
  for (const char* part : {"vision_tower", "multi_modal_projector", "language_model"})
    if (run.flag(std::string("freeze_") + part)) frozen += part[0];
  for (const auto& note : config.notes) told += note.message;
  return {frozen, told};
}

TEST(PythonFreezing, LoopsOverNamesFreezeWhatTheyAskFor) {
  using Answer = std::pair<std::string, std::string>;
  EXPECT_EQ(frozenBy("for name, p in m.named_parameters():\n    if \"vision_tower\" in name:\n"
                     "        p.requires_grad = False\n"),
            Answer("v", ""));
  EXPECT_EQ(frozenBy("for p in m.parameters():\n    p.requires_grad = False\n"
                     "for p in m.model.language_model.parameters():\n    p.requires_grad_(True)\n"),
            Answer("vm", ""));
  for (const std::string condition :
       {"\"vision_tower\" in n or 'multi_modal_projector' in n",
        "n.startswith('model.vision_tower') or \"projector\" in n", "\"language_model\" not in n"})
    EXPECT_EQ(frozenBy("for n, p in m.named_parameters():\n  if " + condition + ":\n    p.requires_grad = False\n"),
              condition.find("\"projector") == std::string::npos ? Answer("vm", "")
                                                                 : Answer("",
                                                                          "what is trained is worked out by the "
                                                                          "program: p.requires_grad = False"));
  EXPECT_EQ(frozenBy("m.requires_grad_(False)\nm.language_model.requires_grad_()\n"), Answer("vm", ""));
  EXPECT_EQ(frozenBy("for p in m.multi_modal_projector.parameters(): p.requires_grad = False\n"), Answer("m", ""));
  EXPECT_EQ(frozenBy("n = sum(p.numel() for p in m.parameters() if p.requires_grad)\n"), Answer("", ""));
}

TEST(PythonFreezing, WhatIsFrozenByARuleOfTheProgramIsSaid) {
  for (const std::string lines :
       {"for name, p in m.named_parameters():\n    p.requires_grad = 'language_model' in name\n",
        "for name, p in m.named_parameters():\n    if 'self_attn' in name:\n        p.requires_grad = True\n",
        "for name, p in m.named_parameters():\n    if 'vision_tower' in name:\n        p.requires_grad = False\n"
        "    else:\n        keep(p)\n",
        "for p in m.vision_tower.encoder.parameters():\n    p.requires_grad = False\n",
        "for p in chosen:\n    p.requires_grad = False\n"}) {
    const auto [frozen, told] = frozenBy(lines);
    EXPECT_EQ(frozen, "") << lines;
    EXPECT_EQ(told.rfind("what is trained is worked out by the program: p.requires_grad = ", 0), 0u) << lines << told;
  }
}

TEST(PythonFreezing, WhatStandsStillBelowAdaptersIsNoNews) {
  const auto config = imported("a.py",
                               "m = AutoModel.from_pretrained('x')\nfor p in m.parameters(): p.requires_grad = False\n"
                               "m = get_peft_model(m, LoraConfig(r=4, target_modules=['q_proj']))\n");
  EXPECT_FALSE(goodRun(config.yaml).flag("freeze_language_model"));
  EXPECT_TRUE(config.notes.empty()) << config.yaml;
}

TEST(PythonFreezing, WhatIsFrozenOfAdaptersIsSaid) {
  const auto config =
      imported("a.py",
               "m = get_peft_model(AutoModel.from_pretrained('x'), LoraConfig(r=4, target_modules=['q_proj']))\n"
               "for n, p in m.named_parameters():\n  if 'vision_tower' in n:\n    p.requires_grad = False\n");
  EXPECT_FALSE(goodRun(config.yaml).flag("freeze_vision_tower"));
  ASSERT_EQ(config.notes.size(), 1u) << config.yaml;
  EXPECT_EQ(config.notes[0].key, "requires_grad");
}

TEST(PythonFreezing, WhatIsSaidAfterTheCallCountsOrIsTold) {
  const auto config = imported(
      "a.py",
      "m = AutoModel.from_pretrained('x', load_in_8bit=True)\ncfg = LoraConfig(r=4, lora_alpha=8, "
      "target_modules=['q_proj'])\n"
      "cfg.lora_alpha = 64\nm = get_peft_model(m, cfg)\nds = ds.train_test_split(0.1)\n"
      "args = TrainingArguments('my-run', learning_rate=1e-4, eval_strategy='epoch')\nargs.learning_rate = 3e-5\n"
      "if args.learning_rate == 4: pass\nargs = args.set_lr_scheduler(name='cosine', warmup_ratio=0.2)\n"
      "opt = torch.optim.SGD(m.parameters(), lr=5)\n"
      "Trainer(m, args, optimizers=(opt, None), callbacks=[EarlyStoppingCallback(3)])\n");
  const RunConfig run = goodRun(config.yaml);
  EXPECT_EQ(run.number("lora_alpha"), 64);
  EXPECT_EQ(run.number("learning_rate"), 3e-5);
  EXPECT_EQ(run.text("output_dir"), "/project/my-run");
  EXPECT_EQ(run.integer("early_stopping_patience"), 3);
  std::string told;
  for (const auto& note : config.notes) told += note.text() + "\n";
  for (const char* part : {"load_in_8bit: 8-bit weights are not offered",
                           "the program changes settings: args.set_lr_scheduler(name='cosine', warmup_ratio=0.2)",
                           "the program makes its own optimizer: torch.optim.SGD(m.parameters(), lr=5)"})
    EXPECT_NE(told.find(part), std::string::npos) << told;
}

TEST(PythonFreezing, UnslothSaysInOneCallWhatGetsAdapters) {
  const auto config = imported(
      "a.py",
      "model, tok = FastVisionModel.from_pretrained('unsloth/paligemma', load_in_4bit=True)\n"
      "model = FastVisionModel.get_peft_model(model, finetune_vision_layers=False, finetune_language_layers=True,\n"
      "    finetune_attention_modules=True, finetune_mlp_modules=False, r=32, lora_alpha=32, bias='none',\n"
      "    random_state=3407, use_rslora=True, use_gradient_checkpointing='unsloth')\nSFTConfig(max_grad_norm=None)\n");
  const RunConfig run = goodRun(config.yaml);
  EXPECT_EQ(run.text("finetuning_type"), "qlora");
  EXPECT_TRUE(run.flag("bnb_4bit_use_double_quant"));
  EXPECT_EQ(run.integer("r"), 32);
  EXPECT_TRUE(run.flag("use_rslora"));
  EXPECT_TRUE(run.flag("gradient_checkpointing"));
  EXPECT_EQ(run.text("exclude_modules"), ".*(multi_modal_projector|vision_tower).*");
  EXPECT_EQ(run.text("target_modules"), ".*(q_proj|k_proj|v_proj|o_proj|out_proj)");
  EXPECT_EQ(run.number("max_grad_norm"), 0) << "None does not clip";
  EXPECT_NE(config.yaml.find("unsloth/paligemma"), std::string::npos);
}

}  // namespace
}  // namespace roadtune::config
