# SPDX-License-Identifier: GPL-3.0-or-later
"""What `roadtune estimate` plans against the most memory that tensors held in a step of a real run: on the CPU, and with
ROADTUNE_KERNELS=host for a GPU, whose kernels then keep on the CPU what they keep there."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from middling import make_even_data, make_model
from reference import Checks
from sharding import start_ranks
from training import make_folder

TARGETS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
LORA = dict(finetuning_type="lora", r=8, target_modules=TARGETS)
METHODS = {"full": dict(finetuning_type="full"), "LoRA": LORA,
           "QLoRA": dict(LORA, finetuning_type="qlora", load_in_4bit=True, bnb_4bit_use_double_quant=True)}
KERNELS = os.environ.get("ROADTUNE_KERNELS") == "host"
BATCH, STEPS = 4, 2 if KERNELS else 3
WIDTH, VOCABULARY = 256, 8192  # of the middling model


def step_events(run, rank):
    events = [json.loads(line) for line in (run / f"events/rank-{rank:03}.jsonl").read_text().splitlines()]
    return [e for e in events if e["kind"] == "step"]


def measured(checks, label, program, run, folder, data, ranks, **settings):
    """Bytes of the heaviest rank, after the first step (that one still holds what loading left)."""
    for process in start_ranks(program, run, folder, data, ranks, **settings):
        out, err = process.communicate()
        checks.true(f"{label}: a rank ends well", process.returncode == 0, f"{out}\n{err}")
    return max(e["tensor_peak_bytes"] for rank in range(ranks) for e in step_events(run, rank)[1:])


def planned(program, run, image_tokens, ranks):
    event = step_events(run, 0)[0]
    length, labels = event["tokens"] // event["samples"], event["target_tokens"] // event["samples"]
    out = subprocess.run([Path(program).with_name("roadtune"), "estimate", "--config", run / "run.yaml", "--json",
                          "--text-tokens", str(length - image_tokens), "--label-tokens", str(labels), "--device", "cuda" if KERNELS else "cpu",
                          "--ranks", str(ranks)], check=True, capture_output=True, text=True).stdout
    return json.loads(out)


def compare(checks, program, root, folder, data, name, image_tokens, ranks=1, **settings):
    label = f"{name}{f', shared by {ranks}' if ranks > 1 else ''}"
    run = root / label.replace(" ", "_").replace(",", "")
    settings = dict(per_device_train_batch_size=BATCH, gradient_accumulation_steps=1, max_steps=STEPS) | settings
    peak = measured(checks, label, program, run, folder, data, ranks, **settings)
    plan = planned(program, run, image_tokens, ranks)
    off = plan["total_bytes"] / peak - 1
    parts = ", ".join(f"{key} {value / 1e6:.1f}" for key, value in plan["parts"].items())
    print(f"     {label}: planned {plan['total_bytes'] / 1e6:.1f} MB, measured {peak / 1e6:.1f} MB ({parts})")
    checks.at_most(f"{label}: plan is off by", abs(off), 0.10)
    told = {e["tensor_plan_bytes"] for rank in range(ranks) for e in step_events(run, rank)}
    checks.true(f"{label}: the run says the same of its own steps", told == {plan["total_bytes"]}, f"{told}, {plan['total_bytes']}")


def compare_for_gpu(checks, program, root, folder, data, name, image_tokens, batch, **settings):
    """A processor without 16-bit products of its own makes each in float32 first: of the table's gradient, of the logits,
    or of the MLP in a recomputed block. A GPU needs no such place, nor one for the table's gradient in 16 bits, so the
    plan is right with it or without it."""
    run = root / name.replace(" ", "_").replace(",", "")
    settings = dict(per_device_train_batch_size=batch, gradient_accumulation_steps=1, max_steps=STEPS, bf16=True, **settings)
    peak = measured(checks, name, program, run, folder, data, 1, **settings)
    answer = planned(program, run, image_tokens, 1)
    plan = answer["total_bytes"]
    checks.true(f"{name}: the total is that of the parts; CUDA's own room stands beside it",
                plan == sum(answer["parts"].values()) and answer["cuda_bytes"] > 0, answer)
    event = step_events(run, 0)[0]
    if settings["finetuning_type"] == "full":
        beside = VOCABULARY * WIDTH * (4 + 2)
    elif settings.get("gradient_checkpointing"):
        beside = event["tokens"] * 4 * WIDTH * 4
    else:
        beside = event["target_tokens"] * VOCABULARY * 4
    off = min(abs(plan / peak - 1), abs(plan / (peak - beside) - 1))
    print(f"     {name}: planned {plan / 1e6:.1f} MB, measured {peak / 1e6:.1f} MB, {beside / 1e6:.1f} MB of it in float32")
    checks.at_most(f"{name}: plan is off by", off, 0.05)


def for_gpu(checks, program, root, image_tokens):
    few, many = (make_even_data(root / f"data{batch}.jsonl", batch * STEPS * 2) for batch in (4, 8))
    for family in ("gemma2", "gemma"):  # soft caps and masks; rows without either
        folder = make_model(root / family, make_folder(root / f"tiny-{family}", family, seed=2), WIDTH, vocabulary=VOCABULARY)

        def keep_to_it(name, data=few, batch=4, **settings):
            compare_for_gpu(checks, program, root, folder, data, f"{family}, {name}", image_tokens, batch, **settings)

        for method, settings in METHODS.items():
            keep_to_it(method, **settings)
            if family == "gemma2":
                keep_to_it(f"{method}, batch 8, recomputed", many, 8, **settings, gradient_checkpointing=True)
        keep_to_it("full, five blocks recomputed", **METHODS["full"], gradient_checkpointing=True, gradient_checkpointing_blocks=5)
        if family == "gemma2":
            keep_to_it("full, frozen tower", **METHODS["full"], freeze_vision_tower=True)
            keep_to_it("full, moments in 8 bits", **METHODS["full"], optim="adamw_8bit")
            keep_to_it("full, in 16 bits alone", **METHODS["full"], pure_bf16=True)


def main(program):
    checks = Checks()
    if KERNELS:
        with tempfile.TemporaryDirectory() as place:
            for_gpu(checks, program, Path(place), (56 // 14) ** 2)
        return checks.finish()
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        tiny = make_folder(root / "tiny", "gemma2", seed=2)
        middling = make_model(root / "middling", tiny)
        data = make_even_data(root / "data.jsonl", BATCH * STEPS * 2)
        image_tokens = (56 // 14) ** 2
        for size, folder in {"tiny": tiny, "middling": middling}.items():
            for method, settings in METHODS.items():
                for checkpointing in (False, True):
                    name = f"{size}, {method}{', recomputed' if checkpointing else ''}"
                    compare(checks, program, root, folder, data, name, image_tokens, **settings,
                            gradient_checkpointing=checkpointing)
        for method in ("full", "LoRA"):
            compare(checks, program, root, middling, data, f"middling, {method}, in 16 bits", image_tokens, **METHODS[method],
                    bf16=True)
        for more in ({}, dict(bf16=True), dict(gradient_checkpointing=True)):
            compare(checks, program, root, middling, data, f"middling, DoRA {', '.join(more)}", image_tokens, **LORA,
                    use_dora=True, **more)
        compare(checks, program, root, middling, data, "middling, full, in 16 bits, two batches a step", image_tokens,
                **METHODS["full"], bf16=True, gradient_accumulation_steps=2)
        compare(checks, program, root, middling, data, "middling, full, moments in 8 bits", image_tokens, **METHODS["full"],
                optim="adamw_8bit")
        for ranks, more in ((1, {}), (2, dict(sharding="sharded"))):
            compare(checks, program, root, middling, data, "middling, full, in 16 bits alone", image_tokens, ranks=ranks,
                    **METHODS["full"], **more, pure_bf16=True)
        typed = {"dtype": "bfloat16"}
        for method, paths in {"full": ("language_model.layers.1.mlp",), "LoRA": ("vision_tower", "language_model")}.items():
            compare(checks, program, root, middling, data, f"middling, {method}, partly in 16 bits", image_tokens,
                    **METHODS[method], modules={path: typed for path in paths})
        for method in ("full", "LoRA"):
            compare(checks, program, root, middling, data, f"middling, {method}", image_tokens, ranks=2,
                    **METHODS[method], sharding="sharded")
    checks.finish()


main(sys.argv[1])
