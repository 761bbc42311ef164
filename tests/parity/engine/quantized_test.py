# SPDX-License-Identifier: GPL-3.0-or-later
"""Checkpoints in 4 bits: ours in transformers with bitsandbytes, theirs in ours, tensor by tensor."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from transformers import BitsAndBytesConfig, PaliGemmaForConditionalGeneration

from reference import Checks, make_batch, make_model, run_probe


def stored(folder):
    tensors = {}
    for file in Path(folder).glob("*.safetensors"):
        tensors |= load_file(file)
    return {k: v for k, v in tensors.items() if not k.endswith("batch.safetensors")}


def state_of(tensor):
    return json.loads(bytes(tensor.tolist()))


def close(name, ours, theirs):
    if "quant_state" in name:
        a, b = state_of(ours), state_of(theirs)
        offset = abs(a.pop("nested_offset", 0) - b.pop("nested_offset", 0))
        return list(a.items()) == list(b.items()) and offset < 1e-6
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return False
    if name.endswith(".absmax") and ours.dtype == torch.uint8:
        # The 8-bit codes of bitsandbytes' CPU path are not always the nearest entry.
        return int((ours.int() - theirs.int()).abs().max()) <= 1
    return torch.allclose(ours.float(), theirs.float(), atol=1e-6, rtol=0)


def quantize(program, model, out, *options):
    done = subprocess.run([program, "quantize", "--model", model, "--out", out, *options], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return out


def load(folder, dtype, **options):
    return PaliGemmaForConditionalGeneration.from_pretrained(folder, dtype=dtype, output_loading_info=True, **options)


def difference(program, folder, model, batch, label, checks, limit):
    # In training mode: otherwise bitsandbytes repacks on the CPU, for bfloat16 and for even shapes only.
    with torch.no_grad():
        out = model.train()(**batch)
    source, target = Path(folder).parent / "batch.safetensors", Path(folder).parent / "out.safetensors"
    save_file({k: v.contiguous() for k, v in batch.items()}, source)
    done = subprocess.run([program, "probe", "--model", folder, "--batch", source, "--out", target, "--logits"],
                          capture_output=True, text=True)
    checks.true(f"{label}: read", done.returncode == 0, done.stderr)
    if done.returncode == 0:
        ours, seen = load_file(target), batch["attention_mask"].bool()
        checks.at_most(f"{label}: logits", float((ours["logits"] - out.logits.float())[seen].abs().max()), limit)


def compare(checks, program, root, family, double, scope):
    label = f"{family}, {'double' if double else 'single'}, {scope}"
    model, batch = make_model(family, 5, width=64), make_batch(5)
    base, ours, theirs = root / "base", root / "ours", root / "theirs"
    model.save_pretrained(base)
    quantize(program, base, ours, "--scope", scope, *(["--double-quant"] if double else []))
    skip = ["model.vision_tower", "model.multi_modal_projector", "lm_head"] if scope == "language_model" else None
    config = BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=double,
                                bnb_4bit_compute_dtype=torch.float32, llm_int8_skip_modules=skip)
    reference, _ = load(base, torch.float32, quantization_config=config)
    reference.save_pretrained(theirs)
    a, b = stored(ours), stored(theirs)
    checks.true(f"{label}: same tensors", a.keys() == b.keys(), sorted(a.keys() ^ b.keys())[:6])
    wrong = [k for k in a.keys() & b.keys() if not close(k, a[k], b[k])]
    checks.true(f"{label}: equal tensors", not wrong, wrong[:4])
    loaded, report = load(ours, torch.float32)
    checks.true(f"{label}: transformers finds everything", not report["missing_keys"] and not report["unexpected_keys"], report)
    difference(program, ours, loaded, batch, f"{label}: our file", checks, 1e-4)
    difference(program, theirs, reference, batch, f"{label}: their file", checks, 1e-4)


def merged(checks, program, root):
    """An adapter on a 4-bit base is merged into plain weights, with the whole layer that was trained beside it."""
    from peft import LoraConfig, get_peft_model
    model = make_model("gemma", 6, width=64)
    model.save_pretrained(root / "base")
    packed = quantize(program, root / "base", root / "packed")
    peft = get_peft_model(model, LoraConfig(r=2, target_modules=["q_proj"], init_lora_weights=False, task_type="CAUSAL_LM",
                                           modules_to_save=["multi_modal_projector"]))
    with torch.no_grad():
        trained = peft.base_model.model.model.multi_modal_projector.modules_to_save["default"].linear.weight
        trained.add_(1)
    peft.save_pretrained(root / "adapter")
    done = subprocess.run([program, "merge", "--model", packed, "--adapter", root / "adapter", "--out", root / "merged"],
                          capture_output=True, text=True)
    checks.true("merge into 4 bits", done.returncode == 0, done.stderr)
    plain, report = load(root / "merged", torch.float32)
    checks.true("merge into 4 bits: the trained copy", torch.equal(plain.model.multi_modal_projector.linear.weight, trained))
    checks.true("merge into 4 bits: plain weights", not report["missing_keys"] and not report["unexpected_keys"]
                and not hasattr(plain.config, "quantization_config"), report)


def main(program):
    checks = Checks()
    for family, double, scope in (("gemma", False, "hf"), ("gemma2", True, "hf"), ("gemma2", False, "language_model")):
        with tempfile.TemporaryDirectory() as root:
            compare(checks, program, Path(root), family, double, scope)
    with tempfile.TemporaryDirectory() as root:
        merged(checks, program, Path(root))
    checks.finish()


main(sys.argv[1])
