# SPDX-License-Identifier: GPL-3.0-or-later
"""`roadtune predict` against generate() of transformers: what is said, how sure the model is of each box, and numbers of
pictures and classes under which pycocotools finds them again."""
import contextlib
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
from PIL import Image
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval
from transformers import AutoProcessor, PaliGemmaForConditionalGeneration

from reference import Checks
from training import make_dataset, make_folder, train_with_engine

NUMBERS = {"cyclist": 90, "Vehicle": 31, "pedestrian": 7}
ANSWERS = ("<loc0100><loc0150><loc0600><loc0700> vehicle",
           "<loc0300><loc0020><loc0900><loc0400> pedestrian ; <loc0050><loc0500><loc0450><loc1000> cyclist",
           "<loc0010><loc0600><loc0300><loc0800> vehicle")
LONGEST = 40


def trained(program, root):
    """Learnt by heart, so that there are boxes to tell; the last sample's picture has the name that sorts first."""
    folder = make_folder(root / "model", "gemma2", 5)
    data = make_dataset(root / "few.jsonl", folder, len(ANSWERS), seed=4)
    lines = [json.loads(line) | {"suffix": answer} for line, answer in zip(data.read_text().splitlines(), ANSWERS)]
    data.write_text("".join(json.dumps(line) + "\n" for line in lines))
    run = train_with_engine(program, root / "run", folder, data, finetuning_type="full", learning_rate=3e-3, max_steps=150,
                            per_device_train_batch_size=3, gradient_accumulation_steps=1, save_steps=150)
    (root / "images").mkdir()
    return run / "checkpoint-150", data, [Path(shutil.copy(line["image"], root / "images")) for line in lines]


def boxes_of(text, width, height):
    for place, name in re.findall(r"((?:<loc\d{4}>){4}) (\w+)", text):
        y1, x1, y2, x2 = (int(v) / 1024 for v in re.findall(r"\d{4}", place))
        yield name, [x1 * width, y1 * height, (x2 - x1) * width, (y2 - y1) * height]


def truth_file(path, pictures):
    """Numbers that are no places in the file, segments that sort the other way, pictures in `images`, a class in capitals."""
    images, annotations = [], []
    for i, picture in enumerate(pictures):
        width, height = Image.open(picture).size
        images.append({"id": 900 - 13 * i, "file_name": picture.name, "width": width, "height": height,
                       "segment": f"segment-{9 - i}"})
        for name, box in boxes_of(ANSWERS[i], width, height):
            annotations.append({"id": len(annotations) + 1, "image_id": images[-1]["id"], "bbox": box, "iscrowd": 0,
                                "area": box[2] * box[3], "category_id": {k.lower(): v for k, v in NUMBERS.items()}[name]})
    categories = [{"id": number, "name": name} for name, number in NUMBERS.items()]
    path.write_text(json.dumps({"images": images, "annotations": annotations, "categories": categories}))
    return images


def predicted(program, model, data, out, *options):
    done = subprocess.run([program, "predict", "--model", model, "--data", data, "--out", out, "--device", "cpu",
                           "--dtype", "float32", "--max-new-tokens", str(LONGEST), *options], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"roadtune-train predict {data}: exit {done.returncode}\n{done.stdout}\n{done.stderr}")
    texts = [json.loads(line) for line in Path(f"{out}.texts.jsonl").read_text().splitlines()]
    return json.loads(Path(out).read_text()), texts


def reference(model, prompt, picture):
    """The answer, and how likely its tokens were on average, without the one that ends it."""
    processor = AutoProcessor.from_pretrained(model)
    network = PaliGemmaForConditionalGeneration.from_pretrained(model, dtype=torch.float32).eval()
    inputs = processor(text="<image>" + prompt, images=Image.open(picture).convert("RGB"), return_tensors="pt")
    with torch.no_grad():
        out = network.generate(**inputs, do_sample=False, max_new_tokens=LONGEST, output_scores=True,
                               return_dict_in_generate=True)
    tokens = out.sequences[0, inputs["input_ids"].shape[1]:]
    sure = [float(torch.softmax(score[0], -1)[token]) for score, token in zip(out.scores, tokens)
            if token != network.generation_config.eos_token_id]
    return processor.decode(tokens, skip_special_tokens=True), sum(sure) / len(sure)


def average_precision(truth, results):
    with contextlib.redirect_stdout(io.StringIO()):
        coco = COCO(str(truth))
        judge = COCOeval(coco, coco.loadRes(str(results)), "bbox")
        judge.evaluate(), judge.accumulate(), judge.summarize()
    return judge.stats[0]


