# SPDX-License-Identifier: GPL-3.0-or-later
"""Times the same CPU training step in two forms that must learn the same, turn and turn about: padding left out and worked
on (padding_free), or this program and another one (--against, an earlier build). What counts is the processor's time of one
thread, of a long run less that of a short one: who else uses the machine hardly changes it.

    .deps/oracle/bin/python tests/bench/engine/pair_bench.py build/release/bin/roadtune-train [--against OTHER] [--method lora]
        [--data mixed|close|even] [--steps 10] [--rounds 3]
"""
import argparse
import json
import random
import resource
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "parity" / "engine"))

from middling import make_even_data, make_model  # noqa: E402
from training import JsonlSet, collate, make_folder, train_with_engine  # noqa: E402

TARGETS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
BATCH, WARM = 4, 2


def spread(path, fewest):
    """Answers of so many to sixteen boxes; of one to sixteen as in street scenes."""
    rng = random.Random(4)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        line["suffix"] = " ; ".join([line["suffix"].split(" ; ")[0]] * rng.randint(fewest, 16))
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def padding_share(data, folder):
    samples = JsonlSet(data, folder)
    masks = [collate([samples[i + j] for j in range(BATCH)])["attention_mask"] for i in range(0, len(samples), BATCH)]
    return 1 - sum(int(m.sum()) for m in masks) / sum(m.numel() for m in masks)


def spent_by(program, run, root, steps, method, **settings):
    """Processor seconds of a run, and its losses."""
    if method == "lora":
        settings |= dict(r=8, target_modules=TARGETS)
    shutil.rmtree(run, ignore_errors=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    train_with_engine(program, run, root / "model", root / "data.jsonl", max_steps=steps, finetuning_type=method,
                      per_device_train_batch_size=BATCH, gradient_accumulation_steps=1, save_strategy="no", shuffle=False,
                      torch_num_threads=1, **settings)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    events = [json.loads(line) for line in (run / "events/rank-000.jsonl").read_text().splitlines()]
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, [e["loss"] for e in events if e["kind"] == "step"]


def seconds_per_step(program, run, root, options, **settings):
    few, _ = spent_by(program, run, root, WARM, options.method, **settings)
    many, losses = spent_by(program, run, root, options.steps, options.method, **settings)
    return (many - few) / (options.steps - WARM), losses


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--against")
    parser.add_argument("--method", default="full", choices=["full", "lora"])
    parser.add_argument("--data", default="mixed", choices=["mixed", "close", "even"])
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    sides = {"new": (options.program, {}), "old": (options.against, {})} if options.against else {
        "tokens alone": (options.program, dict(padding_free=True)), "whole rectangle": (options.program, dict(padding_free=False))}
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        tiny = make_folder(root / "tiny", "gemma2", seed=1)
        make_model(root / "model", tiny, width=384, layers=6, vocabulary=8192, vision=128)
        make_even_data(root / "data.jsonl", options.steps * BATCH)
        if options.data != "even":
            spread(root / "data.jsonl", fewest=1 if options.data == "mixed" else 15)
        times, losses = {name: [] for name in sides}, {}
        for turn in range(options.rounds):
            for name, (program, settings) in list(sides.items())[::1 if turn % 2 else -1]:
                taken, losses[name] = seconds_per_step(program, root / "run", root, options, **settings)
                times[name].append(taken)
        padding = padding_share(root / "data.jsonl", tiny)
    first, second = sides
    apart = max(abs(a - b) / abs(b) for a, b in zip(losses[first], losses[second]))
    ratios = sorted(b / a for a, b in zip(times[first], times[second]))
    print(f"{options.method}, {options.data} lengths, {padding:.0%} padding, batch {BATCH}, one thread")
    for name in sides:
        print(f"  {name:<16}{1000 * min(times[name]):8.1f} ms of a processor per step")
    print(f"  {second} / {first}: {', '.join(f'{r:.2f}' for r in ratios)}; losses at most {apart:.1e} apart")


main()
