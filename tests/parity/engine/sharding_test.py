# SPDX-License-Identifier: GPL-3.0-or-later
"""However a model is spread over ranks, it learns what one rank learns; checkpoints go on with other numbers of ranks,
and a killed run of the same number ends with the same bytes."""
import json
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from safetensors.torch import load_file, save_file

from reference import Checks
from sharding import start_ranks
from training import make_dataset, make_folder, train_with_engine

GLOBAL_BATCH = 4
LORA = dict(finetuning_type="lora", r=4, target_modules=["q_proj", "v_proj", "up_proj"])
QLORA = dict(LORA, finetuning_type="qlora", load_in_4bit=True, bnb_4bit_use_double_quant=True)
METHODS = {
    "full": dict(finetuning_type="full"),
    "full, frozen tower, recomputed": dict(finetuning_type="full", freeze_vision_tower=True, gradient_checkpointing=True),
    "LoRA": LORA,
    "QLoRA": QLORA,
}
COMMON = dict(learning_rate=1e-3, shuffle=False, max_steps=5, save_steps=1000, warmup_steps=0)


def settings_for(ranks, accumulation=1, **more):
    return COMMON | dict(per_device_train_batch_size=GLOBAL_BATCH // ranks // accumulation,
                         gradient_accumulation_steps=accumulation) | more


def finish(checks, label, processes, codes=(0,)):
    for process in processes:
        out, err = process.communicate()
        checks.true(f"{label}: a rank ends well", process.returncode in codes, f"exit {process.returncode}\n{out}\n{err}")


def train(checks, label, program, run, folder, data, ranks, **settings):
    finish(checks, label, start_ranks(program, run, folder, data, ranks, **settings))
    return run


def steps(run, rank=0):
    events = [json.loads(line) for line in (run / f"events/rank-{rank:03}.jsonl").read_text().splitlines()]
    return [(e["loss"], e["grad_norm"]) for e in events if e["kind"] == "step"]


def tensors(run, step):
    folder = run / f"checkpoint-{step}"
    result = {}
    for name in ("model.safetensors", "adapter_model.safetensors", "resume.safetensors"):
        if (folder / name).exists():
            result |= {f"{name}:{key}": value for key, value in load_file(folder / name).items()}
    return result


def compare(checks, label, one, many, step=5, weights=2e-4, losses=2e-5):
    a, b = steps(one), steps(many)
    checks.true(f"{label}: as many steps", len(b) >= 1 and len(a) >= len(b), (len(a), len(b)))
    checks.at_most(f"{label}: losses", max(abs(x[0] - y[0]) for x, y in zip(a[-len(b):], b)), losses)
    checks.at_most(f"{label}: gradient norms", max(abs(x[1] - y[1]) / x[1] for x, y in zip(a[-len(b):], b)), 2e-4)
    ours, theirs = tensors(one, step), tensors(many, step)
    checks.true(f"{label}: same tensors", ours.keys() == theirs.keys() and len(ours) > 0)
    checks.at_most(f"{label}: weights and moments",
                   max(float((ours[k].float() - theirs[k].float()).abs().max()) for k in ours), weights)


def spread(checks, program, root, folder, data):
    for name, method in METHODS.items():
        label = name.replace(", ", "-").replace(" ", "-")
        one = train_with_engine(program, root / f"{label}-1", folder, data, **settings_for(1, **method))
        cases = {"sharded": [2, 4], "ddp": [4]} if name == "full" else {"sharded": [2]}
        for sharding, counts in cases.items():
            for ranks in counts:
                title = f"{name}, {sharding} over {ranks}"
                run = train(checks, title, program, root / f"{label}-{sharding}-{ranks}", folder, data, ranks,
                            **settings_for(ranks, sharding=sharding, **method))
                compare(checks, title, one, run)


def accumulate(checks, program, root, folder, data):
    """Two passes per step: DDP sends in the last one alone, shards are summed after each."""
    method = METHODS["full"]
    one = train_with_engine(program, root / "acc-1", folder, data, **settings_for(1, 2, **method))
    for sharding, extra in {"ddp": dict(ddp_bucket_cap_mb=1), "sharded": dict(reshard_after_forward=False)}.items():
        run = train(checks, sharding, program, root / f"acc-{sharding}", folder, data, 2,
                    **settings_for(2, 2, sharding=sharding, **method, **extra))
        compare(checks, f"accumulation 2, {sharding} over 2", one, run)
    run = train(checks, "hybrid", program, root / "hybrid", folder, data, 4, per_machine=2,
                **settings_for(4, sharding="hybrid", **METHODS["full"]))
    compare(checks, "hybrid, 2 machines of 2", root / "full-1", run)
    run = train(checks, "frozen kept", program, root / "kept", folder, data, 2,
                **settings_for(2, sharding="sharded", shard_frozen_weights=False, **LORA))
    compare(checks, "LoRA, frozen weights on every rank", root / "LoRA-1", run)


def without_padding(checks, program, root, folder, data):
    """Padding left out of all but attention, or worked on: the same steps, whatever is drawn and recomputed on the way."""
    adapters = dict(QLORA, lora_dropout=0.2, neftune_noise_alpha=3.0, gradient_checkpointing=True)
    for name, method in {"full": METHODS["full"], "QLoRA with dropout and noise, recomputed": adapters}.items():
        for sharding in ("ddp", "sharded"):
            title = f"{name}, {sharding} over 2, without padding"
            runs = [train(checks, title, program, root / f"padding-{free}", folder, data, 2,
                          **settings_for(2, sharding=sharding, padding_free=free, **method)) for free in (False, True)]
            compare(checks, title, *runs)
            for run in runs:
                shutil.rmtree(run)


