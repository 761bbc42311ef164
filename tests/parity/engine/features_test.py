# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run keeps besides checkpoints, and loader settings that must not change it: per-sample losses, averaged
weights, the best model, noise on embeddings, caches, augmentation."""
import json
import sys
import tempfile
from pathlib import Path

import torch
from peft import PeftModel
from safetensors.torch import load_file
from transformers import PaliGemmaForConditionalGeneration

from reference import Checks
from training import make_dataset, make_folder, start_engine, train_with_engine, write_run

LORA = dict(finetuning_type="lora", r=4, target_modules=["q_proj", "v_proj"], learning_rate=1e-3, max_steps=6,
            gradient_accumulation_steps=1)


def weights(run, step=6, name="adapter_model.safetensors"):
    return load_file(run / f"checkpoint-{step}" / name)


def same(a, b):
    return a.keys() == b.keys() and all(torch.equal(a[k], b[k]) for k in a)


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines() if line]


def ledger(checks, program, root, folder, data):
    run = train_with_engine(program, root / "ledger", folder, data, **LORA, save_steps=3)
    entries = lines(run / "ledger" / "rank-000.jsonl")
    checks.true("ledger: a line per sample and step", len(entries) == 12, entries)
    steps = [e for e in lines(run / "events" / "rank-000.jsonl") if e["kind"] == "step"]
    for step in steps:
        mine = [e for e in entries if e["step"] == step["step"]]
        mean = sum(e["loss"] * e["tokens"] for e in mine) / sum(e["tokens"] for e in mine)
        checks.at_most(f"ledger: step {step['step']} is the mean of its samples", abs(mean - step["loss"]), 1e-5)
    write_run(run, folder, data, **LORA, save_steps=3, resume_from_checkpoint=str(run / "checkpoint-3"))
    start_engine(program, run).communicate()
    later = lines(run / "ledger" / "rank-000.jsonl")
    checks.true("ledger: goes on where the run goes on", later[12] == {"resumed_from": 3} and later[13:] == entries[6:])


def average(checks, program, root, folder, data):
    settings = dict(LORA, save_steps=1, ema_decay=0.75)
    run = train_with_engine(program, root / "ema", folder, data, **settings)
    expected = None
    for step in range(1, 7):
        now = weights(run, step)
        # The first step has rate 0: weights and average start there.
        expected = now if expected is None else {k: 0.75 * expected[k] + 0.25 * now[k] for k in now}
        found = weights(run, step, "ema/adapter_model.safetensors")
        worst = max(float((found[k] - expected[k]).abs().max()) for k in expected)
        checks.at_most(f"average after step {step}", worst, 1e-6)
    plain = train_with_engine(program, root / "plain", folder, data, **dict(settings, ema_decay=None))
    checks.true("average: the run itself is not changed", same(weights(run), weights(plain)))
    write_run(run, folder, data, **settings, resume_from_checkpoint=str(run / "checkpoint-3"))
    before = (run / "checkpoint-6" / "ema_state.safetensors").read_bytes()
    import shutil
    for step in (4, 5, 6):
        shutil.rmtree(run / f"checkpoint-{step}")
    start_engine(program, run).communicate()
    checks.true("average: resumed to the same bytes", (run / "checkpoint-6" / "ema_state.safetensors").read_bytes() == before)


def best(checks, program, root, folder, data, held):
    settings = dict(LORA, eval_data=str(held), eval_strategy="steps", eval_steps=1, save_steps=1, save_total_limit=2,
                    load_best_model_at_end=True, learning_rate=2e-2)
    run = train_with_engine(program, root / "best", folder, data, **settings)
    evals = [(e["loss"], e["step"]) for e in lines(run / "events" / "rank-000.jsonl") if e["kind"] == "eval"]
    step = min(evals)[1]
    results = json.loads((run / "all_results.json").read_text())
    checks.true("best: named", results["best_model_checkpoint"].endswith(f"checkpoint-{step}"), results)
    checks.true("best: kept", (run / f"checkpoint-{step}" / "COMPLETE").exists())
    checks.true("best: exported", same(load_file(run / "best" / "adapter_model.safetensors"), weights(run, step)))
    base = PaliGemmaForConditionalGeneration.from_pretrained(folder)
    PeftModel.from_pretrained(base, run / "best")


def split(checks, program, root, folder, data):
    settings = dict(LORA, eval_fraction=0.25, eval_strategy="steps", eval_steps=3, num_probe_samples=2, max_new_tokens=3)
    run = train_with_engine(program, root / "split", folder, data, **settings)
    seen = {e["sample"] for e in lines(run / "ledger" / "rank-000.jsonl")}
    told = [lines(run / "predictions" / f"step-{s}.jsonl") for s in (3, 6)]
    checks.true("split: probe samples stay the same", [p["image"] for p in told[0]] == [p["image"] for p in told[1]])
    checks.true("split: what is held out is not trained on", not seen & {p["image"] for p in told[0]})


def loader(checks, program, root, folder, data):
    plain = weights(train_with_engine(program, root / "loader", folder, data, **LORA))
    for kind in ("memory", "disk"):
        settings = dict(LORA, image_cache=kind, num_train_epochs=2, dataloader_num_workers=2)
        if kind == "disk":
            settings["image_cache_dir"] = str(root / "cache")
        for time in ("first", "second"):
            run = train_with_engine(program, root / "cached", folder, data, **settings)
            checks.true(f"{kind} cache, {time} run: same weights", same(weights(run), plain))
    checks.true("disk cache: holds every picture once", sum(p.stat().st_size for p in (root / "cache").rglob("*.pack"))
                == 12 * (24 + 3 * 56 * 56))
    changed = [weights(train_with_engine(program, root / "changed", folder, data, **LORA, augment=True,
                                         dataloader_num_workers=workers)) for workers in (0, 1, 4)]
    checks.true("augmentation: changes the run", not same(changed[0], plain))
    checks.true("augmentation: not with the number of workers", same(changed[0], changed[1]) and same(changed[0], changed[2]))


def noise(checks, program, root, folder, data):
    plain = weights(train_with_engine(program, root / "noise", folder, data, **LORA))
    noisy = weights(train_with_engine(program, root / "noise", folder, data, **LORA, neftune_noise_alpha=5))
    again = weights(train_with_engine(program, root / "noise", folder, data, **LORA, neftune_noise_alpha=5,
                                      gradient_checkpointing=True))
    none = weights(train_with_engine(program, root / "noise", folder, data, **LORA, neftune_noise_alpha=0))
    checks.true("noise: changes the run, alike each time", not same(noisy, plain) and same(noisy, again))
    checks.true("noise: strength 0 is none", same(none, plain))


def starts(checks, program, root, folder, data):
    for kind, zero in (("gaussian", True), ("orthogonal", True), ("false", False)):
        run = train_with_engine(program, root / kind, folder, data, **dict(LORA, max_steps=1), init_lora_weights=kind)
        now = weights(run, 1)  # rate 0: as they began
        pairs = [(now[k], now[k.replace("lora_A", "lora_B")]) for k in now if "lora_A" in k]
        product = max(float((b @ a).abs().max()) for a, b in pairs)
        checks.true(f"{kind}: the model {'is' if zero else 'is not'} as before", (product < 1e-6) == zero, product)
        if kind == "gaussian":
            spread = torch.cat([a.flatten() for a, _ in pairs]).std()
            checks.at_most("gaussian: deviation 1/r", abs(float(spread) - 0.25), 0.02)


def main(program):
    checks = Checks()
    with tempfile.TemporaryDirectory() as root:
        root = Path(root)
        folder = make_folder(root / "model", "gemma2", 5)
        data, held = make_dataset(root / "data.jsonl", folder, 12), make_dataset(root / "held.jsonl", folder, 4, seed=9)
        ledger(checks, program, root, folder, data)
        average(checks, program, root, folder, data)
        best(checks, program, root, folder, data, held)
        split(checks, program, root, folder, data)
        loader(checks, program, root, folder, data)
        noise(checks, program, root, folder, data)
        starts(checks, program, root, folder, data)
    checks.finish()


main(sys.argv[1])
