# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiny random models and batches of the reference implementation, and what the engine says to them."""
import logging
import os
import subprocess
import sys
import warnings

os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

import torch  # noqa: E402
from safetensors.torch import load_file, save_file  # noqa: E402
from transformers import PaliGemmaConfig, PaliGemmaForConditionalGeneration  # noqa: E402

torch.set_num_threads(1)
VOCABULARY, IMAGE_TOKEN, IMAGE_SIZE, PATCH = 320, 301, 42, 14
TOKENS = (IMAGE_SIZE // PATCH) ** 2


def make_config(family, window=64, layers=3, width=48):
    text = dict(vocab_size=VOCABULARY, hidden_size=width, intermediate_size=2 * width, num_hidden_layers=layers,
                num_attention_heads=4, num_key_value_heads=2 if family == "gemma2" else 1, head_dim=16,
                model_type=family, pad_token_id=0, bos_token_id=2, eos_token_id=1)
    if family == "gemma2":
        text.update(query_pre_attn_scalar=24, sliding_window=window, attn_logit_softcapping=3.0,
                    final_logit_softcapping=2.0)
    inner = (32, 80) if width % 64 else (width, 2 * width)
    vision = dict(model_type="siglip_vision_model", hidden_size=inner[0], intermediate_size=inner[1], num_hidden_layers=2,
                  num_attention_heads=4, image_size=IMAGE_SIZE, patch_size=PATCH, vision_use_head=False,
                  projection_dim=width)
    return PaliGemmaConfig(text_config=text, vision_config=vision, image_token_index=IMAGE_TOKEN, projection_dim=width,
                           hidden_size=width)


def make_model(family, seed, window=64, dtype=torch.float32, width=48):
    torch.manual_seed(seed)
    model = PaliGemmaForConditionalGeneration(make_config(family, window, width=width))
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            spread = 0.3 if "norm" in name else 0.12
            parameter.add_(torch.randn_like(parameter) * spread)
    return model.to(dtype).eval()


def make_batch(seed, rows=3, prompt=6, longest=9):
    generator = torch.Generator().manual_seed(seed)
    samples = []
    for row in range(rows):
        text = torch.randint(5, 290, (prompt + row,), generator=generator).tolist()
        suffix = torch.randint(5, 290, (longest - 2 * row,), generator=generator).tolist() + [1]
        samples.append((IMAGE_TOKEN, text, suffix))
    length = max(TOKENS + len(text) + len(suffix) for _, text, suffix in samples)
    batch = {key: [] for key in ("input_ids", "attention_mask", "token_type_ids", "labels")}
    for token, text, suffix in samples:
        ids = [token] * TOKENS + text + suffix
        pad = length - len(ids)
        batch["input_ids"].append([0] * pad + ids)
        batch["attention_mask"].append([0] * pad + [1] * len(ids))
        batch["token_type_ids"].append([0] * (length - len(suffix)) + [1] * len(suffix))
        batch["labels"].append([-100] * (length - len(suffix)) + suffix)
    batch = {key: torch.tensor(value) for key, value in batch.items()}
    batch["pixel_values"] = torch.rand((rows, 3, IMAGE_SIZE, IMAGE_SIZE), generator=generator) * 2 - 1
    return batch


def in_memory(name):
    """The reference's parameter name of a tensor name on disk."""
    for tail in ("base_model.model.", "model."):
        name = name.removeprefix(tail)
    name = name.replace("language_model.model.", "language_model.").replace("vision_model.", "")
    return "model." + name


def run_probe(program, folder, batch, *options):
    source, target = f"{folder}/batch.safetensors", f"{folder}/out.safetensors"
    save_file({key: value.contiguous() for key, value in batch.items()}, source)
    command = [program, "probe", "--model", str(folder), "--batch", source, "--out", target, *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nexit {done.returncode}: {done.stderr}")
    return load_file(target)


class Checks:
    """Collects comparisons; every one is printed, a failed one ends the program with 1."""

    def __init__(self):
        self.failed = 0

    def at_most(self, what, value, limit):
        good = value <= limit
        self.failed += not good
        print(f"{'ok  ' if good else 'FAIL'} {what}: {value:.3g} (limit {limit:.3g})", flush=True)

    def true(self, what, good, detail=""):
        self.failed += not good
        print(f"{'ok  ' if good else 'FAIL'} {what} {detail if not good else ''}", flush=True)

    def finish(self):
        sys.exit(1 if self.failed else 0)


def worst_cosine(expected, ours, floor=1e-7):
    """1 - the smallest cosine over the tensors that are larger than rounding noise, and its name."""
    worst, where = 0.0, ""
    for name, reference in expected.items():
        a, b = reference.double().flatten(), ours[name].double().flatten()
        if a.norm() < floor * a.numel() ** 0.5:
            distance = 0.0 if b.norm() < 10 * floor * a.numel() ** 0.5 else 1.0
        else:
            distance = 1 - float(torch.dot(a, b) / (a.norm() * b.norm() + 1e-30))
            distance = max(distance, abs(1 - float(b.norm() / a.norm())) * 1e-2)
        if distance > worst:
            worst, where = distance, name
    return worst, where
