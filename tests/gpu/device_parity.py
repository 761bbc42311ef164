# SPDX-License-Identifier: GPL-3.0-or-later
"""Losses, logits and gradients of `roadtune-train probe` on a device against the same on the CPU, for a tiny random model:
float32 and bfloat16, 4-bit weights, recomputed blocks, rows without padding, and without our kernels. Without a GPU
(--device cpu) the second side is the kernels' arithmetic on the CPU.

    python3 device_parity.py --trainer roadtune-train --tokenizer TINY_MODEL [--device cuda:0]
"""
import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

HERE = Path(__file__).resolve().parent
OURS = {"LD_LIBRARY_PATH": os.environ["OURS_LD_LIBRARY_PATH"]} if "OURS_LD_LIBRARY_PATH" in os.environ else {}
SIZE, ROWS = 56, 3
CASES = [  # name, options, limits of the loss and of 1 - cosine of a gradient
    ("float32", ["--dtype", "float32"], 2e-5, 1e-6),
    ("float32, recomputed", ["--dtype", "float32", "--checkpointing"], 2e-5, 1e-6),
    ("float32, without padding", ["--dtype", "float32", "--packed"], 2e-5, 1e-6),
    ("float32, older arithmetic", ["--dtype", "float32", "--profile", "hf-5-sdpa"], 2e-5, 1e-6),
    ("float32, nf4", ["--dtype", "float32", "--quantize", "nf4-dq"], 2e-4, 1e-5),
    ("bfloat16", ["--dtype", "bfloat16"], 2e-2, 1e-2),
    ("bfloat16, without masks", ["--dtype", "bfloat16", "--profile", "hf-5-sdpa", "--packed"], 2e-2, 1e-2),
    ("the same, recomputed", ["--dtype", "bfloat16", "--profile", "hf-5-sdpa", "--packed", "--checkpointing"], 2e-2, 1e-2),
]


def make_model(options, folder):
    maker = next(p for p in (HERE / "reference_side.py", HERE.parent / "bench/gpu/reference_side.py") if p.exists())
    subprocess.run([sys.executable, maker, "make-model", "--folder", folder, "--tokenizer", options.tokenizer, "--device",
                    "cpu", "--size", str(SIZE), "--tiny"], check=True, stdout=subprocess.DEVNULL)


def make_batch(folder, path):
    import json
    config = json.loads((folder / "config.json").read_text())
    image = config.get("image_token_index", config.get("image_token_id"))
    generator = torch.Generator().manual_seed(1)
    tokens = (SIZE // 14) ** 2
    length, suffix = tokens + 14, 6
    ids = torch.randint(5, 300, (ROWS, length), generator=generator)
    ids[:, :tokens] = image
    seen = torch.ones_like(ids)
    for row in range(1, ROWS):  # left padding of another length in each row
        ids[row] = ids[row].roll(row)
        ids[row, :row], seen[row, :row] = 0, 0
    types = torch.zeros_like(ids)
    types[:, -suffix:] = 1
    labels = torch.where(types == 1, ids, -100)
    pixels = torch.rand((ROWS, 3, SIZE, SIZE), generator=generator) * 2 - 1
    save_file({"input_ids": ids, "attention_mask": seen, "token_type_ids": types, "labels": labels, "pixel_values": pixels},
              path)


def probe(options, folder, batch, device, extra, environment):
    out = folder / "out.safetensors"
    # Where nobody wants logits of all rows, the last block works on those that labels are predicted from.
    logits = [] if "--packed" in extra else ["--logits"]
    command = [options.trainer, "probe", "--model", folder, "--batch", batch, "--out", out, *logits, "--grads", "--device",
               device, *extra]
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, env=os.environ | OURS | environment)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nexit {done.returncode}: {done.stderr}")
    return load_file(out)


def worst_gradient(plain, other):
    worst, where = 0.0, ""
    for name, value in plain.items():
        # Key biases have no gradient but for rounding.
        if not name.startswith("grad.") or name.endswith("k_proj.bias") or float(value.norm()) == 0:
            continue
        distance = 1 - float(torch.nn.functional.cosine_similarity(value.flatten().double(),
                                                                   other[name].flatten().double(), dim=0))
        if distance > worst:
            worst, where = distance, name
    return worst, where


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trainer", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--stand-in", type=Path, help="a card that is none and works numbers out, with its --plugin")
    parser.add_argument("--plugin", type=Path)
    options = parser.parse_args()
    if options.stand_in:
        OURS.update(LD_PRELOAD=str(options.stand_in.resolve()), ROADTUNE_CUDA_PLUGIN=str(options.plugin.resolve()))
    sides = [("kernels", {})] + ([("plain torch", {"ROADTUNE_KERNELS": "off"})] if options.device != "cpu" else [])
    if options.device == "cpu":
        sides = [("kernels on the CPU", {"ROADTUNE_KERNELS": "host"})]
    failures = 0
    with tempfile.TemporaryDirectory() as root:
        folder, batch = Path(root) / "model", Path(root) / "batch.safetensors"
        make_model(options, folder)
        make_batch(folder, batch)
        for name, extra, loss_limit, cosine_limit in CASES:
            plain = probe(options, folder, batch, "cpu", extra, {})
            for side, environment in sides:
                other = probe(options, folder, batch, options.device, extra, environment)
                loss = abs(float(plain["loss"]) - float(other["loss"]))
                distance, where = worst_gradient(plain, other)
                good = loss <= loss_limit and distance <= cosine_limit and set(plain) == set(other)
                failures += not good
                print(f"{'ok  ' if good else 'FAIL'} {options.device}, {side}, {name}: loss {loss:.2e} (limit {loss_limit:g}), "
                      f"1 - cosine {distance:.2e} (limit {cosine_limit:g}; {where})", flush=True)
    return 1 if failures else 0


sys.exit(main())
