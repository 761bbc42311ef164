#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a program does on a GPU besides steps, with a tiny model on a card that is none (tests/fakes/cuda): probe, predict,
evaluations, checkpoints, resume, and two ranks over Gloo on one card and over NCCL on two. Numbers mean nothing there; that
torch's CUDA half takes every call, and says nothing to the user, is what is seen.

    python3 paths_without_card.py --roadtune roadtune --trainer roadtune-train --stand-in libfake-cuda.so
"""
import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

LORA = dict(finetuning_type="lora", target_modules=["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"])
WAITS_OF_A_STEP = 3  # for the norm of all gradients; then for the loss and those of the samples, which are there by then
TWO_RANKS = [  # name, settings, cards, what NCCL carries
    ("two ranks on one card over Gloo", dict(ddp_backend="gloo", gpus=[0, 0]), 1, None),
    ("the same, shared out", dict(ddp_backend="gloo", gpus=[0, 0], sharding="sharded"), 1, None),
    ("two cards over NCCL", dict(ddp_backend="nccl"), 2, "ncclAllReduce"),
    ("the same, shared out", dict(ddp_backend="nccl", sharding="sharded"), 2, "ncclAlltoAll"),
    ("the same, shared out on each machine", dict(ddp_backend="nccl", sharding="hybrid"), 2, "ncclAllGather"),
]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def carried(tally, call):
    """Has NCCL carried anything in that call?"""
    return any(line["name"] == call and line["amount"] > 0 for line in map(json.loads, tally.read_text().splitlines()))


def waits(tally):
    return sum(line["times"] for line in map(json.loads, tally.read_text().splitlines()) if line["kind"] == "wait")


class Card:
    def __init__(self, options, root):
        self.options, self.root, self.failed, self.passed = options, root, [], 0

    def start(self, arguments, environment):
        return subprocess.Popen([self.options.trainer, *arguments], text=True,
                                env=os.environ | {"LD_PRELOAD": str(self.options.stand_in)} | environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def check(self, name, processes, holds=lambda: True):
        outputs = [process.communicate(timeout=240)[0] for process in processes]
        good = all(p.returncode == 0 for p in processes) and not any("Warning" in o for o in outputs) and holds()
        print(f"{'passed' if good else 'FAILED'}: {name}", flush=True)
        self.passed += good
        if not good:
            self.failed.append(name)
            print("\n".join(f"exit {p.returncode}\n{o}" for p, o in zip(processes, outputs)))

    def write_run(self, name, **settings):
        folder = self.root / name
        folder.mkdir(exist_ok=True)
        settings = dict(model_name_or_path=str(self.root / "tiny"), output_dir=str(folder), train_data=str(self.root / "data/data.jsonl"),
                        device="cuda", bf16=True, per_device_train_batch_size=2, logging_steps=1, verify_updates=False) | LORA | settings
        (folder / "run.yaml").write_text("".join(f"{key}: {json.dumps(value)}\n" for key, value in settings.items()))
        return folder


def one_rank(card):
    root = card.root
    picture = next((root / "data/images").iterdir())
    subprocess.run([card.options.roadtune, "encode", "--model", root / "tiny", "--image", picture, "--prompt", "detect vehicle",
                    "--suffix", "<loc0001><loc0002><loc0003><loc0004> vehicle", "--out", root / "batch"], check=True)
    for words in ("", "--quantize nf4-dq", "--dtype bfloat16 --profile hf-5-sdpa --packed", "--profile big-vision"):
        card.check(f"probe {words}", [card.start(["probe", "--model", root / "tiny", "--batch", root / "batch", "--out", root / "out",
                                                  "--logits", "--grads", "--device", "cuda:0", *words.split()], {})])
    card.check("predict", [card.start(["predict", "--model", root / "tiny", "--data", root / "data/data.jsonl", "--out",
                                       root / "results.json", "--device", "cuda:0"], {})])
    course = dict(eval_data=str(root / "data/data.jsonl"), eval_strategy="steps", eval_steps=2, save_steps=2, ema_decay=0.9,
                  load_best_model_at_end=True)
    folder = card.write_run("course", max_steps=4, **course)
    card.check("a run with evaluations and checkpoints", [card.start(["--run", folder], {})], lambda: (folder / "checkpoint-4/COMPLETE").exists())
    folder = card.write_run("course", max_steps=6, resume_from_checkpoint="latest", **course)
    card.check("resumed", [card.start(["--run", folder], {})], lambda: (folder / "checkpoint-6/COMPLETE").exists())
    tallies = [root / f"tally-of-{steps}" for steps in (3, 6)]
    for steps, tally in zip((3, 6), tallies):
        folder = card.write_run(f"steps-{steps}", max_steps=steps, save_strategy="no")
        card.check(f"{steps} steps, whose waits are counted", [card.start(["--run", folder], dict(FAKE_CUDA_TALLY=str(tally)))],
                   lambda: steps == 3 or waits(tallies[1]) - waits(tallies[0]) == 3 * WAITS_OF_A_STEP)
    folder = card.write_run("four-bits", max_steps=2, finetuning_type="qlora", load_in_4bit=True, gradient_checkpointing=True)
    card.check("4-bit weights, recomputed", [card.start(["--run", folder], {})])


def two_ranks(card):
    root = card.root
    for number, (name, settings, cards, call) in enumerate(TWO_RANKS):
        folder = card.write_run(f"ranks-{number}", max_steps=3, **settings)
        shared = dict(WORLD_SIZE="2", LOCAL_WORLD_SIZE="2", MASTER_ADDR="127.0.0.1", MASTER_PORT=str(free_port()), FAKE_CUDA_DEVICES=str(cards))
        ranks = [card.start(["--run", folder], shared | dict(RANK=str(rank), LOCAL_RANK=str(rank), FAKE_CUDA_TALLY=str(root / f"tally-{rank}")))
                 for rank in range(2)]
        card.check(name, ranks, lambda: call is None or all(carried(root / f"tally-{rank}", call) for rank in range(2)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("roadtune", "trainer", "stand-in"):
        parser.add_argument(f"--{option}", type=Path, required=True)
    options = parser.parse_args()
    options.stand_in = options.stand_in.resolve()
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        subprocess.run([options.roadtune, "model", "new-tiny", "--out", root / "tiny"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([options.roadtune, "data", "synth", "--out", root / "data", "--format", "jsonl", "--segments", "1", "--frames", "4"],
                       check=True, stdout=subprocess.DEVNULL)
        card = Card(options, root)
        one_rank(card)
        two_ranks(card)
    print(f"{card.passed} passed, {len(card.failed)} failed")
    return 1 if card.failed else 0


if __name__ == "__main__":
    sys.exit(main())
