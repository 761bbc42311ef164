#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How long the host needs to give a card one step of PaliGemma 2 3B, by method and batch: on a card that is none
(tests/fakes/cuda) nothing is worked out, so a step lasts as long as asking for it does. Where a card is quicker than that,
it waits for the host, and one call for many kernels would pay.

    python3 host_time.py --trainer roadtune-train --tokenizer TINY_MODEL --stand-in libfake-cuda.so [--steps 12]
"""
import argparse
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "gpu"))
import memory_plan  # noqa: E402

WARM = 3  # steps that still make what later ones find
LAUNCH = 4e-6  # seconds that a driver takes for each kernel; the stand-in takes none
CASES = [(method, size, batch) for method in ("full", "lora", "qlora") for size, batch in
         ((224, 1), (224, 2), (224, 4), (224, 16), (448, 1), (448, 4))]


def step_of(options, case, root):
    events, short = memory_plan.run(options, case | dict(steps=WARM), root)
    longer, tally = memory_plan.run(options, case | dict(steps=WARM + options.steps), root)
    later = longer[WARM - 1:]
    seconds = statistics.median(b["mono"] - a["mono"] - b["anatomy"]["wait"] for a, b in zip(later, later[1:]))
    more = len(longer) - len(events)
    return seconds, *((memory_plan.work_of(tally, kind, value) - memory_plan.work_of(short, kind, value)) / more
                      for kind, value in (("kernel", "times"), ("product", "amount")))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("trainer", "tokenizer", "stand-in"):
        parser.add_argument(f"--{option}", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=12)
    options = parser.parse_args()
    options.device, options.workers, options.stand_in = "cuda", 1, options.stand_in.resolve()
    print("| | px | batch | kernels | host, ms | with the driver, ms | TFLOP | card at 50 % of 790 TFLOP/s, ms |\n|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        options.data = memory_plan.compare.make_data(root, 256)
        memory_plan.make_models(options.tokenizer, root, sorted({size for _, size, _ in CASES}), 99)
        for number, (method, size, batch) in enumerate(CASES):
            case = dict(number=number, name=f"{method}-{size}-{batch}", method=method, batch=batch, size=size, accumulate=1,
                        profile="hf-5-sdpa", learning_rate=1e-5, checkpointing=False, eight_bit=False, more={})
            seconds, kernels, work = step_of(options, case, root)
            print(f"| {method} | {size} | {batch} | {kernels:.0f} | {1e3 * seconds:.1f} | {1e3 * (seconds + LAUNCH * kernels):.1f} | "
                  f"{work / 1e12:.1f} | {1e3 * work / 395e12:.1f} |", flush=True)


main()
