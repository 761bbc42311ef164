#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole runs with a tiny model on a GPU against the same runs on the CPU: loss and norm of the gradients in every step, losses of
evaluations, predictions, weights in the end; one rank, and two over Gloo and NCCL. What torch's CUDA half has to say to the user
fails a run. With --stand-in and --plugin the GPU is a card that is none and works its numbers out (tests/fakes/cuda); then
also two cards, and, without numbers, the waits of a step.

    python3 whole_runs.py --trainer roadtune-train --roadtune roadtune (or --inputs FOLDER) [--all] [--jobs 4]
        [--stand-in libfake-cuda.so --plugin libfake-cuda-plugin.so]
"""
import argparse
import concurrent.futures
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

SEVEN = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
FULL, LORA, QLORA = dict(finetuning_type="full", learning_rate=1e-4), dict(finetuning_type="lora", target_modules=SEVEN), dict(
    finetuning_type="qlora", load_in_4bit=True, target_modules=SEVEN)
WAITS_OF_A_STEP = 1  # for the step before, while the device is given the passes of this one
GIVEN_BY_THEN = 0.9  # of a step's kernels at least: all but its update
EXACT, NARROW = 5e-6, 2e-2  # relative distances, in float32 and with 16 bits
EXACT_ON_A_CARD = 1e-3  # it adds in another order, and AdamW makes steps of one size of gradients next to nothing
OURS = {"LD_LIBRARY_PATH": os.environ["OURS_LD_LIBRARY_PATH"]} if "OURS_LD_LIBRARY_PATH" in os.environ else {}
ONE_RANK = [  # name, settings; those with a star only with --all
    ("* full", FULL),
    ("* full, 16 bits", FULL | dict(bf16=True)),
    ("full, 16 bits, two batches a step, recomputed", FULL | dict(bf16=True, gradient_accumulation_steps=2, gradient_checkpointing=True)),
    ("* full, 16 bits, five of its blocks recomputed", FULL | dict(bf16=True, gradient_checkpointing=True, gradient_checkpointing_blocks=5)),
    ("full, in 16 bits alone, two batches a step, resumed", FULL | dict(bf16=True, pure_bf16=True, gradient_accumulation_steps=2, resumed=True)),
    ("full, rows without masks and padding, 16 bits", FULL | dict(bf16=True, profile="hf-5-sdpa")),
    ("* full, resumed in the middle", FULL | dict(resumed=True, load_best_model_at_end=True)),
    ("full, 16 bits, moments in 8 bits, averaged, resumed", FULL | dict(bf16=True, optim="adamw_8bit", ema_decay=0.5, resumed=True)),
    ("full, moments in 8 bits, stored as float16", FULL | dict(bf16=True, optim="adamw_8bit", stored="float16")),
    ("* full, moments in 8 bits, averaged", FULL | dict(optim="adamw_8bit", ema_decay=0.5, num_probe_samples=3)),
    ("lora, pictures seen once, a projector of its own, resumed",
     LORA | dict(resumed=True, modules_to_save=["multi_modal_projector"], freeze_vision_tower=True, exclude_modules=".*vision_tower.*",
                 cache_vision_features="memory")),
    ("* lora, 16 bits", LORA | dict(bf16=True)),
    ("* dora, smoothed", LORA | dict(use_dora=True, label_smoothing_factor=0.1)),
    ("* qlora", QLORA),
    ("qlora, 16 bits, double, recomputed", QLORA | dict(bf16=True, double_quantization=True, gradient_checkpointing=True)),
]
TWO_RANKS = [  # name, settings, cards, what NCCL carries
    ("* two ranks on one card over Gloo", FULL | dict(ddp_backend="gloo"), 1, None),
    ("two ranks on one card over Gloo, shared out", FULL | dict(ddp_backend="gloo", sharding="sharded"), 1, None),
    ("* two cards over NCCL", FULL | dict(ddp_backend="nccl"), 2, "ncclAllReduce"),
    ("* two cards over NCCL, 16 bits", FULL | dict(ddp_backend="nccl", bf16=True), 2, "ncclAllReduce"),
    ("two cards over NCCL, adapters, 16 bits", LORA | dict(ddp_backend="nccl", bf16=True), 2, "ncclAllReduce"),
    ("* two cards over NCCL, shared out", FULL | dict(ddp_backend="nccl", sharding="sharded"), 2, "ncclAlltoAll"),
    ("* two cards over NCCL, shared out, in 16 bits alone", FULL | dict(ddp_backend="nccl", sharding="sharded", bf16=True, pure_bf16=True), 2, "ncclAlltoAll"),
    ("two cards over NCCL, shared out on each machine", FULL | dict(ddp_backend="nccl", sharding="hybrid"), 2, "ncclAllGather"),
]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def carried(tally, call):
    """Has NCCL carried anything in that call?"""
    return any(line["name"] == call and line["amount"] > 0 for line in map(json.loads, tally.read_text().splitlines()))


def distance(one, other):
    return abs(one - other) / max(abs(one), abs(other), 1e-6)


class Runs:
    def __init__(self, options, root):
        self.options, self.root, self.passed, self.failed = options, root, 0, 0
        self.inputs = options.inputs or root / "inputs"  # a tiny model and its data
        self.card = {}
        if options.stand_in:
            self.card = dict(LD_PRELOAD=str(options.stand_in.resolve()), ROADTUNE_CUDA_PLUGIN=str(options.plugin.resolve()))

    def write(self, folder, settings):
        folder.mkdir(exist_ok=True)
        common = dict(model_name_or_path=str(self.inputs / "tiny"), output_dir=str(folder), train_data=str(self.inputs / "data/data.jsonl"),
                      eval_data=str(self.inputs / "held-out/data.jsonl"), eval_strategy="steps", eval_steps=2, per_device_train_batch_size=2,
                      per_device_eval_batch_size=4, num_probe_samples=0, logging_steps=1, max_steps=4, learning_rate=1e-3, lr_scheduler_type="constant", seed=7)
        (folder / "run.yaml").write_text("".join(f"{key}: {json.dumps(value)}\n" for key, value in (common | settings).items()))
        return folder

    def run(self, folder, environments, says=""):
        processes = [subprocess.Popen([self.options.trainer, "--run", folder], text=True, env=os.environ | OURS | environment,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for environment in environments]
        outputs = [process.communicate(timeout=300)[0] for process in processes]
        if any(process.returncode != 0 for process in processes) or any("Warning" in output for output in outputs) or says not in outputs[0]:
            print("\n".join(outputs))
            return None
        events = [json.loads(line) for line in (folder / "events/rank-000.jsonl").read_text().splitlines()]  # later ones win
        points = {(event["step"], f"{event['kind']} {name}"): event[name] for event in events if event["kind"] in ("step", "eval")
                  for name in ("loss", "grad_norm") if name in event}
        last = max(folder.glob("checkpoint-*"))
        weights = load_file(next(path for path in sorted(last.glob("*.safetensors")) if path.name.startswith(("adapter", "model"))))
        kept = [json.loads(line) for path in sorted(folder.glob("predictions/*")) for line in path.read_text().splitlines()]
        points |= {(one["step"], f"score of prediction {number}"): one["score"] for number, one in enumerate(kept)}
        return points, weights, [one["text"] for one in kept]

    def stored_as(self, kind):
        """The tiny model in another type: one that is not trained in."""
        folder = self.root / f"tiny-{kind}"
        shutil.copytree(self.inputs / "tiny", folder)
        for path in folder.glob("*.safetensors"):
            save_file({name: tensor.to(getattr(torch, kind)) for name, tensor in load_file(path).items()}, path, {"format": "pt"})
        return folder

    def check(self, name, good, words=""):
        print(f"{'passed' if good else 'FAILED'}: {name}{words}", flush=True)
        self.passed += good
        self.failed += not good

    def compare(self, number, name, settings, ranks=1, cards=1, call=None):
        limit = NARROW if settings.get("bf16") else EXACT if self.options.stand_in else EXACT_ON_A_CARD
        begin = time.time()
        settings = dict(settings)
        halfway = settings.pop("resumed", False)
        if stored := settings.pop("stored", None):
            settings["model_name_or_path"] = str(self.stored_as(stored))
        sides = []
        for side, own in (("cpu", dict(device="cpu", ddp_backend="gloo")), ("card", dict(device="cuda"))):
            environment = self.card | dict(FAKE_CUDA_DEVICES=str(cards)) if side == "card" else {"ROADTUNE_KERNELS": "host"}
            shared = dict(WORLD_SIZE=str(ranks), LOCAL_WORLD_SIZE=str(ranks), MASTER_ADDR="127.0.0.1", MASTER_PORT=str(free_port()))
            tallies = [self.root / f"tally-of-{side}-{number}-{rank}" for rank in range(ranks)]
            each = [environment | dict(FAKE_CUDA_TALLY=str(tally)) | (shared | dict(RANK=str(rank), LOCAL_RANK=str(rank)) if ranks > 1 else {})
                    for rank, tally in enumerate(tallies)]
            more = dict(gpus=[0] * ranks) if side == "card" and ranks > cards else {}
            folder, says = self.root / f"{side}-{number}", ""
            if side == "card" and halfway:
                self.run(self.write(folder, settings | own | dict(max_steps=2, save_steps=2)), each)
                own |= dict(resume_from_checkpoint="latest")
                says = "resumed from checkpoint-2 at step 2"
            sides.append(self.run(self.write(folder, more | settings | own), each, says))
        worst, where = self.worst(*sides) if all(sides) else (float("inf"), "a run that failed")
        through = call is None or not self.options.stand_in or all(sides) and all(carried(tally, call) for tally in tallies)  # of the card, the second side
        self.check(name, worst <= limit and through, f": {worst:.1e} of {limit:g} ({where}), {time.time() - begin:.0f} s")

    def predict(self):
        """The program of its own; what models say is compared above, in evaluations."""
        done = subprocess.run([self.options.trainer, "predict", "--model", self.inputs / "tiny", "--data", self.inputs / "held-out/data.jsonl",
                               "--out", self.root / "results.json", "--limit", "1", "--device", "cuda:0"], text=True,
                              env=os.environ | OURS | self.card, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.check("predict", done.returncode == 0 and "Warning" not in done.stdout, "" if done.returncode == 0 else f"\n{done.stdout}")

    def deterministic(self):
        """Two runs that ask for the same bits have them."""
        kept = []
        for turn in ("once", "again"):
            folder = self.write(self.root / f"same-bits-{turn}", FULL | dict(bf16=True, profile="hf-5-sdpa", full_determinism=True, device="cuda"))
            done = subprocess.run([self.options.trainer, "--run", folder], text=True, env=os.environ | OURS | self.card,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if done.returncode != 0:
                return self.check("the same bits", False, f"\n{done.stdout}")
            kept.append((folder / "checkpoint-4/model.safetensors").read_bytes())
        self.check("the same bits", kept[0] == kept[1])

    def not_finite(self):
        """The second step and all after it have no finite loss, which is known only when later ones are under way: what the first
        one made is what remains."""
        kept = []
        for steps in (1, 5):
            folder = self.write(self.root / f"not-finite-{steps}", dict(
                finetuning_type="lora", target_modules=["q_proj", "k_proj"], lora_alpha=10**18, learning_rate=100, max_steps=steps,
                max_non_finite_steps=9, eval_strategy="no", device="cuda"))
            if not self.run(folder, [self.card]):
                return self.check("steps that are not finite", False, " (a run that failed)")
            checkpoint = folder / f"checkpoint-{steps}"
            kept.append(((checkpoint / "adapter_model.safetensors").read_bytes(), json.loads((checkpoint / "resume.json").read_text())["optimizer_steps"]))
        events = [json.loads(line) for line in (folder / "events/rank-000.jsonl").read_text().splitlines()]
        told = [event["step"] for event in events if event["kind"] == "warning" and "was not applied" in event["message"]]
        self.check("steps that are not finite", kept[0] == kept[1] and kept[0][1] == 1 and told == [2, 3, 4, 5], f": told {told}, {kept[1][1]} applied")

    def failing(self):
        """A run that fails while a step is under way tells that step first, as on the CPU."""
        lines = (self.inputs / "data/data.jsonl").read_text().splitlines()
        lines[4] = json.dumps(json.loads(lines[4]) | dict(image="missing.jpg"))
        data = self.inputs / "data/with-a-missing-picture.jsonl"
        data.write_text("\n".join(lines) + "\n")
        told = []
        for device, environment in (("cpu", {}), ("cuda", self.card)):
            folder = self.write(self.root / f"failing-{device}", LORA | dict(
                train_data=str(data), per_device_train_batch_size=1, max_steps=6, eval_strategy="no", on_bad_sample="stop", device=device))
            done = subprocess.run([self.options.trainer, "--run", folder], env=os.environ | OURS | environment, text=True, capture_output=True)
            events = [json.loads(line) for line in (folder / "events/rank-000.jsonl").read_text().splitlines()]
            told.append((done.returncode, [(event["kind"], event["step"]) for event in events if event["kind"] in ("step", "error", "bye")]))
        self.check("a run that fails", told[0] == told[1] and told[0][0] != 0 and len(told[0][1]) > 3, f": {told[1]}")

    def waits(self):
        """By two lengths of a run, on the card that works nothing out: how often the host waits in a step, and how much the card has
        to do by then."""
        waits, behind, kernels = [], [], []
        for steps in (3, 6):
            folder, tally = self.root / f"steps-{steps}", self.root / f"tally-{steps}"
            settings = LORA | dict(bf16=True, profile="hf-5-sdpa", max_steps=steps, eval_strategy="no", save_strategy="no", verify_updates=False)
            self.write(folder, settings | dict(device="cuda"))
            subprocess.run([self.options.trainer, "--run", folder], check=True, stdout=subprocess.DEVNULL,
                           env=os.environ | dict(LD_PRELOAD=self.card["LD_PRELOAD"], FAKE_CUDA_TALLY=str(tally)))
            lines = [json.loads(line) for line in tally.read_text().splitlines()]
            for into, kind, what in ((waits, "wait", "times"), (behind, "wait", "amount"), (kernels, "kernel", "times")):
                into.append(sum(line[what] for line in lines if line["kind"] == kind))
        of_a_step = [(longer - shorter) / 3 for shorter, longer in (waits, behind, kernels)]
        self.breaking(kernels[0] + of_a_step[2] / 2)
        self.check("waits of a step", of_a_step[0] == WAITS_OF_A_STEP and of_a_step[1] >= GIVEN_BY_THEN * of_a_step[2],
                   ": {:g}, with {:g} of {:g} kernels to come".format(*of_a_step))

    def breaking(self, kernels):
        """A card that breaks while the third step is under way and the fourth is begun: the run says so and ends as runs that fail do."""
        folder = self.root / "breaking"
        self.write(folder, LORA | dict(bf16=True, profile="hf-5-sdpa", max_steps=6, eval_strategy="no", save_strategy="no",
                                       verify_updates=False, device="cuda"))
        done = subprocess.run([self.options.trainer, "--run", folder], text=True, capture_output=True,
                              env=os.environ | dict(LD_PRELOAD=self.card["LD_PRELOAD"], FAKE_CUDA_BREAKS_AFTER=str(int(kernels))))
        events = [json.loads(line) for line in (folder / "events/rank-000.jsonl").read_text().splitlines()]
        errors = [event["message"] for event in events if event["kind"] == "error"]
        steps = [event["step"] for event in events if event["kind"] == "step"]
        good = done.returncode == 1 and steps == [1, 2] and any("illegal" in message for message in errors) and events[-1]["kind"] == "bye"
        self.check("a card that breaks", good, f": exit {done.returncode}, steps {steps}, {errors}{'' if good else chr(10) + done.stderr[-2000:]}")

    @staticmethod
    def worst(cpu, card):
        (points, weights, texts), (others, trained, predicted) = cpu, card
        if points.keys() != others.keys() or len(points) < 10 or weights.keys() != trained.keys():
            return float("inf"), f"other points or weights: {sorted(points)} and {sorted(others)}"
        if texts != predicted:
            return float("inf"), f"other predictions: {texts} and {predicted}"
        found = [(distance(points[at], others[at]), f"{at[1]} of step {at[0]}") for at in points]
        return max(found + [Runs.apart(weights, trained)])

    @staticmethod
    def apart(weights, trained):
        """Of all weights together: AdamW makes steps of one size of gradients that are next to nothing, whichever way they
        point. Key biases have none but for rounding."""
        names = [name for name in weights if not name.endswith("k_proj.bias")]
        one, other = (torch.cat([side[name].flatten().double() for name in names]) for side in (weights, trained))
        return float((one - other).norm() / one.norm()), "weights"


def make_inputs(program, folder):
    def roadtune(*arguments):
        subprocess.run([program, *arguments], check=True, stdout=subprocess.DEVNULL)
    roadtune("model", "new-tiny", "--out", folder / "tiny")
    for data, frames in (("data", 6), ("held-out", 2)):
        roadtune("data", "synth", "--out", folder / data, "--format", "jsonl", "--cameras", "side_right", "--frames", str(frames))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trainer", type=Path, required=True)
    for option in ("roadtune", "inputs", "stand-in", "plugin"):
        parser.add_argument(f"--{option}", type=Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jobs", type=int, default=1, help="comparisons at a time")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(options.jobs) as threads:
        runs = Runs(options, Path(scratch))
        if not options.inputs:
            make_inputs(options.roadtune, runs.inputs)
        cases = [(name, settings) for name, settings in ONE_RANK]
        cases += [(name, settings, 2, cards, call) for name, settings, cards, call in TWO_RANKS if cards == 1 or options.stand_in]
        waiting = [threads.submit(runs.compare, number, *case) for number, case in enumerate(cases)
                   if options.all or not case[0].startswith("*")]
        waiting += [threads.submit(runs.predict), threads.submit(runs.deterministic), threads.submit(runs.not_finite), threads.submit(runs.failing)]
        if options.stand_in:
            waiting.append(threads.submit(runs.waits))
        for one in waiting:
            one.result()
    print(f"{runs.passed} passed, {runs.failed} failed")
    return 1 if runs.failed else 0


if __name__ == "__main__":
    sys.exit(main())
