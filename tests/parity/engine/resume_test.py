# SPDX-License-Identifier: GPL-3.0-or-later
"""A run killed with SIGKILL at a random moment and resumed ends with the same bytes as an undisturbed one; damaged
checkpoints are refused by name; two ranks compute what one computes."""
import json
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

from safetensors.torch import load_file

from reference import Checks
from training import make_dataset, make_folder, start_engine, train_with_engine, write_run

STEPS = 14
LORA = dict(finetuning_type="lora", r=4, lora_dropout=0.1, target_modules=["q_proj", "v_proj", "up_proj"])
METHODS = {
    "full": dict(finetuning_type="full"),
    "LoRA": LORA,
    "QLoRA": dict(LORA, finetuning_type="qlora", load_in_4bit=True, bnb_4bit_use_double_quant=True),
}
CASES = {f"{name}, {micro} per step, {workers} workers": dict(method, gradient_accumulation_steps=micro,
                                                              dataloader_num_workers=workers)
         for name, method in METHODS.items() for micro, workers in ((1, 0), (4, 3))}
CASES["full, moments in 8 bits"] = dict(finetuning_type="full", optim="adamw_8bit")
CASES["full, bfloat16"] = dict(finetuning_type="full", freeze_vision_tower=True, bf16=True, gradient_accumulation_steps=1)


def weights(run):
    folder = run / f"checkpoint-{STEPS}"
    names = ["model.safetensors", "adapter_model.safetensors", "resume.safetensors"]
    return {name: (folder / name).read_bytes() for name in names if (folder / name).exists()}


def newest(run):
    steps = [int(p.name.split("-")[1]) for p in run.glob("checkpoint-*") if (p / "COMPLETE").exists()]
    return max(steps, default=0)