def half_precision(checks, program, root, folder, data):
    """In bfloat16 two ways of spreading the same batches differ in nothing but the order of sums."""
    wide = {"dtype": "float32"}
    for label, more in {"bfloat16": {},
                        "some of it in float32": dict(modules={"vision_tower": wide, "language_model.layers.1.mlp": wide})}.items():
        method = dict(finetuning_type="full", bf16=True) | more
        runs = [train(checks, sharding, program, root / f"{label}-{sharding}".replace(" ", "-"), folder, data, 2,
                      **settings_for(2, sharding=sharding, **method)) for sharding in ("ddp", "sharded")]
        compare(checks, f"{label}, sharded as ddp", *runs, losses=1e-4)


def resume(checks, program, root, folder, data):
    """Written by two ranks, continued by one, two (not sharded) and four; and by four what one wrote."""
    method = dict(METHODS["full"], max_steps=6, save_steps=3)
    whole = train(checks, "six steps", program, root / "whole", folder, data, 2,
                  **settings_for(2, sharding="sharded", **method))
    alone = train_with_engine(program, root / "alone", folder, data, **settings_for(1, **method))
    for ranks, sharding, source in ((1, "ddp", whole), (2, "ddp", whole), (4, "sharded", whole), (4, "sharded", alone)):
        label = f"{source.name} goes on with {ranks} {sharding}"
        run = train(checks, label, program, root / f"{source.name}-{ranks}", folder, data, ranks,
                    **settings_for(ranks, sharding=sharding, **method), resume_from_checkpoint=str(source / "checkpoint-3"))
        compare(checks, label, source, run, step=6)


def weight_bytes(run, step):
    return {p.name: p.read_bytes() for p in sorted((run / f"checkpoint-{step}").glob("*.safetensors"))}


def killed(checks, program, root, folder, data, rng):
    for label, method in {"full": METHODS["full"], "QLoRA": dict(QLORA, lora_dropout=0.1)}.items():
        common = dict(settings_for(2, sharding="sharded", **method), max_steps=12, save_steps=2)
        whole = train(checks, label, program, root / f"undisturbed-{label}", folder, data, 2, **common)
        run = root / f"killed-{label}"
        processes = start_ranks(program, run, folder, data, 2, **common)
        while not (run / "checkpoint-4/COMPLETE").exists() and processes[0].poll() is None:
            time.sleep(0.01)
        time.sleep(rng.random() * 0.2)
        for process in processes:
            process.send_signal(signal.SIGKILL)
            process.communicate()
        train(checks, label, program, run, folder, data, 2, **common, resume_from_checkpoint="latest")
        checks.true(f"{label}: killed and resumed, the same bytes", weight_bytes(whole, 12) == weight_bytes(run, 12))


def agree(checks, program, root, folder, data):
    """A step that is not finite is given up by all ranks, and a rank without data does not hold up the others."""
    run, broken = root / "diverging", root / "broken"
    shutil.copytree(folder, broken)
    weights = load_file(broken / "model.safetensors")
    next(value for name, value in weights.items() if name.endswith("layers.0.mlp.up_proj.weight")).fill_(float("inf"))
    save_file(weights, broken / "model.safetensors", {"format": "pt"})
    settings = settings_for(2, sharding="sharded", finetuning_type="full") | dict(max_steps=12)
    finish(checks, "not finite", start_ranks(program, run, broken, data, 2, **settings), codes=(1,))
    checks.true("not finite: ranks agree", steps(run, 0) == steps(run, 1) and "nan" in str(steps(run, 0)[-1]), steps(run))
    for rank in (0, 1):
        bye = json.loads((run / f"events/rank-{rank:03}.jsonl").read_text().splitlines()[-1])
        checks.true("not finite: the goodbye says where and what to try", bye["reason"] == "diverged" and bye["exit_code"] == 1
                    and bye["message"].startswith(f"step {bye['step']}: loss nan") and "learning_rate" in bye["message"], bye)
    lines = Path(data).read_text().splitlines()
    broken = root / "broken.jsonl"
    gap = dict(json.loads(lines[1]), image=str(root / "missing.png"))
    broken.write_text("\n".join([lines[0], json.dumps(gap), *lines[2:8]]) + "\n")
    settings = settings_for(4, sharding="sharded", finetuning_type="full") | dict(max_steps=3, eval_data=str(broken),
               eval_strategy="steps", eval_steps=3, num_probe_samples=1, max_new_tokens=2, per_device_eval_batch_size=3)
    run = train(checks, "a rank without data", program, root / "idle", folder, broken, 2, **settings)
    checks.true("a rank without data: all steps done", len(steps(run)) == 3 and steps(run, 0) == steps(run, 1))
    checks.true("a rank without data: predictions", (run / "predictions/step-3.jsonl").exists())


def main(program):
    checks = Checks()
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        folder = make_folder(root / "model", "gemma2", seed=5)
        data = make_dataset(root / "data.jsonl", folder, count=48)
        spread(checks, program, root, folder, data)
        accumulate(checks, program, root, folder, data)
        without_padding(checks, program, root, folder, data)
        half_precision(checks, program, root, folder, data)
        resume(checks, program, root, folder, data)
        killed(checks, program, root, folder, data, random.Random(3))
        agree(checks, program, root, folder, data)
    checks.finish()


main(sys.argv[1])
