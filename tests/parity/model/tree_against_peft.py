# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares `roadtune model tree` and `roadtune params` with what peft makes of the same configuration.

usage: tree_against_peft.py ROADTUNE FOLDER [SEED]
Models live on the meta device, so sizes do not matter. Exits 1 and names every difference.
"""
import json
import os
import random
import subprocess
import sys
import warnings

import torch
import yaml
from peft import LoraConfig, get_peft_model
from transformers import PaliGemmaConfig, PaliGemmaForConditionalGeneration

warnings.filterwarnings("ignore")
SEVEN = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]


def small_config(family, rng):
    heads = rng.choice([2, 4])
    text = dict(model_type=family, hidden_size=16 * heads, num_hidden_layers=rng.choice([2, 3, 12]), intermediate_size=rng.choice([48, 64]),
                num_attention_heads=heads, num_key_value_heads=rng.choice([1, heads]), head_dim=8, vocab_size=99)
    vision = dict(model_type="siglip_vision_model", hidden_size=48, num_hidden_layers=rng.choice([1, 3]), intermediate_size=80,
                  num_attention_heads=4, image_size=28, patch_size=14, vision_use_head=False)
    return dict(model_type="paligemma", text_config=text, vision_config=vision, projection_dim=text["hidden_size"],
                image_token_index=98)


LISTS = [
    SEVEN, ["q_proj", "v_proj"], ["fc1", "fc2", "out_proj"], ["linear"], ["self_attn.q_proj"], ["layers.1.self_attn.q_proj", "up_proj"],
    ["model.language_model.layers.0.mlp.up_proj"], ["embed_tokens", "q_proj"], ["patch_embedding", "q_proj"], ["position_embedding"],
    ["lm_head", "q_proj"], ["q_proj", "nothing_of_this_name"],
]
PATTERNS = [
    "all-linear", r".*language_model.*\.(q_proj|k_proj|v_proj|o_proj)", r"^(?!.*vision_tower).*(?:q_proj|k_proj|down_proj).*",
    r"model\.language_model\.layers\.\d+\.mlp\.(gate|up)_proj", r".*\.layers\.(0|2)\..*_proj", r".*(?<!vision)_tower.*q_proj|.*k_proj",
    r".*vision_tower.*layers\.[0-1]\.(?:self_attn\.(?:q|v)_proj|mlp\.fc[12])", r"(?i).*LANGUAGE_MODEL.*Q_PROJ", r".*\.q_proj\b",
    r".*layers\.\d{1}\.self_attn\.[qk]_proj", r"[^.]+\.language_model\.layers\.[1-9]\d*\.mlp\.\w+_proj", "ALL-LINEAR",
]


def fixed_cases():
    for targets in LISTS + PATTERNS:
        yield dict(target_modules=targets)
    yield dict(target_modules=SEVEN, exclude_modules=r".*vision_tower.*")
    yield dict(target_modules=SEVEN, exclude_modules=["v_proj", "layers.0.mlp.up_proj"])
    yield dict(target_modules="all-linear", exclude_modules=["linear", "out_proj"])
    yield dict(target_modules=SEVEN, layers_to_transform=[0])
    yield dict(target_modules=SEVEN, layers_to_transform=[1, 2], layers_pattern=["layers"])
    yield dict(target_modules=SEVEN, layers_to_transform=[1], layers_pattern=["language_model.layers"])
    yield dict(target_modules=SEVEN, rank_pattern={"q_proj": 3, "layers.1.mlp.up_proj": 5}, alpha_pattern={"v_proj": 20})
    yield dict(target_modules=SEVEN, rank_pattern={r"layers\.\d+\.self_attn\.q_proj": 2, "q_proj": 7, r".*vision.*k_proj": 4})
    yield dict(target_modules=SEVEN, rank_pattern={"^model.language_model.layers.0.self_attn.q_proj": 6})
    yield dict(target_modules=["q_proj"], modules_to_save=["multi_modal_projector"])
    yield dict(target_modules=["q_proj", "linear"], modules_to_save=["linear"])
    yield dict(target_modules=["q_proj"], modules_to_save=["embed_tokens"])
    yield dict(target_modules=["q_proj"], modules_to_save=["embed_tokens", "lm_head"])
    yield dict(target_modules=["q_proj"], modules_to_save=["norm"])
    yield dict(target_modules=["q_proj"], modules_to_save=["post_layernorm", "layers.1.input_layernorm"])
    yield dict(target_modules=["q_proj", "fc1"], bias="all")
    yield dict(target_modules=["q_proj", "fc1"], bias="lora_only")
    yield dict(target_modules=["q_proj", "fc1", "down_proj"], use_dora=True)
    yield dict(target_modules=["fc1", "out_proj"], lora_bias=True)
    yield dict(target_modules=SEVEN, use_rslora=True, r=16, lora_alpha=32)
    yield dict(target_modules=["patch_embedding", "embed_tokens", "fc1"], use_dora=True)


def random_cases(rng, count):
    words = SEVEN + ["out_proj", "fc1", "fc2", "linear"]
    for _ in range(count):
        case = dict(target_modules=rng.sample(words, rng.randint(1, 6)), r=rng.randint(1, 9), lora_alpha=rng.choice([1, 8, 16]))
        if rng.random() < 0.4:
            case["exclude_modules"] = rng.choice([r".*vision_tower.*", r".*language_model.*\.0\..*", ["q_proj"], ["layers.1.mlp.fc1", "linear"]])
        if rng.random() < 0.3:
            case["layers_to_transform"] = rng.sample(range(4), rng.randint(1, 3))
        if rng.random() < 0.4:
            case["rank_pattern"] = {rng.choice(words): rng.randint(1, 12), "layers.1." + rng.choice(["mlp", "self_attn"]) + r"\.\w+": 3}
        if rng.random() < 0.2:
            case["modules_to_save"] = rng.sample(["multi_modal_projector", "post_layernorm", "norm"], 1)
        if rng.random() < 0.2:
            case["bias"] = rng.choice(["all", "lora_only"])
        yield case


def with_peft(config, case):
    with torch.device("meta"):
        model = PaliGemmaForConditionalGeneration(PaliGemmaConfig(**json.loads(json.dumps(config))))
    try:
        model = get_peft_model(model, LoraConfig(**case), low_cpu_mem_usage=True)
    except ValueError as error:
        return None, str(error), None
    tensors = {}
    for name, parameter in model.named_parameters():
        name = name.removeprefix("base_model.model.").replace(".base_layer.", ".").replace(".default.", ".")
        name = name.removesuffix(".default").replace("lora_magnitude_vector.weight", "lora_magnitude_vector")
        tensors[name] = (list(parameter.shape), parameter.requires_grad)
    for name in [n for n in tensors if ".modules_to_save." in n]:
        plain = name.replace(".modules_to_save.", ".")
        tensors.pop(name.replace(".modules_to_save.", ".original_module."), None)
        tensors[plain] = tensors.pop(name)
    trainable, total = model.get_nb_trainable_parameters()
    line = f"trainable params: {trainable:,d} || all params: {total:,d} || trainable%: {100 * trainable / total:.4f}"
    return tensors, line, None


def with_roadtune(program, folder, config, case):
    with open(os.path.join(folder, "config.json"), "w") as file:
        json.dump(config, file)
    path = os.path.join(folder, "run.yaml")
    with open(path, "w") as file:
        yaml.safe_dump(dict(case, model_name_or_path=folder, finetuning_type="lora"), file, sort_keys=False)
    tree = subprocess.run([program, "model", "tree", "--config", path, "--json"], capture_output=True, text=True)
    if tree.returncode != 0:
        return None, tree.stderr
    parsed = json.loads(tree.stdout)
    tensors = {t["name"]: (t["shape"], t["trainable"]) for t in parsed["tensors"]}
    params = subprocess.run([program, "params", "--config", path], capture_output=True, text=True)
    return tensors, params.stdout.strip()


def compare(program, folder, config, case):
    expected, line, _ = with_peft(config, case)
    found, text = with_roadtune(program, folder, config, case)
    if expected is None:
        return [] if found is None else [f"peft refuses ({line[:120]}), roadtune does not"]
    if found is None:
        return [f"roadtune refuses: {text.strip()[:200]}"]
    problems = [f"missing {n} {expected[n]}" for n in expected if n not in found]
    problems += [f"extra {n} {found[n]}" for n in found if n not in expected]
    problems += [f"{n}: peft {expected[n]}, roadtune {found[n]}" for n in expected if n in found and tuple(expected[n]) != tuple(found[n])]
    if line != text:
        problems.append(f"peft says {line!r}, roadtune {text!r}")
    return problems


def main():
    program, folder = sys.argv[1:3]
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 7)
    wrong = total = 0
    cases = list(fixed_cases()) + list(random_cases(rng, 40))
    for index, case in enumerate(cases):
        config = small_config("gemma2" if index % 2 else "gemma", rng)
        problems = compare(program, folder, config, case)
        total += 1
        if problems:
            wrong += 1
            print(f"case {index} {case}")
            print("   " + "\n   ".join(problems[:6]))
    print(f"{total - wrong} of {total} cases agree")
    return 1 if wrong or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
