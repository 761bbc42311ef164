# SPDX-License-Identifier: GPL-3.0-or-later
"""Training against transformers.Trainer: twelve steps, full and LoRA, accumulation, clipping, warm-up; losses, gradient
norms and rates step by step, and final weights that each side can read."""
import json
import sys
import tempfile
from pathlib import Path

import torch
import torch.nn.functional as F
from peft import LoraConfig, PeftModel, get_peft_model
from peft.optimizers import create_loraplus_optimizer
from safetensors.torch import load_file
from transformers import PaliGemmaForConditionalGeneration, Trainer, TrainingArguments

from reference import Checks
from training import JsonlSet, collate, make_dataset, make_folder, train_with_engine

STEPS, RATE, RATIO = 12, 2e-3, 4
TARGETS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]


def reference_run(model, data, folder, shuffle, ratio=None):
    arguments = TrainingArguments(
        output_dir=folder, per_device_train_batch_size=2, gradient_accumulation_steps=2, max_steps=STEPS,
        learning_rate=RATE, warmup_steps=2, lr_scheduler_type="linear", weight_decay=0.01, max_grad_norm=0.5,
        logging_steps=1, save_strategy="no", report_to=[], use_cpu=True, seed=42, remove_unused_columns=False,
        disable_tqdm=True, dataloader_num_workers=0,
        train_sampling_strategy="random" if shuffle else "sequential")
    plus = ratio and create_loraplus_optimizer(model, torch.optim.AdamW, lr=RATE, loraplus_lr_ratio=ratio, loraplus_weight_decay=0.01)
    trainer = Trainer(model=model, args=arguments, train_dataset=data, data_collator=collate, optimizers=(plus, None))
    trainer.train()
    return [entry for entry in trainer.state.log_history if "loss" in entry]


def relative(a, b):
    return abs(a - b) / max(abs(a), 1e-12)


def compare_logs(checks, label, expected, ours, limit=1e-4):
    checks.true(f"{label}: as many entries", len(expected) == len(ours), f"{len(expected)} and {len(ours)}")
    for key in ("loss", "grad_norm", "learning_rate", "epoch"):
        worst = max(relative(e[key], o[key]) for e, o in zip(expected, ours))
        checks.at_most(f"{label}: {key}", worst, limit)


def main(program):
    checks = Checks()
    with tempfile.TemporaryDirectory() as root:
        root = Path(root)
        for family in ("gemma", "gemma2"):
            folder = make_folder(root / family, family, seed=5)
            data = make_dataset(root / f"{family}.jsonl", folder, count=19)
            full_case(checks, program, root / f"{family}_full", folder, data, family)
            lora_case(checks, program, root / f"{family}_lora", folder, data, family)
            trained_on_case(checks, program, root / f"{family}_on", folder, data, family)
            mixed_case(checks, program, root / f"{family}_mixed", folder, data, family)
            typed_case(checks, program, root / f"{family}_typed", folder, data, family)
    checks.finish()


def full_case(checks, program, out, folder, data, family):
    model = PaliGemmaForConditionalGeneration.from_pretrained(folder, dtype=torch.float32)
    for parameter in model.model.vision_tower.parameters():
        parameter.requires_grad_(False)
    expected = reference_run(model, JsonlSet(data, folder), out / "reference", shuffle=True)
    run = train_with_engine(program, out / "run", folder, data, finetuning_type="full", freeze_vision_tower=True,
                            max_steps=STEPS, learning_rate=RATE)
    checkpoint = run / f"checkpoint-{STEPS}"
    state = json.loads((checkpoint / "trainer_state.json").read_text())
    compare_logs(checks, f"{family} full", expected, [e for e in state["log_history"] if "loss" in e])
    ours, report = PaliGemmaForConditionalGeneration.from_pretrained(checkpoint, output_loading_info=True)
    checks.true(f"{family} full: loads without missing or unexpected keys",
                not report["missing_keys"] and not report["unexpected_keys"], report)
    reference = model.state_dict()
    worst = max(float((v - reference[k]).abs().max()) for k, v in ours.state_dict().items())
    checks.at_most(f"{family} full: weights after {STEPS} steps", worst, 1e-4)


