# SPDX-License-Identifier: GPL-3.0-or-later
"""Random shapes, batches and adapters: the engine against transformers and peft.

usage: random_test.py ROADTUNE-TRAIN [SEED [CASES]]
"""
import random
import sys
import tempfile
from pathlib import Path

import torch
from peft import LoraConfig, get_peft_model
from transformers import PaliGemmaConfig, PaliGemmaForConditionalGeneration

from adapter_names import adapter_name
from reference import Checks, in_memory, run_probe, worst_cosine

SEVEN = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
SAVED = ["multi_modal_projector", "norm", "post_layernorm", "embed_tokens", "lm_head", "input_layernorm", "patch_embedding",
         "layers.0.mlp.up_proj"]


def random_config(rng):
    family, heads = rng.choice(["gemma", "gemma2"]), rng.choice([1, 2, 3, 4])
    width, vocabulary = heads * rng.choice([8, 12, 16, 24]), rng.choice([131, 320, 333])
    text = dict(model_type=family, vocab_size=vocabulary, hidden_size=width, intermediate_size=rng.choice([50, 2 * width + 7]),
                num_hidden_layers=rng.choice([1, 2, 4]), num_attention_heads=heads, head_dim=rng.choice([8, 10, 24]),
                num_key_value_heads=rng.choice([k for k in (1, 2, 3, 4) if heads % k == 0]), pad_token_id=0, bos_token_id=2,
                eos_token_id=1, attention_bias=rng.random() < 0.2)
    text.update(final_logit_softcapping=rng.choice([2.0, None]))  # PaliGemma caps whatever the text model
    if family == "gemma2":
        text.update(query_pre_attn_scalar=rng.choice([24, 256]), sliding_window=rng.choice([4, 7, 64]),
                    hidden_activation=rng.choice(["gelu_pytorch_tanh", "gelu", "relu"]),
                    attn_logit_softcapping=rng.choice([3.0, None]))
    heads, patch, grid = rng.choice([1, 2, 4]), rng.choice([7, 14, 16]), rng.choice([1, 2, 3])
    vision = dict(model_type="siglip_vision_model", hidden_size=heads * 12, intermediate_size=rng.choice([24, 37]),
                  num_hidden_layers=rng.choice([1, 2]), num_attention_heads=heads, image_size=patch * grid, patch_size=patch,
                  vision_use_head=False)
    image = rng.choice([vocabulary - 1, vocabulary, vocabulary + 3])
    return PaliGemmaConfig(text_config=text, vision_config=vision, image_token_index=image, projection_dim=width,
                           hidden_size=width)


def random_model(rng):
    config = random_config(rng)
    torch.manual_seed(rng.randint(0, 9999))
    model = PaliGemmaForConditionalGeneration(config)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.add_(torch.randn_like(parameter) * (0.3 if "norm" in name else 0.12))
    return model.eval()


