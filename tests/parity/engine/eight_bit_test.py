# SPDX-License-Identifier: GPL-3.0-or-later
"""AdamW with moments in 8 bits against that of bitsandbytes in transformers.Trainer: losses step by step, final weights,
and every byte of the moments; a checkpoint of either kind of moments goes on with the other; shared out, a step is the
same."""
import json
import sys
import tempfile
from pathlib import Path

import torch
from bitsandbytes.functional import create_dynamic_map
from safetensors.torch import load_file
from transformers import PaliGemmaForConditionalGeneration, Trainer, TrainingArguments

from reference import Checks
from sharding import start_ranks
from training import JsonlSet, collate, make_dataset, make_folder, start_engine, train_with_engine, write_run

STEPS, RATE = 12, 2e-3
GLOBAL = 12  # samples of a step, however many ranks
EIGHT = dict(optim="adamw_8bit", finetuning_type="full", freeze_vision_tower=True, learning_rate=RATE)


def reference_run(model, data, folder):
    arguments = TrainingArguments(
        output_dir=folder, per_device_train_batch_size=2, gradient_accumulation_steps=2, max_steps=STEPS,
        learning_rate=RATE, warmup_steps=2, lr_scheduler_type="linear", weight_decay=0.01, max_grad_norm=0.5,
        logging_steps=1, save_strategy="no", report_to=[], use_cpu=True, seed=42, remove_unused_columns=False,
        disable_tqdm=True, dataloader_num_workers=0, optim="adamw_bnb_8bit", train_sampling_strategy="random")
    trainer = Trainer(model=model, args=arguments, train_dataset=data, data_collator=collate)
    trainer.train()
    optimizer = trainer.optimizer
    while hasattr(optimizer, "optimizer"):
        optimizer = optimizer.optimizer
    return [entry for entry in trainer.state.log_history if "loss" in entry], optimizer.state


def state_of(run, step=STEPS):
    return load_file(run / f"checkpoint-{step}" / "resume.safetensors")


def history(run):
    state = json.loads((run / f"checkpoint-{STEPS}" / "trainer_state.json").read_text())
    return [entry for entry in state["log_history"] if "loss" in entry]


def apart(a, b):
    return abs(a - b) / max(abs(a), 1e-12)


def meaning(codes, scales, table):
    values = table[codes.flatten().long()]
    return values * scales.repeat_interleave(256)[:values.numel()]


def moments_of(run, step):
    """First moments in float32, whatever they are kept in."""
    state = state_of(run, step)
    table = create_dynamic_map(signed=True)
    names = [k for k in state if k.startswith("exp_avg.") and not k.endswith(".absmax")]
    return {k: meaning(state[k], state[k + ".absmax"], table) if state[k].dtype == torch.uint8 else state[k].flatten()
            for k in names}


def compare_moments(checks, model, states, ours):
    """Bytes are not compared one by one: on the CPU bitsandbytes does not always take the nearest entry of its map."""
    names = {id(p): name for name, p in model.named_parameters()}
    bytes_kept = floats_kept = near = 0
    worst = 0.0
    for parameter, state in states.items():
        name = names[id(parameter)]
        kept = ours[f"exp_avg.{name}"]
        if state["state1"].dtype != torch.uint8:
            checks.true(f"{name}: moments in float32 on both sides", kept.dtype == torch.float32)
            floats_kept += 1
            continue
        bytes_kept += 1
        checks.true(f"{name}: moments in bytes on both sides", kept.dtype == torch.uint8)
        for key, moment, scale, table in (("exp_avg", "state1", "absmax1", "qmap1"),
                                          ("exp_avg_sq", "state2", "absmax2", "qmap2")):
            mine, theirs = ours[f"{key}.{name}"].flatten(), state[moment].flatten()
            near += int(((mine.int() - theirs.int()).abs() <= 1).sum())
            a = meaning(mine, ours[f"{key}.{name}.absmax"], state[table])
            b = meaning(theirs, state[scale], state[table])
            worst = max(worst, float((a - b).norm() / b.norm()))
    checks.true("both kinds of moments were compared", bytes_kept > 20 and floats_kept > 4, (bytes_kept, floats_kept))
    checks.at_most("moments in bytes: relative distance of a tensor", worst, 0.02)
    total = 2 * sum(s["state1"].numel() for s in states.values() if s["state1"].dtype == torch.uint8)
    checks.at_most("share of bytes that are neither the same nor neighbours", 1 - near / total, 0.02)