def compute_in(module, dtype):
    """A layer that takes and gives float32, and computes in another type with copies of its weights."""
    weight = lambda: module.weight.to(dtype)
    bias = lambda: None if module.bias is None else module.bias.to(dtype)
    kinds = {torch.nn.Linear: lambda x: F.linear(x, weight(), bias()),
             torch.nn.Conv2d: lambda x: F.conv2d(x, weight(), bias(), module.stride),
             torch.nn.LayerNorm: lambda x: F.layer_norm(x, module.normalized_shape, weight(), bias(), module.eps)}
    if type(module) in kinds:
        forward = kinds[type(module)]
        module.forward = lambda x: forward(x.to(dtype)).float()
    elif isinstance(module, torch.nn.Embedding):
        module.forward = lambda ids: F.embedding(ids, weight()).float()


def typed_case(checks, program, out, folder, data, family):
    """Types of their own: a frozen tower and trained layers in bfloat16 within a run in float32."""
    model = PaliGemmaForConditionalGeneration.from_pretrained(folder, dtype=torch.float32)
    for parameter in model.model.vision_tower.parameters():
        parameter.requires_grad_(False)
    for part in (model.model.vision_tower, model.model.language_model.layers[1].mlp):
        for module in part.modules():
            compute_in(module, torch.bfloat16)
    expected = reference_run(model, JsonlSet(data, folder), out / "reference", shuffle=True)
    typed = {"dtype": "bfloat16"}
    run = train_with_engine(program, out / "run", folder, data, finetuning_type="full", freeze_vision_tower=True,
                            modules={"vision_tower": typed, "language_model.layers.1.mlp": typed}, max_steps=STEPS,
                            learning_rate=RATE)
    state = json.loads((run / f"checkpoint-{STEPS}" / "trainer_state.json").read_text())
    ours = [e for e in state["log_history"] if "loss" in e]
    compare_logs(checks, f"{family} with types of their own", expected, ours, 1e-3)
    plain = json.loads((out.parent / f"{family}_full/run/checkpoint-{STEPS}/trainer_state.json").read_text())
    apart = max(relative(a["loss"], b["loss"]) for a, b in zip((e for e in plain["log_history"] if "loss" in e), ours))
    checks.true(f"{family}: such a run is not one in float32", apart > 1e-6, apart)
    before, after = load_file(folder / "model.safetensors"), load_file(run / f"checkpoint-{STEPS}" / "model.safetensors")
    frozen = [name for name in before if "vision_tower" in name]
    checks.true(f"{family}: what is frozen comes out as it went in, whatever it was kept in",
                frozen and all(torch.equal(before[name], after[name]) for name in frozen))


def lora_case(checks, program, out, folder, data, family):
    torch.manual_seed(1)
    base = PaliGemmaForConditionalGeneration.from_pretrained(folder, dtype=torch.float32)
    model = get_peft_model(base, LoraConfig(r=4, lora_alpha=8, target_modules=TARGETS, task_type="CAUSAL_LM"))
    start = out / "start"
    run = train_with_engine(program, out / "run", folder, data, finetuning_type="lora", r=4, lora_alpha=8,
                            target_modules=TARGETS, max_steps=STEPS, learning_rate=RATE, save_steps=1)
    # Both sides start from the adapter that the engine drew: its A comes from the first checkpoint, where the rate was
    # still zero.
    first = PeftModel.from_pretrained(PaliGemmaForConditionalGeneration.from_pretrained(folder, dtype=torch.float32),
                                      run / "checkpoint-1", is_trainable=True)
    expected = reference_run(first, JsonlSet(data, folder), out / "reference", shuffle=True)
    state = json.loads((run / f"checkpoint-{STEPS}" / "trainer_state.json").read_text())
    compare_logs(checks, f"{family} LoRA", expected, [e for e in state["log_history"] if "loss" in e])
    first.save_pretrained(start)
    theirs, ours = load_file(start / "adapter_model.safetensors"), load_file(run / f"checkpoint-{STEPS}" / "adapter_model.safetensors")
    checks.true(f"{family} LoRA: the same names as peft writes", set(theirs) == set(ours), set(theirs) ^ set(ours))
    worst = max(float((theirs[k] - ours[k]).abs().max()) for k in theirs)
    checks.at_most(f"{family} LoRA: adapters after {STEPS} steps", worst, 1e-4)


