# SPDX-License-Identifier: GPL-3.0-or-later
"""pure_bf16: matrices, and their gradients, in bfloat16 alone. Training goes where float32 masters take it, also by steps so
small that transformers.Trainer with a model in bfloat16, which rounds to the nearest, hardly moves; resumed it ends with
the same bytes, spread over ranks it loses as one rank does, and a checkpoint of either kind goes on as the other."""
import json
import sys
import tempfile
from pathlib import Path

import torch
from safetensors.torch import load_file
from transformers import PaliGemmaForConditionalGeneration, Trainer, TrainingArguments

from reference import Checks
from sharding import start_ranks
from training import JsonlSet, collate, make_dataset, make_folder, start_engine, train_with_engine, write_run

STEPS, EPOCH, GLOBAL = 18, 6, 12
FULL = dict(finetuning_type="full", lr_scheduler_type="constant", warmup_steps=0, max_steps=STEPS, save_steps=STEPS)
SMALL_RATE = 2e-6  # a step is a thirtieth of what 16 bits tell apart at a weight of 0.01


def losses(run):
    events = [json.loads(line) for line in (run / "events/rank-000.jsonl").read_text().splitlines()]
    return [e["loss"] for e in events if e["kind"] == "step"]


def far(ours, theirs):
    return max(abs(a - b) / b for a, b in zip(ours, theirs))


def fall(values):
    """From the first epoch to the last: over the same samples."""
    return sum(values[:EPOCH]) / EPOCH - sum(values[-EPOCH:]) / EPOCH


def as_trained_by_the_reference(folder, data, rate, root):
    """As many do it: the model in bfloat16, AdamW of torch over it."""
    model = PaliGemmaForConditionalGeneration.from_pretrained(folder, dtype=torch.bfloat16)
    arguments = TrainingArguments(output_dir=root, per_device_train_batch_size=2, gradient_accumulation_steps=2, max_steps=STEPS,
                                  learning_rate=rate, lr_scheduler_type="constant", weight_decay=0.01, max_grad_norm=0.5, logging_steps=1,
                                  save_strategy="no", report_to=[], use_cpu=True, seed=42, remove_unused_columns=False,
                                  disable_tqdm=True, optim="adamw_torch", train_sampling_strategy="random")
    trainer = Trainer(model=model, args=arguments, train_dataset=JsonlSet(data, folder), data_collator=collate)
    trainer.train()
    model.save_pretrained(root)
    return [entry["loss"] for entry in trainer.state.log_history if "loss" in entry], load_file(root / "model.safetensors")


def matrices(run, step=STEPS):
    return {k: v for k, v in load_file(run / f"checkpoint-{step}/model.safetensors").items() if v.dim() > 1}


def share_moved(before, after):
    return sum(int((before[k].float() != after[k].float()).sum()) for k in after) / sum(v.numel() for v in after.values())


def where_masters_go(checks, program, root, folder, data):
    start = {k: v.to(torch.bfloat16) for k, v in load_file(folder / "model.safetensors").items()}
    for rate in (2e-3, SMALL_RATE):
        mixed, pure = (losses(train_with_engine(program, root / f"{name}-{rate}", folder, data, **FULL, learning_rate=rate, **{name: True}))
                       for name in ("bf16", "pure_bf16"))
        checks.at_most(f"rate {rate}: losses, relative to those with masters", far(pure, mixed), 0.05 if rate > SMALL_RATE else 0.002)
        checks.true(f"rate {rate}: it learns", fall(mixed) > 0.005, fall(mixed))
        checks.at_most(f"rate {rate}: the fall of the loss is that with masters", abs(fall(pure) / fall(mixed) - 1), 0.1)
    ours = matrices(root / f"pure_bf16-{SMALL_RATE}")
    checks.true("matrices are kept in 16 bits", all(v.float().equal(v.to(torch.bfloat16).float()) for v in ours.values()))
    theirs_losses, theirs = as_trained_by_the_reference(folder, data, SMALL_RATE, root / "reference")
    there = share_moved(start, {k: v for k, v in theirs.items() if k in ours})
    here = share_moved(start, ours)
    checks.at_most("weights that moved when rounded to the nearest, beside those that do here", there / here, 0.2)
    checks.at_most("and the loss falls less: share of the fall", fall(theirs_losses) / fall(mixed), 0.5)