def against_reference(checks, program, root, folder, data):
    model = PaliGemmaForConditionalGeneration.from_pretrained(folder, dtype=torch.float32)
    for parameter in model.model.vision_tower.parameters():
        parameter.requires_grad_(False)
    expected, states = reference_run(model, JsonlSet(data, folder), root / "reference")
    run = train_with_engine(program, root / "run", folder, data, **EIGHT, max_steps=STEPS)
    ours = history(run)
    checks.true("as many entries", len(expected) == len(ours) == STEPS)
    for key, limit in (("loss", 2e-4), ("grad_norm", 2e-3), ("learning_rate", 1e-6)):
        checks.at_most(key, max(apart(e[key], o[key]) for e, o in zip(expected, ours)), limit)
    trained = PaliGemmaForConditionalGeneration.from_pretrained(run / f"checkpoint-{STEPS}").state_dict()
    moved = sum(float((v - trained[k]).norm()) ** 2 for k, v in model.state_dict().items()) ** 0.5
    start = PaliGemmaForConditionalGeneration.from_pretrained(folder).state_dict()
    way = sum(float((v - start[k]).norm()) ** 2 for k, v in model.state_dict().items()) ** 0.5
    checks.at_most(f"weights after {STEPS} steps: distance by way gone", moved / way, 0.01)
    state = state_of(run)
    own = {key[len("exp_avg."):] for key in state if key.startswith("exp_avg.") and not key.endswith(".absmax")}
    for name, parameter in model.named_parameters():
        if not parameter.requires_grad:
            continue
        checks.true(f"{name}: one of ours", name in own)
    compare_moments(checks, model, states, state)
    plain = train_with_engine(program, root / "plain", folder, data, **EIGHT | dict(optim="adamw_torch"), max_steps=STEPS)
    checks.true("moments in float32 are another run",
                max(apart(a["loss"], b["loss"]) for a, b in zip(ours, history(plain))) > 1e-5)
    size = lambda folder: (folder / f"checkpoint-{STEPS}/resume.safetensors").stat().st_size
    checks.true("the checkpoint is smaller", size(run) < size(plain), (size(run), size(plain)))


def change_of_mind(checks, program, root, folder, data):
    """A run goes on from a checkpoint with the other kind of moments: they are turned into each other."""
    for before, after, kept in (("adamw_torch", "adamw_8bit", torch.uint8), ("adamw_8bit", "adamw_torch", torch.float32)):
        label = f"{before} resumed as {after}"
        run = root / label.replace(" ", "_")
        train_with_engine(program, run, folder, data, **EIGHT | dict(optim=before), max_steps=4, save_steps=4)
        write_run(run, folder, data, **EIGHT | dict(optim=after), max_steps=5, save_steps=5, resume_from_checkpoint="latest")
        process = start_engine(program, run)
        _, err = process.communicate()
        checks.true(f"{label}: ends well", process.returncode == 0, err)
        if process.returncode != 0:
            continue
        large = [v for k, v in state_of(run, 5).items() if k.startswith("exp_avg") and k.endswith("up_proj.weight")]
        checks.true(f"{label}: {kept}", large and all(v.dtype == kept for v in large))
        plain = root / (label + " undisturbed")
        train_with_engine(program, plain, folder, data, **EIGHT | dict(optim=before), max_steps=5, save_steps=5)
        a, b = (moments_of(r, 5) for r in (run, plain))
        far, way = (sum(float(v.norm()) ** 2 for v in values) ** 0.5 for values in ([a[k] - b[k] for k in a], a.values()))
        checks.at_most(f"{label}: first moments one step later, relative distance", far / way, 0.06)  # one packing


def shared_out(checks, program, root, folder, data):
    common = dict(EIGHT, max_steps=3, save_steps=3, gradient_accumulation_steps=1, shuffle=False)
    one = train_with_engine(program, root / "one", folder, data, **common, per_device_train_batch_size=GLOBAL)
    for sharding in ("ddp", "sharded"):
        run = root / sharding
        for process in start_ranks(program, run, folder, data, 2, **common, per_device_train_batch_size=GLOBAL // 2,
                                   sharding=sharding):
            _, err = process.communicate()
            checks.true(f"{sharding}: a rank ends well", process.returncode == 0, err)
        a, b = (load_file(r / "checkpoint-3/model.safetensors") for r in (one, run))
        far = sum(float((a[k] - b[k]).norm()) ** 2 for k in a) ** 0.5
        start = load_file(folder / "model.safetensors")
        way = sum(float((a[k] - start[k]).norm()) ** 2 for k in a) ** 0.5
        checks.at_most(f"{sharding}: weights of one rank, distance by way gone", far / way, 0.01)
        mine, theirs = state_of(one, 3), state_of(run, 3)
        checks.true(f"{sharding}: the state has one form", {k: (v.dtype, v.shape) for k, v in mine.items()} ==
                    {k: (v.dtype, v.shape) for k, v in theirs.items()})
    # What two ranks wrote goes on with one, and with three, as with two.
    ends = {}
    for ranks in (1, 2, 3):
        run = root / f"on_with_{ranks}"
        for process in start_ranks(program, run, folder, data, ranks, **common | dict(max_steps=4, save_steps=4),
                                   per_device_train_batch_size=GLOBAL // ranks, sharding="sharded",
                                   resume_from_checkpoint=str(root / "sharded/checkpoint-3")):
            _, err = process.communicate()
            checks.true(f"{ranks} ranks go on: a rank ends well", process.returncode == 0, err)
        ends[ranks] = state_of(run, 4)
    for ranks in (1, 3):
        names = [k for k in ends[2] if ends[2][k].dtype == torch.uint8]
        differing = sum(int((ends[ranks][k] != ends[2][k]).sum()) for k in names)
        checks.at_most(f"{ranks} ranks go on: share of bytes unlike those of two",
                       differing / sum(ends[2][k].numel() for k in names), 0.02)


def main(program):
    checks = Checks()
    with tempfile.TemporaryDirectory() as root:
        root = Path(root)
        folder = make_folder(root / "model", "gemma2", seed=5)
        data = make_dataset(root / "data.jsonl", folder, count=24)
        against_reference(checks, program, root, folder, data)
        change_of_mind(checks, program, root, folder, data)
        shared_out(checks, program, root, folder, data)
    checks.finish()


main(sys.argv[1])