def kill_and_resume(checks, label, program, root, folder, data, settings, rng):
    common = dict(settings, max_steps=STEPS, save_steps=2, learning_rate=1e-3)
    whole = train_with_engine(program, root / "whole", folder, data, **common)
    run = root / "broken"
    write_run(run, folder, data, **common)
    process = start_engine(program, run)
    goal = rng.randrange(2, STEPS - 4)
    while newest(run) < goal and process.poll() is None:
        time.sleep(0.01)
    time.sleep(rng.random() * 0.1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    reached = newest(run)
    write_run(run, folder, data, **common, resume_from_checkpoint="latest")
    process = start_engine(program, run)
    _, err = process.communicate()
    checks.true(f"{label}: killed after step {reached}, resumed", process.returncode == 0, err)
    if process.returncode == 0:
        checks.true(f"{label}: same bytes as the undisturbed run", weights(whole) == weights(run))


def other_batches(checks, program, root, folder, data):
    run = root / "other"
    write_run(run, folder, data, finetuning_type="full", max_steps=STEPS + 1, gradient_accumulation_steps=1,
              per_device_train_batch_size=5, resume_from_checkpoint=str(root / f"whole/checkpoint-{STEPS}"))
    process = start_engine(program, run)
    _, err = process.communicate()
    checks.true("other batches: goes on, and says where", process.returncode == 0 and "a step now takes 5 samples" in err, err)


def damaged(checks, program, root, folder, data):
    run = root / "whole"
    for name, damage, words in (
            ("altered", lambda c: flip(c / "model.safetensors"), "model.safetensors was altered"),
            ("incomplete", lambda c: (c / "COMPLETE").unlink(), "COMPLETE is missing")):
        checkpoint = run / f"checkpoint-{STEPS}"
        damage(checkpoint)
        write_run(root / name, folder, data, finetuning_type="full", max_steps=STEPS + 2, resume_from_checkpoint=str(checkpoint))
        process = start_engine(program, root / name)
        _, err = process.communicate()
        checks.true(f"{name} checkpoint is refused", process.returncode == 2 and words in err and str(checkpoint) in err, err)


def falls_back(checks, program, root, folder, data):
    run = root / "broken"
    checkpoint = run / f"checkpoint-{STEPS}"
    flip(checkpoint / "model.safetensors")
    process = start_engine(program, run)
    _, err = process.communicate()
    checks.true("latest: a damaged checkpoint is left out, and said", process.returncode == 0 and "was altered" in err
                and f"{checkpoint.name}.damaged" in err, err)
    checks.true("latest: it is kept aside", (run / f"{checkpoint.name}.damaged/model.safetensors").exists())
    checks.true("latest: the same bytes again", weights(run) == weights(root / "whole"))


def flip(path):
    content = bytearray(path.read_bytes())
    content[-5] ^= 64
    path.write_bytes(content)


def losses(run, rank=0):
    events = [json.loads(line) for line in (run / f"events/rank-{rank:03}.jsonl").read_text().splitlines()]
    return [e["loss"] for e in events if e["kind"] == "step"]


def two_ranks(checks, program, root, folder, data, port):
    # Five steps of the same global batch; the sixth would fill up the epoch's last round by repeating a sample.
    common = dict(finetuning_type="full", max_steps=5, learning_rate=1e-3, gradient_accumulation_steps=1, shuffle=False)
    one = train_with_engine(program, root / "one", folder, data, **common, per_device_train_batch_size=4)
    two = root / "two"
    write_run(two, folder, data, **common, per_device_train_batch_size=2)
    ranks = [start_engine(program, two, RANK=r, LOCAL_RANK=r, WORLD_SIZE=2, LOCAL_WORLD_SIZE=2, MASTER_ADDR="127.0.0.1",
                          MASTER_PORT=port) for r in range(2)]
    for rank in ranks:
        _, err = rank.communicate()
        checks.true("two ranks: a rank ends well", rank.returncode == 0, err)
    worst = max(abs(a - b) for a, b in zip(losses(one), losses(two)))
    checks.at_most("two ranks: losses of one rank", worst, 1e-5)
    a, b = (load_file(run / "checkpoint-5/model.safetensors") for run in (one, two))
    checks.at_most("two ranks: weights of one rank", max(float((a[k] - b[k]).abs().max()) for k in a), 1e-4)


def stop_on_signal(checks, program, root, folder, data, number):
    name = number.name
    run = root / name
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # tests themselves may run under nohup
    write_run(run, folder, data, finetuning_type="full", max_steps=100000, learning_rate=1e-4)
    process = start_engine(program, run)
    log = run / "events/rank-000.jsonl"
    while not (log.exists() and '"kind":"step"' in log.read_text()) and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(number)
    process.communicate()
    last = json.loads(log.read_text().splitlines()[-1])
    checks.true(f"{name}: exit 0", process.returncode == 0)
    checks.true(f"{name}: bye says stopped", last["kind"] == "bye" and last["reason"] == "stopped", last)
    checks.true(f"{name}: saved", newest(run) == last["step"] > 0)
    summary = last["summary"]
    checks.at_most(f"{name}: counts the steps it did", abs(summary["train_steps_per_second"] * summary["train_runtime"] - last["step"]), 1e-3 * last["step"])


def main(program):
    checks = Checks()
    rng = random.Random(8)
    with tempfile.TemporaryDirectory() as root:
        root = Path(root)
        folder = make_folder(root / "model", "gemma2", seed=5)
        data = make_dataset(root / "data.jsonl", folder, count=23)
        for label, settings in CASES.items():
            kill_and_resume(checks, label, program, root / label, folder, data, settings, rng)
        falls_back(checks, program, root / "full, 1 per step, 0 workers", folder, data)
        other_batches(checks, program, root / "full, 1 per step, 0 workers", folder, data)
        damaged(checks, program, root / "full, 1 per step, 0 workers", folder, data)
        for number in (signal.SIGTERM, signal.SIGHUP):
            stop_on_signal(checks, program, root, folder, data, number)
        two_ranks(checks, program, root, folder, data, 29000 + rng.randrange(900))
    checks.finish()


main(sys.argv[1])
