# SPDX-License-Identifier: GPL-3.0-or-later
"""A folder with a tiny model and tokenizer, a JSONL data set, and runs of the engine over them."""
import io
import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

import torch
import yaml_lines
from PIL import Image
from transformers import AutoProcessor, PaliGemmaForConditionalGeneration

CLASSES = ["vehicle", "pedestrian", "cyclist"]


def make_folder(folder, family, seed):
    """`roadtune-train` has no model maker: weights by the reference, tokenizer and processor by `roadtune`."""
    program = Path(sys.argv[1]).with_name("roadtune")
    subprocess.run([program, "model", "new-tiny", "--out", folder, "--family",
                    "paligemma2" if family == "gemma2" else "paligemma", "--image-size", "56"], check=True,
                   stdout=subprocess.DEVNULL)
    torch.manual_seed(seed)
    model = PaliGemmaForConditionalGeneration.from_pretrained(folder, dtype=torch.float32)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.02)
    model.save_pretrained(folder)
    return folder


def make_dataset(path, folder, count, seed=3):
    rng = random.Random(seed)
    images = path.parent / (path.stem + "_images")
    images.mkdir(parents=True, exist_ok=True)
    lines = []
    for i in range(count):
        picture = Image.new("RGB", (80 + i, 60), tuple(rng.randrange(256) for _ in range(3)))
        for _ in range(40):
            picture.putpixel((rng.randrange(80), rng.randrange(60)), tuple(rng.randrange(256) for _ in range(3)))
        picture.save(images / f"{i}.png")
        boxes = " ; ".join("".join(f"<loc{rng.randrange(1024):04d}>" for _ in range(4)) + " " + rng.choice(CLASSES)
                           for _ in range(1 + i % 3))
        lines.append({"image": str(images / f"{i}.png"), "prefix": "detect " + " ; ".join(CLASSES), "suffix": boxes})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


class JsonlSet(torch.utils.data.Dataset):
    def __init__(self, path, folder):
        self.lines = [json.loads(line) for line in Path(path).read_text().splitlines()]
        self.processor = AutoProcessor.from_pretrained(folder)

    def __len__(self):
        return len(self.lines)

    def __getitem__(self, index):
        return self.lines[index] | {"processor": self.processor}


def collate(samples):
    processor = samples[0]["processor"]
    return dict(processor(text=["<image>" + s["prefix"] for s in samples], suffix=[s["suffix"] for s in samples],
                          images=[Image.open(io.BytesIO(Path(s["image"]).read_bytes())).convert("RGB") for s in samples],
                          return_tensors="pt", padding="longest"))


DEFAULTS = dict(per_device_train_batch_size=2, gradient_accumulation_steps=2, warmup_steps=2, weight_decay=0.01,
                max_grad_norm=0.5, logging_steps=1, save_steps=1000, lr_scheduler_type="linear", seed=42, device="cpu")


def write_run(run, folder, data, **settings):
    run.mkdir(parents=True, exist_ok=True)
    values = DEFAULTS | dict(model_name_or_path=str(folder), train_data=str(data), output_dir=str(run)) | settings
    (run / "run.yaml").write_text(yaml_lines.dump(values))


def start_engine(program, run, **environment):
    import os
    return subprocess.Popen([program, "--run", run], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True,
                            env=dict(os.environ, **{k: str(v) for k, v in environment.items()}))


def train_with_engine(program, run, folder, data, **settings):
    shutil.rmtree(run, ignore_errors=True)
    write_run(run, folder, data, **settings)
    process = start_engine(program, run)
    out, err = process.communicate()
    if process.returncode != 0:
        sys.exit(f"roadtune-train --run {run}: exit {process.returncode}\n{out}\n{err}")
    (run / "printed").write_text(out + err)
    return run
