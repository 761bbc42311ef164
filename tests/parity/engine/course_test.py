# SPDX-License-Identifier: GPL-3.0-or-later
"""The course of a run: words to it while it goes on, what a continued or branched run takes along, and what happens at
the end; evaluations as transformers.Trainer times them, curves as TensorBoard reads them."""
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch
import transformers
from safetensors.torch import load_file
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.util import tensor_util

from reference import Checks
from training import make_dataset, make_folder, start_engine, train_with_engine, write_run

LORA = dict(finetuning_type="lora", r=2, target_modules=["q_proj"], learning_rate=1e-3, gradient_accumulation_steps=1,
            lr_scheduler_type="constant", warmup_steps=0)
SECONDS = 60


def events(run, kind):
    path = run / "events" / "rank-000.jsonl"
    if not path.exists():
        return []
    return [e for e in map(json.loads, (line for line in path.read_text().splitlines() if line.endswith("}"))) if e["kind"] == kind]


def until(checks, label, condition):
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if condition():
            return checks.true(label, True)
        time.sleep(0.02)
    checks.true(label, False, "not within %d s" % SECONDS)


class Live:
    """A run that goes on until it is told to stop."""

    def __init__(self, program, run, folder, data, **settings):
        write_run(run, folder, data, **LORA | dict(max_steps=100000, save_strategy="no", record_provenance=False) | settings)
        self.run = run
        self.process = subprocess.Popen([program, "--run", run], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True)

    def tell(self, word):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()

    def step(self):
        return max((e["step"] for e in events(self.run, "step")), default=0)

    def rates(self, after):
        return [e["lr"] for e in events(self.run, "step") if e["step"] > after]

    def phase(self):
        return events(self.run, "phase")[-1]["name"]

    def end(self, checks, label):
        self.tell("stop")
        _, err = self.process.communicate()
        checks.true(f"{label}: ends well", self.process.returncode == 0, err)
        return self.step()


def words(checks, program, root, folder, data):
    run = root / "live"
    live = Live(program, run, folder, data)
    until(checks, "words: it trains", lambda: live.step() >= 2)
    live.tell("pause")
    until(checks, "words: it is paused", lambda: live.phase() == "paused")
    held = live.step()
    live.tell("save")
    until(checks, "words: it saves while it is held", lambda: (run / f"checkpoint-{held}" / "COMPLETE").exists())
    until(checks, "words: it is still said to be paused", lambda: live.phase() == "paused")
    time.sleep(0.5)
    checks.true("words: no step is taken for a save", live.step() == held)
    live.tell("resume")
    until(checks, "words: it goes on", lambda: live.step() > held)
    for rate in (0.0, 2e-3):
        live.tell(f"set learning_rate={rate}")
        until(checks, f"words: rate {rate}", lambda: live.rates(0)[-1] == rate)
    live.tell("set save_steps=5")
    until(checks, "words: saved every five steps from now on", lambda: any(
        int(p.name.split("-")[1]) % 5 == 0 and (p / "COMPLETE").exists() for p in run.glob("checkpoint-*")))
    live.tell("set eval_steps=5")
    until(checks, "words: what cannot be is said", lambda: any("nothing to evaluate" in str(e) for e in events(run, "warning") + events(run, "error")))
    last = live.end(checks, "words")

    branch = train_with_engine(program, root / "branch", folder, data, **LORA | dict(
        learning_rate=5e-4, max_steps=last + 2, resume_from_checkpoint=str(run / f"checkpoint-{last}")))
    rates = [e["lr"] for e in events(branch, "step")]
    checks.true("a branch learns with the rate of its own configuration", rates == [5e-4] * 2, rates)
    write_run(run, folder, data, **LORA | dict(max_steps=last + 2, resume_from_checkpoint="latest"))
    process = start_engine(program, run)
    _, err = process.communicate()
    rates = [e["lr"] for e in events(run, "step") if e["step"] > last]
    checks.true("a resumed run learns with the rate that was set", process.returncode == 0 and rates == [2e-3] * 2, (rates, err))


def other_plan(checks, program, root, folder, data):
    """Twelve steps to an epoch before, three after: step 9 is the end of an epoch, not the middle of one."""
    few = train_with_engine(program, root / "few", folder, data, **LORA | dict(max_steps=9))
    settings = LORA | dict(per_device_train_batch_size=8, max_steps=12)
    whole = train_with_engine(program, root / "whole", folder, data, **settings)
    run = root / "more"
    write_run(run, folder, data, **settings, resume_from_checkpoint=str(few / "checkpoint-9"))
    process = start_engine(program, run)
    try:
        _, err = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        err = "it did not end"
    checks.true("another batch size: it ends well", process.returncode == 0, err)
    seen = [[json.loads(line)["samples"] for line in (r / "provenance" / "rank-000.jsonl").read_text().splitlines()] for r in (whole, run)]
    checks.true("another batch size: the samples of these steps", seen[0][9:] == seen[1], seen)


