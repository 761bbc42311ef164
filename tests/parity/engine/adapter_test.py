# SPDX-License-Identifier: GPL-3.0-or-later
"""Adapters that peft wrote, read by the engine: logits, losses and gradients; merged weights; NF4 base weights against
bitsandbytes."""
import sys
import tempfile
from pathlib import Path

import subprocess

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors.torch import load_file
from transformers import PaliGemmaForConditionalGeneration

from adapter_names import adapter_name
from reference import Checks, make_batch, make_model, run_probe, worst_cosine

KINDS = {
    "LoRA": dict(target_modules=["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]),
    "rsLoRA with patterns": dict(target_modules="all-linear", use_rslora=True, rank_pattern={"q_proj": 2},
                                 alpha_pattern={"down_proj": 16}),
    "DoRA": dict(target_modules=["q_proj", "o_proj", "fc1"], use_dora=True),
    "LoRA and a trained projector": dict(target_modules=["v_proj"], modules_to_save=["multi_modal_projector"],
                                         exclude_modules=".*vision_tower.*"),
}


def compare_adapter(checks, label, program, root, family, options):
    model, batch = make_model(family, 11), make_batch(11)
    base = root / "base"
    model.save_pretrained(base)
    peft = get_peft_model(PaliGemmaForConditionalGeneration.from_pretrained(base, dtype=torch.float32),
                          LoraConfig(r=4, lora_alpha=8, task_type="CAUSAL_LM", **options)).eval()
    torch.manual_seed(2)
    with torch.no_grad():
        for name, parameter in peft.named_parameters():
            if parameter.requires_grad:
                parameter.add_(torch.randn_like(parameter) * 0.05)
    adapter = root / "adapter"
    peft.save_pretrained(adapter)
    out = peft(**batch)
    out.loss.backward()
    ours = run_probe(program, base, batch, "--adapter", str(adapter), "--logits", "--grads")
    seen = batch["attention_mask"].bool()
    checks.at_most(f"{label}: logits", float((ours["logits"] - out.logits.detach())[seen].abs().max()), 1e-4)
    checks.at_most(f"{label}: loss", abs(float(ours["loss"]) - float(out.loss)), 1e-5)
    expected = {adapter_name(n): p.grad for n, p in peft.named_parameters() if p.requires_grad}
    named = {k.removeprefix("grad."): v for k, v in ours.items() if k.startswith("grad.")}
    checks.true(f"{label}: gradients named as in the file", set(named) == set(expected), set(named) ^ set(expected))
    distance, where = worst_cosine(expected, named)
    checks.at_most(f"{label}: 1 - cosine of gradients (worst {where})", distance, 1e-5)
    compare_merged(checks, label, program, root, base, adapter, peft, batch)


def compare_merged(checks, label, program, root, base, adapter, peft, batch):
    merged = root / "merged"
    done = subprocess.run([program, "merge", "--model", base, "--adapter", adapter, "--out", merged], capture_output=True, text=True)
    checks.true(f"{label}: merge", done.returncode == 0, done.stderr)
    ours, report = PaliGemmaForConditionalGeneration.from_pretrained(merged, dtype=torch.float32, output_loading_info=True)
    checks.true(f"{label}: merged model loads cleanly", not report["missing_keys"] and not report["unexpected_keys"], report)
    expected = peft.merge_and_unload().state_dict()
    worst = max(float((v - expected[k]).abs().max()) for k, v in ours.state_dict().items())
    checks.at_most(f"{label}: merged weights", worst, 1e-5)


def compare_nf4(checks, program, root, family, double):
    import bitsandbytes.functional as bnb
    # Rows of whole blocks: on the CPU bitsandbytes 0.50 dequantises other rows with their neighbours' scales.
    model, batch = make_model(family, 4, width=64), make_batch(4)
    model.save_pretrained(root)
    label = f"{family} nf4{' double' if double else ''}"
    with torch.no_grad():
        for name, module in model.named_modules():
            if isinstance(module, torch.nn.Linear) and name != "lm_head":
                codes, state = bnb.quantize_4bit(module.weight.data, quant_type="nf4", compress_statistics=double)
                module.weight.data = bnb.dequantize_4bit(codes, state).view_as(module.weight)
    out = model(**batch)
    ours = run_probe(program, root, batch, "--logits", "--quantize", "nf4-dq" if double else "nf4")
    seen = batch["attention_mask"].bool()
    # The nested 8-bit codes of bitsandbytes' CPU path are not always the nearest entry.
    limit = 5e-2 if double else 1e-4
    checks.at_most(f"{label}: logits", float((ours["logits"] - out.logits.detach())[seen].abs().max()), limit)
    checks.at_most(f"{label}: loss", abs(float(ours["loss"]) - float(out.loss)), 1e-2 if double else 1e-5)


def refuse_changed_base(checks, program, root):
    """PiSSA and OLoRA take their first values out of the base, in memory alone: read as LoRA they would be wrong."""
    model, batch = make_model("gemma2", 11), make_batch(11)
    base, adapter = root / "base", root / "adapter"
    for kind in ("pissa", "olora"):
        model.save_pretrained(base)
        peft = get_peft_model(PaliGemmaForConditionalGeneration.from_pretrained(base, dtype=torch.float32),
                              LoraConfig(r=4, target_modules=["q_proj"], init_lora_weights=kind))
        peft.save_pretrained(adapter)
        done = subprocess.run([program, "merge", "--model", base, "--adapter", adapter, "--out", root / "merged"],
                              capture_output=True, text=True)
        checks.true(f"{kind}: refused, with what to do", done.returncode == 2 and "path_initial_model" in done.stderr, done)


def main(program):
    checks = Checks()
    for family in ("gemma", "gemma2"):
        for kind, options in KINDS.items():
            with tempfile.TemporaryDirectory() as root:
                compare_adapter(checks, f"{family} {kind}", program, Path(root), family, options)
        for double in (False, True):
            with tempfile.TemporaryDirectory() as root:
                compare_nf4(checks, program, Path(root), family, double)
    with tempfile.TemporaryDirectory() as root:
        refuse_changed_base(checks, program, Path(root))
    checks.finish()


main(sys.argv[1])