def random_batch(rng, config):
    image, tokens = config.image_token_index, (config.vision_config.image_size // config.vision_config.patch_size) ** 2
    words = [t for t in range(5, config.text_config.vocab_size) if t != image]
    samples = [([rng.choice(words) for _ in range(rng.randint(1, 12))], [rng.choice(words) for _ in range(rng.randint(0, 15))] + [1])
               for _ in range(rng.choice([1, 2, 3, 5]))]
    length, right = max(tokens + len(a) + len(b) for a, b in samples), rng.random() < 0.2
    rows = []
    for prompt, suffix in samples:
        ids = [image] * tokens + prompt + suffix
        pad, front = [0] * (length - len(ids)), [0] * (len(ids) - len(suffix))
        row = [ids, [1] * len(ids), front + [1] * len(suffix), [-100] * len(front) + suffix]
        fill = [pad, pad, pad, [-100] * len(pad)]
        rows.append([r + f if right else f + r for r, f in zip(row, fill)])
    names = ["input_ids", "attention_mask", "token_type_ids", "labels"]
    batch = {name: torch.tensor([row[i] for row in rows]) for i, name in enumerate(names)}
    size = config.vision_config.image_size
    batch["pixel_values"] = torch.rand((len(samples), 3, size, size), generator=torch.Generator().manual_seed(3)) * 2 - 1
    return batch


def random_adapter(rng):
    words = SEVEN + ["out_proj", "fc1", "fc2", "linear"]
    options = dict(r=rng.choice([1, 2, 4]), lora_alpha=rng.choice([1, 8]), target_modules=rng.choice(
        ["all-linear", r".*language_model.*\.(q_proj|v_proj|up_proj)", rng.sample(words, rng.randint(1, 6))]))
    for key, chance, values in [("use_rslora", 0.3, [True]), ("use_dora", 0.35, [True]), ("bias", 0.4, ["all", "lora_only"]),
                                ("rank_pattern", 0.3, [{"q_proj": 3, r"layers\.0\.mlp\.\w+": 2}]),
                                ("alpha_pattern", 0.3, [{"v_proj": 32, "fc1": 7}]), ("lora_bias", 0.2, [True]),
                                ("exclude_modules", 0.2, [r".*vision_tower.*", ["fc1"]]),
                                ("modules_to_save", 0.4, [rng.sample(SAVED, rng.choice([1, 2]))])]:
        if rng.random() < chance:
            options[key] = rng.choice(values)
    if options.get("use_dora"):
        options.pop("lora_bias", None)
    return options


def with_adapter(rng, model, folder):
    """None for options that peft itself refuses."""
    try:
        model = get_peft_model(model, LoraConfig(task_type="CAUSAL_LM", **random_adapter(rng))).eval()
    except (ValueError, TypeError):
        return None
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.requires_grad:
                parameter.add_(torch.randn_like(parameter) * 0.05)
    model.save_pretrained(folder)
    return model


def compare(checks, label, model, batch, ours, name):
    out = model(**batch)
    out.loss.backward()
    seen = batch["attention_mask"].bool()
    checks.at_most(f"{label}: logits", float((ours["logits"] - out.logits.detach())[seen].abs().max()), 1e-4)
    checks.at_most(f"{label}: loss", abs(float(ours["loss"]) - float(out.loss)), 1e-5 * max(1.0, float(out.loss)))
    found = {k.removeprefix("grad."): v for k, v in ours.items() if k.startswith("grad.")}
    if name is in_memory:
        found = {in_memory(k): v for k, v in found.items()}
    trained = {(n if name is in_memory else name(n)): p for n, p in model.named_parameters() if p.requires_grad}
    expected = {n: p.grad if p.grad is not None else torch.zeros_like(p) for n, p in trained.items()}
    checks.true(f"{label}: tensors", set(found) == set(expected), sorted(set(found) ^ set(expected))[:4])
    if set(found) == set(expected):
        distance, where = worst_cosine(expected, found)
        checks.at_most(f"{label}: 1 - cosine of gradients ({where})", distance, 1e-5)


def main(program, seed=0, cases=14):
    checks = Checks()
    for index in range(cases):
        rng = random.Random(seed * 1000 + index)
        with tempfile.TemporaryDirectory() as root:
            model, base = random_model(rng), Path(root) / "base"
            model.save_pretrained(base)
            batch = random_batch(rng, model.config)
            if index % 3 == 0:
                for how in ([], ["--packed"]):
                    model.zero_grad()
                    ours = run_probe(program, base, batch, "--logits", "--grads", *how)
                    compare(checks, " ".join([f"{seed}/{index} plain", *how]), model, batch, ours, in_memory)
                continue
            peft = with_adapter(rng, model, Path(root) / "adapter")
            if peft is not None:
                for how in ([], ["--packed"]):
                    peft.zero_grad()
                    ours = run_probe(program, base, batch, "--adapter", str(Path(root) / "adapter"), "--logits", "--grads",
                                     *how)
                    compare(checks, " ".join([f"{seed}/{index} adapter", *how]), peft, batch, ours, adapter_name)
    checks.finish()


main(sys.argv[1], *(int(word) for word in sys.argv[2:]))
