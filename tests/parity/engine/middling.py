# SPDX-License-Identifier: GPL-3.0-or-later
"""A model large enough for tensors to outweigh everything else, and data whose samples are all of one length."""
import json
import random
from pathlib import Path

import torch
from PIL import Image
from transformers import PaliGemmaConfig, PaliGemmaForConditionalGeneration


def make_model(folder, tiny, width=256, layers=4, vocabulary=8192, vision=128):
    """Weights at random; tokenizer and processor are the tiny model's."""
    config = PaliGemmaConfig.from_pretrained(tiny)
    text, tower = config.text_config, config.vision_config
    text.hidden_size, text.intermediate_size, text.num_hidden_layers = width, 4 * width, layers
    text.num_attention_heads, text.num_key_value_heads, text.head_dim = width // 64, max(1, width // 128), 64
    text.query_pre_attn_scalar, text.vocab_size = 64, vocabulary
    text.layer_types = (["sliding_attention", "full_attention"] * layers)[:layers]
    tower.hidden_size, tower.intermediate_size, tower.num_hidden_layers = vision, 4 * vision, layers
    tower.num_attention_heads = vision // 64
    config.projection_dim = tower.projection_dim = width
    torch.manual_seed(0)
    PaliGemmaForConditionalGeneration(config).save_pretrained(folder)
    for name in Path(tiny).iterdir():
        if not (Path(folder) / name.name).exists():
            (Path(folder) / name.name).write_bytes(name.read_bytes())
    return folder


def make_even_data(path, count, boxes=2, size=(320, 240)):
    rng = random.Random(1)
    images = path.parent / (path.stem + "_images")
    images.mkdir(parents=True, exist_ok=True)
    lines = []
    for i in range(count):
        picture = Image.effect_noise(size, 60).convert("RGB")
        picture.save(images / f"{i}.jpg", quality=90)
        places = " ; ".join("".join(f"<loc{rng.randrange(1024):04d}>" for _ in range(4)) + " vehicle" for _ in range(boxes))
        lines.append({"image": str(images / f"{i}.jpg"), "prefix": "detect vehicle ; cyclist", "suffix": places})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path
