# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares `roadtune encode` with PaliGemmaProcessor (PIL backend): every tensor of the batch.

usage: encode_against_processor.py ROADTUNE FOLDER [SEED]
"""
import os
import random
import subprocess
import sys

import numpy
import torch
from PIL import Image
from safetensors.torch import load_file
from transformers import AutoProcessor
from transformers.utils import logging as hub_logging

hub_logging.set_verbosity_error()

PROMPTS = [
    ("detect vehicle ; pedestrian ; cyclist", "<loc0100><loc0200><loc0300><loc0400> vehicle ; <loc0001><loc0002><loc0003><loc0004> sign"),
    ("", None), ("", ""), ("caption en", "a street"), ("answer en how many vehicles?\n", "3"), ("  spaces  ", "  both ends  "),
    ("a\nb\n\nc", "d\n"), ("<image>detect vehicle", "<loc0000> x"), ("<image> caption", None), ("x<image>y", "z"), ("literal <eos> and <bos>", "<eos><eos>"),
    ("émile 東京 😊 👩‍👩‍👧", "ünïcode\u200b"), ("<loc0007><seg001> <loc10", "<loc1024>"), ("\t tab", "\r\n"), ("word " * 200, "long " * 200),
    ("ends with newline\n\n", "\n\n\n"), ("▁▁ marks ▁", "▁"),
]


def pictures(folder, rng):
    """Paths of pictures of every kind; sides differ from the model's."""
    made = {}
    noise = numpy.random.RandomState(rng.randint(0, 9999))

    def save(name, image, **options):
        path = os.path.join(folder, name)
        image.save(path, **options)
        made[name] = path

    rgb = Image.fromarray(noise.randint(0, 256, (91, 143, 3), dtype=numpy.uint8))
    save("rgb.png", rgb)
    save("big.jpg", rgb.resize((640, 427)), quality=90)
    save("small.jpg", rgb.resize((30, 17)), quality=60, subsampling=2)
    save("same.png", rgb.resize((112, 112)))
    save("wide.png", rgb.resize((112, 300)))
    save("gray.jpg", rgb.convert("L"))
    save("gray.png", rgb.convert("L"))
    save("palette.png", rgb.convert("P", palette=Image.ADAPTIVE, colors=60))
    save("cmyk.jpg", rgb.convert("CMYK"))
    rgba = Image.fromarray(noise.randint(0, 256, (50, 70, 4), dtype=numpy.uint8), "RGBA")
    save("rgba.png", rgba)
    save("la.png", rgba.convert("LA"))
    clear = rgb.convert("P", palette=Image.ADAPTIVE, colors=20)
    save("clear_palette.png", clear, transparency=3)
    save("clear_rgb.png", rgb, transparency=(1, 2, 3))
    save("deep.png", Image.fromarray(noise.randint(0, 65536, (40, 60)).astype(numpy.uint16)))
    save("bilevel.png", rgb.convert("1"))
    save("web.webp", rgb, lossless=True)
    save("turned.jpg", rgb, exif=_turned())
    save("one.png", Image.new("RGB", (1, 1), (10, 200, 30)))
    return made


def _turned():
    exif = Image.Exif()
    exif[0x0112] = 6
    return exif


def expected(processor, image, prompt, suffix):
    options = {} if suffix is None else {"suffix": [suffix]}
    with Image.open(image) as opened:
        return processor(images=[opened], text=[prompt], return_tensors="pt", **options)


def found(program, model, image, prompt, suffix, out):
    command = [program, "encode", "--model", model, "--image", image, f"--prompt={prompt}", "--resize", "pil-bicubic", "--out", out]
    if prompt == "":
        command = [w for w in command if not w.startswith("--prompt=")] + ["--prompt", ""]
    if suffix is not None:
        command += ["--suffix", suffix] if suffix == "" else [f"--suffix={suffix}"]
    result = subprocess.run(command, capture_output=True, text=True)
    return (load_file(out), "") if result.returncode == 0 else (None, result.stderr.strip())


def compare(want, got):
    problems = []
    for name in ["input_ids", "attention_mask", "token_type_ids", "labels"]:
        if got[name].dtype != torch.int64 or not torch.equal(want[name].to(torch.int64), got[name]):
            problems.append(f"{name}: {want[name].flatten()[-12:].tolist()} {tuple(want[name].shape)}, "
                            f"not {got[name].flatten()[-12:].tolist()} {tuple(got[name].shape)}")
    a, b = want["pixel_values"].float(), got["pixel_values"]
    if a.shape != b.shape or b.dtype != torch.float32:
        problems.append(f"pixel_values: {tuple(a.shape)}, not {tuple(b.shape)} {b.dtype}")
    elif (a - b).abs().max() > 1e-6:
        problems.append(f"pixel_values differ by {(a - b).abs().max().item()}")
    return problems


def main():
    program, folder = sys.argv[1:3]
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 5)
    wrong = total = 0
    images = pictures(folder, rng)
    for family, size in [("paligemma", 112), ("paligemma2", 224)]:
        model = os.path.join(folder, family)
        subprocess.run([program, "model", "new-tiny", "--out", model, "--family", family, "--image-size", str(size)], check=True, capture_output=True)
        processor = AutoProcessor.from_pretrained(model)
        cases = [("rgb.png", p, s) for p, s in PROMPTS] + [(name, "detect sign", "x") for name in images]
        for name, prompt, suffix in cases:
            total += 1
            want = expected(processor, images[name], prompt, suffix)
            got, error = found(program, model, images[name], prompt, suffix, os.path.join(folder, "batch.safetensors"))
            problems = [error] if got is None else compare(want, got)
            if problems:
                wrong += 1
                print(f"{family} {name} {prompt!r} {suffix!r}\n   " + "\n   ".join(problems))
        two = subprocess.run([program, "encode", "--model", model, "--image", images["rgb.png"], "--prompt", "<image><image> x", "--out",
                              os.path.join(folder, "two.safetensors")], capture_output=True, text=True)
        if two.returncode != 2 or "image" not in two.stderr:
            wrong += 1
            print("two <image> for one picture must be refused:", two.returncode, two.stderr)
        pair = processor(images=[[Image.open(images["rgb.png"]), Image.open(images["big.jpg"])]], text=["<image><image>compare"], suffix=["same"],
                         return_tensors="pt")
        got, error = found_pair(program, model, images, os.path.join(folder, "pair.safetensors"))
        problems = [error] if got is None else compare(pair, got)
        if problems:
            wrong += 1
            print("two pictures:", problems)
        total += 2
    print(f"{total - wrong} of {total} batches agree")
    return 1 if wrong or total == 0 else 0


def found_pair(program, model, images, out):
    result = subprocess.run([program, "encode", "--model", model, "--image", images["rgb.png"], "--image", images["big.jpg"], "--prompt",
                             "<image><image>compare", "--suffix", "same", "--out", out], capture_output=True, text=True)
    return (load_file(out), "") if result.returncode == 0 else (None, result.stderr.strip())


if __name__ == "__main__":
    sys.exit(main())
