#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan for memory against what torch's allocator holds, step by step, for PaliGemma 2 3B in all its width and, with --all,
all its blocks. On a GPU; or, with --stand-in, on a card that is none (tests/fakes/cuda), where memory is addresses and
kernels are counted: what the allocator then holds is what it would hold on a GPU. Its weights are zeros on either.

    python3 memory_plan.py --trainer roadtune-train --tokenizer TINY_MODEL --all [--jobs 3] [--table FILE]
        [--stand-in libfake-cuda.so]
"""
import argparse
import concurrent.futures
import contextlib
import json
import shutil
import struct
import sys
import tempfile
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "bench/gpu"))  # in a packed folder they lie beside this file
import compare  # noqa: E402

STEPS, LIMIT, LIMIT_ON_A_CARD = 3, 0.02, 0.05  # of the peak
FEW_BLOCKS = 6  # of each tower, where not every configuration is asked for
LANGUAGE_ONLY = dict(freeze_vision_tower=True, freeze_multi_modal_projector=True)
NO_TOWER = dict(exclude_modules=".*vision_tower.*")
SEVEN = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
CASES = [  # name, in every test run?, what differs from a batch of 16 at 224 px
    ("full", False, dict(method="full")),
    ("full, 4 x 4", False, dict(method="full", batch=4, accumulate=4)),
    ("full, 96 at a time", False, dict(method="full", batch=96)),
    ("full, 96 at a time, soft caps", False, dict(method="full", batch=96, profile="hf-5.23")),
    ("full, 448 px, batch 4", False, dict(method="full", batch=4, size=448)),
    ("full, recomputed", False, dict(method="full", checkpointing=True)),
    ("full, 37 of 53 blocks recomputed", False, dict(method="full", checkpointing=True, more=dict(gradient_checkpointing_blocks=37))),
    ("full, 27 blocks recomputed, 96 at a time", False,
     dict(method="full", batch=96, checkpointing=True, more=dict(gradient_checkpointing_blocks=27))),
    ("full, moments in 8 bits", False, dict(method="full", eight_bit=True)),
    ("full, in 16 bits alone", False, dict(method="full", more=dict(pure_bf16=True))),
    ("full, in 16 bits alone, moments in 8 bits, 96 at a time", True, dict(method="full", batch=96, eight_bit=True, more=dict(pure_bf16=True))),
    ("full, averaged, batch 4", True, dict(method="full", batch=4, more=dict(ema_decay=0.99))),
    ("full, padded", False, dict(method="full", more=dict(padding_free=False))),
    ("language model alone", False, dict(method="full", more=LANGUAGE_ONLY)),
    ("language model alone, kept features", False, dict(method="full", more=LANGUAGE_ONLY | dict(cache_vision_features="memory"))),
    ("vision tower alone", False, dict(method="full", more=dict(freeze_language_model=True))),
    ("projector alone", False, dict(method="full", more=dict(freeze_vision_tower=True, freeze_language_model=True))),
    ("LoRA", False, dict(method="lora")),
    ("LoRA, 96 at a time", False, dict(method="lora", batch=96)),
    ("LoRA, soft caps", False, dict(method="lora", profile="hf-5.23")),
    ("LoRA, 448 px, batch 4", False, dict(method="lora", batch=4, size=448)),
    ("LoRA, 448 px, soft caps", False, dict(method="lora", size=448, profile="hf-5.23")),
    ("LoRA, 448 px, recomputed", False, dict(method="lora", size=448, checkpointing=True)),
    ("LoRA, 448 px, 20 of 53 blocks recomputed", False,
     dict(method="lora", size=448, checkpointing=True, more=dict(gradient_checkpointing_blocks=20))),
    ("LoRA, rank 64, dropout", False, dict(method="lora", more=dict(r=64, lora_dropout=0.05))),
    ("LoRA of o_proj", False, dict(method="lora", batch=32, more=dict(target_modules=["o_proj"]) | NO_TOWER)),
    ("LoRA of down_proj, soft caps", False,
     dict(method="lora", batch=32, profile="hf-5.23", more=dict(target_modules=["down_proj"]) | NO_TOWER)),
    ("QLoRA", True, dict(method="qlora")),
    ("QLoRA, 448 px, recomputed", False, dict(method="qlora", batch=8, size=448, checkpointing=True)),
]


def write_sparse(model, folder):
    """In place of weights a hole in a file: nobody works anything out with them."""
    model.config.save_pretrained(folder)
    header, at = {"__metadata__": {"format": "pt"}}, 0
    for name, tensor in model.state_dict().items():
        if name == "lm_head.weight":
            continue
        header[name] = {"dtype": "BF16", "shape": list(tensor.shape), "data_offsets": [at, at + 2 * tensor.numel()]}
        at += 2 * tensor.numel()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(Path(folder) / "model.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.truncate(8 + len(text) + at)


def make_models(tokenizer, root, sizes, blocks):
    import reference_side
    for tower in (reference_side.TEXT, reference_side.VISION):
        tower["num_hidden_layers"] = min(tower["num_hidden_layers"], blocks)
    reference_side.transformers.PaliGemmaForConditionalGeneration.save_pretrained = write_sparse
    for size in sizes:
        folder = root / f"model-{size}"
        folder.mkdir()
        reference_side.make_model(argparse.Namespace(folder=folder, tokenizer=tokenizer, size=size, tiny=False, device="meta"))


def run(options, case, root):
    folder = root / f"run-{case['number']}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    settings = compare.settings_of(options, case, root / f"model-{case['size']}", folder)
    if settings.pop("adapter_name_or_path", None):  # of other shapes in some cases, so new ones in all
        settings |= dict(r=8, lora_alpha=8, target_modules=SEVEN)
    settings |= dict(verify_updates=False) | case["more"]  # nothing is ever updated
    (folder / "run.yaml").write_text(compare.yaml_text(settings))
    environment = dict(compare.OURS)
    if options.stand_in:
        environment |= {"LD_PRELOAD": str(options.stand_in), "FAKE_CUDA_TALLY": str(folder / "tally")}
    with open(folder / "errors", "w+") as errors:
        code, _ = compare.run_steps([options.trainer, "--run", folder], environment, folder, case["steps"], errors)
        events = compare.step_events(folder)
        if code != 0 or len(events) < case["steps"]:
            raise RuntimeError(f"{case['name']}: exit {code}\n" + "\n".join(compare.last_words(errors)))
    return events, [json.loads(line) for line in open(folder / "tally")] if options.stand_in else []


def work_of(tally, kind, value):
    return sum(line[value] for line in tally if line["kind"] == kind)


def table(options, rows):
    """Without a stand-in nobody counts kernels."""
    lines = ["| configuration | peak, GB | plan, GB | plan is off by |", "|---|---|---|---|"]
    if options.stand_in:
        lines = [lines[0] + " kernels | products | TFLOP | waits |", lines[1] + "---|---|---|---|"]
    for name, peak, plan, step in rows:
        counts = f" {step['kernels']:.0f} | {step['products']:.0f} | {step['flops'] / 1e12:.0f} | {step['waits']:.0f} |" if step else ""
        lines.append(f"| {name} | {peak / 1e9:.2f} | {plan / 1e9:.2f} | {100 * (plan / peak - 1):+.1f} % |{counts}")
    return "\n".join(lines) + "\n"


class Room:
    """Of one card, for several runs at a time."""

    def __init__(self, gigabytes):
        self.left, self.changed = gigabytes, threading.Condition()

    @contextlib.contextmanager
    def taken(self, gigabytes):
        with self.changed:
            self.changed.wait_for(lambda: self.left >= gigabytes)
            self.left -= gigabytes
        try:
            yield
        finally:
            with self.changed:
                self.left += gigabytes
                self.changed.notify_all()


def roughly(case):
    """Gigabytes that a case may need, so that those that run beside it leave them."""
    pictures = case["batch"] * (4 if case["size"] == 448 else 1)  # of 224 px
    averages = 12 if "ema_decay" in case["more"] else 0
    return (58 if case["method"] == "full" else 10) + averages + pictures * (0.1 if case["checkpointing"] else 0.8)


def check(options, number, name, case, root, room):
    """The peak and its plan, and what a step asks of the card: the difference between a longer run and a shorter one."""
    case = dict(batch=16, accumulate=1, size=224, profile="hf-5-sdpa", learning_rate=1e-5, checkpointing=False, eight_bit=False, more={}) | case
    case |= dict(name=name, number=number)
    step = {}
    with room.taken(min(roughly(case), options.card)):
        shorter, before = run(options, case | dict(steps=STEPS), root)
        if options.table and options.stand_in:
            longer, after = run(options, case | dict(steps=len(shorter) + STEPS), root)
            step = {key: (work_of(after, kind, value) - work_of(before, kind, value)) / (len(longer) - len(shorter)) for key, kind, value in
                    (("kernels", "kernel", "times"), ("products", "product", "times"), ("flops", "product", "amount"), ("waits", "wait", "times"))}
    worst = max(shorter, key=lambda e: abs(e["tensor_plan_bytes"] / e["tensor_peak_bytes"] - 1))
    peak, plan = worst["tensor_peak_bytes"], worst["tensor_plan_bytes"]
    print(f"{name:38} peak {peak / 1e9:7.2f} GB, plan {plan / 1e9:7.2f} GB, {100 * (plan / peak - 1):+.1f} %", flush=True)
    return (name, peak, plan, step), abs(plan / peak - 1) <= (LIMIT if options.stand_in else LIMIT_ON_A_CARD)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("trainer", "tokenizer"):
        parser.add_argument(f"--{option}", type=Path, required=True)
    parser.add_argument("--stand-in", type=Path, help="a card that is none")
    parser.add_argument("--all", action="store_true", help="every configuration with all blocks, not a few of both")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time, as far as they fit on the card")
    parser.add_argument("--card", type=float, default=140, help="gigabytes of the card for them (140)")
    parser.add_argument("--table", type=Path, help="a Markdown table; of a stand-in with what a step asks of the card")
    options = parser.parse_args()
    options.device, options.workers, options.stand_in = "cuda", 2, options.stand_in and options.stand_in.resolve()
    cases = [(name, case) for name, always, case in CASES if always or options.all]
    rows, failed = [], []
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(options.jobs) as threads:
        root, room = Path(scratch), Room(options.card)
        options.data = compare.make_data(root, 256)
        make_models(options.tokenizer, root, sorted({case.get("size", 224) for _, case in cases}), 99 if options.all else FEW_BLOCKS)
        checks = [threads.submit(check, options, number, *one, root, room) for number, one in enumerate(cases)]
        for (name, _), one in zip(cases, checks):
            try:
                row, good = one.result()
                rows.append(row)
                failed += [] if good else [f"further off than allowed: {name}"]
            except RuntimeError as problem:
                failed.append(str(problem))
    if options.table:
        options.table.write_text(table(options, rows))
    print(f"{len(cases) - len(failed)} passed, {len(failed)} failed" + "".join(f"\n  {problem}" for problem in failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