def state(run, step):
    return load_file(run / f"checkpoint-{step}/resume.safetensors")


def go_on(checks, program, label, run, folder, data, ranks=1, **settings):
    processes = start_ranks(program, run, folder, data, ranks, **settings) if ranks > 1 else []
    if not processes:
        write_run(run, folder, data, **settings)
        processes = [start_engine(program, run)]
    for process in processes:
        _, err = process.communicate()
        checks.true(f"{label}: ends well", process.returncode == 0, err)


def either_way(checks, program, root, folder, data):
    """What a checkpoint keeps, and going on from one kind as the other."""
    narrow = PaliGemmaForConditionalGeneration.from_pretrained(folder, dtype=torch.bfloat16)
    stored = root / "stored in 16 bits"
    narrow.save_pretrained(stored)
    for file in folder.iterdir():
        if not (stored / file.name).exists():
            (stored / file.name).write_bytes(file.read_bytes())
    common = FULL | dict(learning_rate=1e-3, save_steps=4)
    for before, after in (("bf16", "bf16"), ("bf16", "pure_bf16"), ("pure_bf16", "bf16"), ("pure_bf16", "pure_bf16")):
        label, run = f"{before} goes on as {after}", root / f"{before}-{after}"
        go_on(checks, program, label, run, stored, data, **common | dict(max_steps=4), **{before: True})
        kept = {k for k in state(run, 4) if k.startswith("value.")}
        wide = {k for k in kept if state(run, 4)[k].dim() > 1}
        checks.true(f"{label}: float32 values of vectors alone, unless there are masters", len(kept) > 20 and bool(wide) == (before == "bf16"))
        go_on(checks, program, label, run, stored, data, **common | dict(max_steps=8), **{after: True}, resume_from_checkpoint="latest")
        whole = root / f"whole-{before}"
        if not whole.exists():
            go_on(checks, program, label, whole, stored, data, **common | dict(max_steps=8), **{before: True})
        checks.at_most(f"{label}: losses, relative", far(losses(run), losses(whole)), 0.02)
        if before == after:
            checks.true(f"{label}: the same bytes", all((run / f"checkpoint-8/{name}").read_bytes() == (whole / f"checkpoint-8/{name}").read_bytes()
                                                        for name in ("model.safetensors", "resume.safetensors")))


def spread(checks, program, root, folder, data):
    common = FULL | dict(learning_rate=1e-3, max_steps=6, save_steps=3, gradient_accumulation_steps=1, shuffle=False, pure_bf16=True)
    one = root / "one"
    go_on(checks, program, "one rank", one, folder, data, **common, per_device_train_batch_size=GLOBAL)
    for label, ranks, more in (("ddp", 2, {}), ("sharded", 2, dict(sharding="sharded")), ("sharded, 8 bits", 2, dict(sharding="sharded", optim="adamw_8bit")),
                               ("sharded over 3, recomputed", 3, dict(sharding="sharded", gradient_checkpointing=True))):
        run = root / label
        go_on(checks, program, label, run, folder, data, ranks, **common | more, per_device_train_batch_size=GLOBAL // ranks)
        checks.at_most(f"{label}: losses beside those of one rank", far(losses(run), losses(one)), 0.01)
        checks.true(f"{label}: matrices are kept in 16 bits",
                    all(v.float().equal(v.to(torch.bfloat16).float()) for v in matrices(run, 6).values()))
    on = root / "three go on with what two wrote"
    go_on(checks, program, on.name, on, folder, data, 3, **common, per_device_train_batch_size=GLOBAL // 3, sharding="sharded",
          resume_from_checkpoint=str(root / "sharded/checkpoint-3"))
    checks.at_most(f"{on.name}: losses", far(losses(on), losses(one)[3:]), 0.01)


def main(program):
    checks = Checks()
    with tempfile.TemporaryDirectory() as root:
        root = Path(root)
        folder = make_folder(root / "model", "gemma2", seed=5)
        data = make_dataset(root / "data.jsonl", folder, count=24)
        where_masters_go(checks, program, root, folder, data)
        either_way(checks, program, root, folder, data)
        spread(checks, program, root, folder, data)
    checks.finish()


main(sys.argv[1])