def mixed_case(checks, program, out, folder, data, family):
    """In full, but for a layer that gets an adapter: a checkpoint holds both, for peft and for the run that goes on."""
    settings = dict(finetuning_type="full", freeze_language_model=True, modules={"language_model.layers.0": "lora"},
                    target_modules=["q_proj"], max_steps=4, learning_rate=RATE)
    run = train_with_engine(program, out / "run", folder, data, save_steps=2, **settings)
    model = PeftModel.from_pretrained(PaliGemmaForConditionalGeneration.from_pretrained(folder, dtype=torch.float32),
                                      run / "checkpoint-4")
    plain = lambda name: name.replace(".default", "").replace(".modules_to_save", "").replace(".base_layer", "")  # noqa: E731
    theirs = {plain(name): value for name, value in model.state_dict().items() if "original_module" not in name}
    ours = load_file(run / "checkpoint-4/adapter_model.safetensors")
    checks.true(f"{family} mixed: peft has adapters and trained modules as they are",
                any("lora_A" in name for name in ours) and any("vision_tower" in name for name in ours)
                and all(plain(name) in theirs and torch.equal(theirs[plain(name)], value) for name, value in ours.items()))
    resumed = train_with_engine(program, out / "resumed", folder, data, resume_from_checkpoint=str(run / "checkpoint-2"), **settings)
    again = load_file(resumed / "checkpoint-4/adapter_model.safetensors")
    checks.true(f"{family} mixed: resumed to the same bits", all(torch.equal(again[name], value) for name, value in ours.items()))


TRAINED_ON = {  # what peft wrote, and nothing of it is said again
    "gemma": dict(target_modules="all-linear", use_rslora=True, rank_pattern={"q_proj": 2}, alpha_pattern={"down_proj": 16},
                  modules_to_save=["multi_modal_projector"]),
    "gemma2": dict(target_modules=["q_proj", "o_proj", "fc1"], use_dora=True),
}


def trained_on_case(checks, program, out, folder, data, family):
    """An adapter of peft that is trained on, by peft and by us, its second matrices faster (LoRA+); then stopped, its first folder gone, and resumed."""
    start, label = out / "start", f"{family} trained on"
    fresh = lambda: PaliGemmaForConditionalGeneration.from_pretrained(folder, dtype=torch.float32)  # noqa: E731
    torch.manual_seed(2)
    model = get_peft_model(fresh(), LoraConfig(r=4, lora_alpha=8, task_type="CAUSAL_LM", **TRAINED_ON[family]))
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.requires_grad:
                parameter.add_(torch.randn_like(parameter) * 0.02)
    model.save_pretrained(start)
    model = PeftModel.from_pretrained(fresh(), start, is_trainable=True)
    expected = reference_run(model, JsonlSet(data, folder), out / "reference", shuffle=True, ratio=RATIO)
    model.save_pretrained(out / "theirs")
    settings = dict(adapter_name_or_path=str(start), learning_rate=RATE, max_steps=STEPS, loraplus_lr_ratio=RATIO)
    run = train_with_engine(program, out / "run", folder, data, save_steps=STEPS // 2, **settings)
    state = json.loads((run / f"checkpoint-{STEPS}" / "trainer_state.json").read_text())
    compare_logs(checks, label, expected, [e for e in state["log_history"] if "loss" in e])
    theirs, ours = (load_file(path / "adapter_model.safetensors") for path in (out / "theirs", run / f"checkpoint-{STEPS}"))
    checks.true(f"{label}: the same names as peft writes", set(theirs) == set(ours), set(theirs) ^ set(ours))
    checks.at_most(f"{label}: weights after {STEPS} steps", max(float((theirs[k] - ours[k]).abs().max()) for k in theirs), 1e-4)
    told = [json.loads((path / "adapter_config.json").read_text()) for path in (start, run / f"checkpoint-{STEPS}")]
    same = ("r", "lora_alpha", "use_rslora", "use_dora", "rank_pattern", "alpha_pattern", "modules_to_save")
    checks.true(f"{label}: its adapter_config.json says the same", all(told[0][k] == told[1][k] for k in same), told)
    start.rename(out / "gone")
    halfway = run / f"checkpoint-{STEPS // 2}"
    resumed = train_with_engine(program, out / "resumed", folder, data, resume_from_checkpoint=str(halfway), **settings)
    again = load_file(resumed / f"checkpoint-{STEPS}" / "adapter_model.safetensors")
    checks.true(f"{label}: resumed without the folder it came from, to the same bits", all(torch.equal(again[k], ours[k]) for k in ours))


main(sys.argv[1])