class Toy(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(1))

    def forward(self, x, labels=None):
        return {"loss": (self.weight * x - labels).pow(2).mean(), "logits": x}


def evaluations_of_trainer(folder, **settings):
    samples = [{"x": torch.ones(1), "labels": torch.zeros(1)} for _ in range(24)]
    arguments = transformers.TrainingArguments(output_dir=str(folder), per_device_train_batch_size=2, report_to=[], use_cpu=True,
                                               disable_tqdm=True, eval_strategy="epoch", save_strategy="no", **settings)
    trainer = transformers.Trainer(model=Toy(), args=arguments, train_dataset=samples, eval_dataset=samples[:2])
    trainer.train()
    return [e["step"] for e in trainer.state.log_history if "eval_loss" in e]


def last_evaluation(checks, program, root, folder, data, held):
    for name, length in (("steps", dict(max_steps=10)), ("epochs", dict(num_train_epochs=1.5))):
        run = train_with_engine(program, root / f"unfinished {name}", folder, data, **LORA | length | dict(
            eval_data=str(held), eval_strategy="epoch"))
        found = [e["step"] for e in events(run, "eval")]
        expected = evaluations_of_trainer(root / "toy", **length)
        checks.true(f"an epoch that ends early by {name} is evaluated as Trainer does", found == expected, (found, expected))


def best_between_saves(checks, program, root, folder, data, held):
    run = train_with_engine(program, root / "best", folder, data, **LORA | dict(
        eval_data=str(held), eval_strategy="steps", eval_steps=1, save_steps=100, save_total_limit=1, max_steps=8,
        load_best_model_at_end=True, learning_rate=0.5))
    step = min((e["loss"], e["step"]) for e in events(run, "eval"))[1]
    kept = run / f"checkpoint-{step}"
    checks.true(f"the best evaluation, of step {step}, is kept", (kept / "COMPLETE").exists(), sorted(run.glob("checkpoint-*")))
    best, there = (load_file(f / "adapter_model.safetensors") for f in (run / "best", kept))
    checks.true("and exported", all(torch.equal(best[k], there[k]) for k in there))


def two_machines(checks, program, root, folder, data, other):
    """Two ranks, each alone on its machine, of which one has other weights."""
    for name, folders, code in (("the same", (folder, folder), 0), ("other", (folder, other), 2)):
        runs = [root / f"{name} weights {rank}" for rank in range(2)]
        port = 29000 + sum(map(ord, str(root) + name)) % 900
        ranks = []
        for rank, (run, model) in enumerate(zip(runs, folders)):
            write_run(run, model, data, **LORA | dict(max_steps=1))
            ranks.append(start_engine(program, run, RANK=rank, LOCAL_RANK=0, WORLD_SIZE=2, LOCAL_WORLD_SIZE=1, NODE_RANK=rank,
                                      MASTER_ADDR="127.0.0.1", MASTER_PORT=port))
        ends = [(rank.communicate()[1], rank.returncode) for rank in ranks]
        checks.true(f"{name} weights on two machines", all(c == code for _, c in ends), ends)
        if code:
            checks.true("who has other weights is said", all("those of rank 1 differ" in err for err, _ in ends), ends)


def curves(checks, run):
    board = EventAccumulator(str(run / "runs"), size_guidance={"scalars": 0, "tensors": 0})
    board.Reload()
    tags = board.Tags()
    points = {tag: [(e.step, e.value) for e in board.Scalars(tag)] for tag in tags["scalars"]}
    points |= {tag: [(e.step, float(tensor_util.make_ndarray(e.tensor_proto))) for e in board.Tensors(tag)] for tag in tags["tensors"]}
    steps = [step for step, _ in points["train/loss"]]
    checks.true("curves: one loss for each step", steps == sorted(set(steps)), points["train/loss"])
    checks.true("curves: the mean of the run has a name of its own", len(points.get("train/train_loss", [])) == 1, sorted(points))


def main(program):
    checks = Checks()
    with tempfile.TemporaryDirectory() as root:
        root = Path(root)
        folder = make_folder(root / "model", "gemma2", seed=5)
        data, held = make_dataset(root / "data.jsonl", folder, 24), make_dataset(root / "held.jsonl", folder, 4, seed=9)
        words(checks, program, root, folder, data)
        other_plan(checks, program, root, folder, data)
        last_evaluation(checks, program, root, folder, data, held)
        best_between_saves(checks, program, root, folder, data, held)
        curves(checks, root / "whole")
        two_machines(checks, program, root, folder, data, make_folder(root / "another", "gemma2", seed=6))
    checks.finish()


main(sys.argv[1])