def texts_for_ids(checks, program, root, model, pictures):
    truth, out = root / "named.json", root / "named-results.json"
    truth_file(truth, pictures)
    content = json.loads(truth.read_text())
    for image in content["images"]:
        image["id"] = f"picture {image['id']}"
    for annotation in content["annotations"]:
        annotation["image_id"] = f"picture {annotation['image_id']}"
    truth.write_text(json.dumps(content))
    found, texts = predicted(program, model, truth, out)
    checks.true("ids that are texts stay", {t["image_id"] for t in texts} == {i["id"] for i in content["images"]}, texts)
    checks.true("and pycocotools finds their boxes", average_precision(truth, out) > 0.99)


def numbers(checks, program, root, model, pictures):
    truth, out = root / "gt.json", root / "results.json"
    images = truth_file(truth, pictures)
    found, texts = predicted(program, model, truth, out)
    named = {image["file_name"]: image["id"] for image in images}
    checks.true("numbers of pictures are the file's", all(named[Path(t["image"]).name] == t["image_id"] for t in texts), texts)
    checks.true("every picture is told", sorted(t["image_id"] for t in texts) == sorted(named.values()), texts)
    of_class = {name.lower(): number for name, number in NUMBERS.items()}
    checks.true("numbers of classes are the file's", found and all(of_class[b["category"]] == b["category_id"] for b in found), found)
    checks.true("every answer was learnt", [t["text"] for t in sorted(texts, key=lambda t: -t["image_id"])] == list(ANSWERS), texts)
    checks.true("pycocotools finds every box", average_precision(truth, out) > 0.99)
    score = subprocess.run([Path(program).with_name("roadtune"), "eval", "detections", "--gt", truth, "--predictions", out,
                            "--json"], capture_output=True, text=True)
    checks.true("and so does `roadtune eval`", score.returncode == 0 and json.loads(score.stdout)["AP"] > 0.99, score)
    for picture, image in zip(pictures, images):
        said, sure = reference(model, "detect vehicle ; pedestrian ; cyclist", picture)
        mine = next(t for t in texts if t["image_id"] == image["id"])
        checks.true(f"said of {picture.name} as transformers does", mine["text"] == said, (mine, said))
        checks.at_most(f"sure of {picture.name} as transformers is", abs(mine["score"] - sure), 1e-5)
        scores = [box["score"] for box in found if box["image_id"] == image["id"]]
        if len(scores) == 1:
            checks.at_most(f"sure of the box in {picture.name}", abs(scores[0] - sure), 1e-5)


def unlabelled(checks, program, root, model, pictures):
    """Pictures without annotations, asked for a class that no file names."""
    truth = root / "test_set.json"
    images = truth_file(truth, pictures)
    truth.write_text(json.dumps({"images": images}))
    _, texts = predicted(program, model, truth, root / "unlabelled.json", "--classes", "tram")
    checks.true("unlabelled: numbers are the file's", sorted(t["image_id"] for t in texts) == sorted(i["id"] for i in images), texts)
    for picture, image in zip(pictures, images):
        said, _ = reference(model, "detect tram", picture)
        mine = next(t for t in texts if t["image_id"] == image["id"])
        checks.true(f"unlabelled: asked of {picture.name} what was wanted", mine["text"] == said, (mine, said))


def damaged(checks, program, root, model, data):
    """One picture of three is none: the others are predicted. All of them: an error. With pictures in a folder that is named."""
    lines = [json.loads(line) for line in data.read_text().splitlines()]
    names = [Path(line["image"]).name for line in lines]
    elsewhere = root / "elsewhere"
    shutil.copytree(root / "images", elsewhere)
    (elsewhere / names[1]).write_bytes(b"no picture")
    moved = root / "moved.jsonl"
    moved.write_text("".join(json.dumps(line | {"image": name}) + "\n" for line, name in zip(lines, names)))
    _, texts = predicted(program, model, moved, root / "damaged.json", "--images", elsewhere)
    checks.true("what can be read is predicted", [t["image_id"] for t in texts] == [1, 3], texts)
    for name in names:
        (elsewhere / name).write_bytes(b"no picture")
    done = subprocess.run([program, "predict", "--model", model, "--data", moved, "--images", elsewhere, "--out", root / "none.json",
                           "--device", "cpu"], capture_output=True, text=True)
    checks.true("nothing that can be read is an error", done.returncode == 2 and not (root / "none.json").exists(), done.stderr)


def by_line(checks, program, root, model, data):
    found, texts = predicted(program, model, data, root / "lines.json", "--classes", "tram,vehicle,bus")
    checks.true("lines count from 1", [t["image_id"] for t in texts] == [1, 2, 3], texts)
    checks.true("Waymo's class keeps its number", found and {b["category_id"] for b in found} == {1}, found)


def main(program):
    checks = Checks()
    with tempfile.TemporaryDirectory() as root:
        root = Path(root)
        model, data, pictures = trained(program, root)
        numbers(checks, program, root, model, pictures)
        texts_for_ids(checks, program, root, model, pictures)
        unlabelled(checks, program, root, model, pictures)
        by_line(checks, program, root, model, data)
        damaged(checks, program, root, model, data)
    checks.finish()


main(sys.argv[1])
