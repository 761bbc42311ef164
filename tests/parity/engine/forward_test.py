# SPDX-License-Identifier: GPL-3.0-or-later
"""Logits, losses and gradients of the engine against transformers, for both families and every profile."""
import copy
import sys
import tempfile

import torch

from reference import Checks, in_memory, make_batch, make_model, run_probe, worst_cosine

PROFILES = ["hf-5.23", "hf-5-sdpa", "hf-4.51-eager", "big-vision"]


def as_profile(model, profile):
    """The reference's model made to compute what an older release, or big_vision, computes."""
    model = copy.deepcopy(model)
    text = model.config.text_config
    if profile in ("hf-5-sdpa", "big-vision") and hasattr(text, "final_logit_softcapping"):
        text.final_logit_softcapping = None
    if profile == "hf-5-sdpa":
        for layer in model.model.language_model.layers:
            layer.self_attn.attn_logit_softcapping = None
    return model


def expected(model, batch, per_example):
    model.zero_grad()
    out = model(**batch)
    loss = out.loss
    if per_example:
        targets = batch["labels"][:, 1:]
        rows = torch.nn.functional.cross_entropy(out.logits[:, :-1].flatten(0, 1).float(), targets.flatten(),
                                                 ignore_index=-100, reduction="none").view(targets.shape)
        loss = (rows.sum(1) / (targets != -100).sum(1)).mean()
    loss.backward()
    return out.logits.detach(), float(loss), {n: p.grad.detach() for n, p in model.named_parameters() if p.grad is not None}


def compare(checks, label, program, folder, model, batch, profile, *options):
    logits, loss, gradients = expected(as_profile(model, profile), batch, profile == "big-vision")
    ours = run_probe(program, folder, batch, "--logits", "--grads", "--profile", profile, *options)
    seen = batch["attention_mask"].bool()
    checks.at_most(f"{label}: logits", float((ours["logits"] - logits)[seen].abs().max()), 1e-4)
    checks.at_most(f"{label}: loss", abs(float(ours["loss"]) - loss), 1e-5)
    named = {in_memory(k.removeprefix("grad.")): v for k, v in ours.items() if k.startswith("grad.")}
    checks.true(f"{label}: every tensor has a gradient", set(named) == set(gradients), set(named) ^ set(gradients))
    distance, where = worst_cosine(gradients, named)
    checks.at_most(f"{label}: 1 - cosine of gradients (worst {where})", distance, 1e-5)


def main(program):
    checks = Checks()
    for family in ("gemma", "gemma2"):
        for seed in (0, 7):
            # The window only differs between profiles when it is shorter than the text, and only the default has a
            # reference for that.
            for profile in PROFILES if seed == 0 else ["hf-5.23"]:
                model = make_model(family, seed, window=64 if profile != "hf-5.23" else 12)
                batch = make_batch(seed)
                with tempfile.TemporaryDirectory() as folder:
                    model.save_pretrained(folder)
                    compare(checks, f"{family} {profile} seed {seed}", program, folder, model, batch, profile)
                    if profile == "hf-5.23":
                        compare(checks, f"{family} recomputed seed {seed}", program, folder, model, batch, profile,
                                "--checkpointing")
                        compare(checks, f"{family} without padding, seed {seed}", program, folder, model, batch, profile,
                                "--packed")
        model, batch = make_model(family, 3, dtype=torch.bfloat16), make_batch(3)
        with tempfile.TemporaryDirectory() as folder:
            model.save_pretrained(folder)
            loss = float(model(**batch).loss)
            ours = run_probe(program, folder, batch)
            checks.at_most(f"{family} bfloat16: loss", abs(float(ours["loss"]) - loss), 2e-2)
    checks.finish()


main(sys.argv[1])
