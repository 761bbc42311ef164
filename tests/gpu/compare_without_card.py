#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tests/bench/gpu/compare.py as it runs on a machine with a GPU, on a card that is none and works its numbers out
(tests/fakes/cuda): transformers, peft and bitsandbytes on one side, roadtune-train on the other, each through torch's CUDA
half. The losses of both sides have to lie on each other in every step; times mean nothing here.

    python3 compare_without_card.py --trainer roadtune-train --tokenizer TINY_MODEL --stand-in libfake-cuda.so
        --plugin libfake-cuda-plugin.so [--cases lora-224] [--steps 4] [--learning-rate 1e-3] [--eight-bit] [--out FOLDER]
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

NEAR = 3e-3  # of a loss of about 7: both sides multiply in 16 bits, each in its own order
# What transformers' processes need before they start: the plugin's operators for torch's, CPU operators for bitsandbytes',
# and neither cuDNN, which asks the driver for more than ours has.
THEIR_SIDE = '''
import ctypes, os, sys
if any(part.endswith("reference_side.py") for part in sys.orig_argv):
    import torch
    ctypes.CDLL(os.environ["ROADTUNE_CUDA_PLUGIN"])
    torch.backends.cudnn.enabled = False
    torch.backends.cuda.enable_cudnn_sdp(False)
    import bitsandbytes

    def over_the_cpu(operator):
        def call(*given):
            device = next(value.device for value in given if isinstance(value, torch.Tensor))
            here = [value.cpu() if isinstance(value, torch.Tensor) else value for value in given]
            made = operator(*here)
            for argument, there, value in zip(operator._schema.arguments, given, here):
                if argument.is_write and there is not None:
                    there.copy_(value)
            return tuple(one.to(device) for one in made) if isinstance(made, tuple) else made if made is None else made.to(device)
        return call

    kernels = torch.library.Library("bitsandbytes", "IMPL")
    for name in ("quantize_4bit", "dequantize_4bit", "dequantize_4bit.out", "quantize_blockwise", "dequantize_blockwise",
                 "dequantize_blockwise.out", "gemm_4bit", "optimizer_update_32bit", "optimizer_update_8bit_blockwise"):
        packet, _, overload = name.partition(".")
        operator = getattr(getattr(torch.ops.bitsandbytes, packet), overload or "default")
        kernels.impl(name, over_the_cpu(operator), "CUDA", allow_override=True)
'''


def furthest(ours, theirs):
    return max(abs(one - other) for one, other in zip(ours, theirs, strict=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--trainer", "--tokenizer", "--stand-in", "--plugin"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--cases", default="lora-224")
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--learning-rate", default="1e-3", help="so high that what was learnt is seen in the losses (1e-3)")
    parser.add_argument("--eight-bit", action="store_true")
    parser.add_argument("--out", type=Path, help="for what compare.py writes; default: nothing stays")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root, out = Path(scratch), options.out or Path(scratch) / "results"
        (root / "theirs").mkdir()
        (root / "theirs/sitecustomize.py").write_text(THEIR_SIDE)
        environment = dict(LD_PRELOAD=str(options.stand_in.resolve()), ROADTUNE_CUDA_PLUGIN=str(options.plugin.resolve()),
                           PYTHONPATH=str(root / "theirs"))
        command = [sys.executable, Path(__file__).resolve().parent.parent / "bench/gpu/compare.py", "--tiny", "--trainer", options.trainer,
                   "--tokenizer", options.tokenizer, "--out", out, "--scratch", root, "--cases", options.cases, "--steps", str(options.steps),
                   "--warm", "1", "--workers", "1", "--batch", "2", "--accumulate", "1", "--learning-rate", options.learning_rate] + ["--eight-bit"] * options.eight_bit
        subprocess.run(command, env=os.environ | environment, check=True)
        good = True
        for result in json.loads((out / "result.json").read_text())["results"]:
            sides = [result[side] for side in ("ours", "reference")]
            far = float("inf") if any("problem" in side for side in sides) else furthest(*(side["losses"] for side in sides))
            print(f"{'passed' if far <= NEAR else 'FAILED'}: {result['case']['name']}: losses of {options.steps} steps {far:.1e} of {NEAR:g} apart")
            good &= far <= NEAR and all(side["peak_allocated"] > 0 for side in sides)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
