# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes random detection problems and what pycocotools says about them.

usage: coco_reference.py FOLDER COUNT SEED: writes FOLDER/<i>/{gt,results,expected}.json
"""
import contextlib
import io
import json
import os
import random
import sys

from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

NAMES = ["AP", "AP50", "AP75", "APs", "APm", "APl", "AR1", "AR10", "AR100", "ARs", "ARm", "ARl"]


def random_box(rng, width, height):
    scale = rng.choice([8, 30, 60, 120, 300])
    w, h = rng.uniform(1, scale), rng.uniform(1, scale)
    return [round(rng.uniform(0, max(1, width - w)), rng.choice([0, 2, 6])),
            round(rng.uniform(0, max(1, height - h)), rng.choice([0, 2, 6])), w, h]


def problem(rng):
    width, height = 640, 480
    images = [{"id": i * rng.choice([1, 3]) + 7 * i, "width": width, "height": height, "file_name": f"{i}.jpg"}
              for i in range(rng.randint(1, 12))]
    images = list({image["id"]: image for image in images}.values())
    rng.shuffle(images)
    categories = [{"id": c, "name": f"class {c}"} for c in rng.sample(range(1, 40), rng.randint(1, 5))]
    annotations, results = [], []
    next_id = rng.choice([0, 1])
    for image in images:
        for _ in range(rng.choice([0, 0, 1, 5, 20, 60])):
            box = random_box(rng, width, height)
            category = rng.choice(categories)["id"]
            annotation = {"id": next_id, "image_id": image["id"], "category_id": category, "bbox": box,
                          "area": box[2] * box[3] * rng.choice([1, 1, 0.6]), "iscrowd": int(rng.random() < 0.1)}
            if rng.random() < 0.1:
                annotation["ignore"] = rng.choice([0, 1])
            annotations.append(annotation)
            next_id += 1
            for _ in range(rng.choice([0, 1, 1, 2, 3])):
                jitter = rng.choice([0, 1, 3, 10])
                moved = [box[0] + rng.uniform(-jitter, jitter), box[1] + rng.uniform(-jitter, jitter),
                         max(0.5, box[2] + rng.uniform(-jitter, jitter)), max(0.5, box[3] + rng.uniform(-jitter, jitter))]
                results.append({"image_id": image["id"],
                                "category_id": category if rng.random() < 0.9 else rng.choice(categories)["id"],
                                "bbox": moved, "score": round(rng.random(), rng.choice([1, 2, 8]))})
        for _ in range(rng.choice([0, 0, 3, 130])):
            results.append({"image_id": image["id"], "category_id": rng.choice(categories)["id"],
                            "bbox": random_box(rng, width, height), "score": round(rng.random(), rng.choice([1, 8]))})
    if not results:
        results.append({"image_id": images[0]["id"], "category_id": categories[0]["id"], "bbox": [0, 0, 5, 5],
                        "score": 0.5})
    rng.shuffle(results)
    return {"images": images, "annotations": annotations, "categories": categories}, results


def main():
    folder, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    for i in range(count):
        truth, results = problem(rng)
        place = os.path.join(folder, str(i))
        os.makedirs(place)
        for name, value in (("gt", truth), ("results", results)):
            with open(os.path.join(place, name + ".json"), "w") as out:
                json.dump(value, out)
        with contextlib.redirect_stdout(io.StringIO()):
            coco = COCO(os.path.join(place, "gt.json"))
            evaluation = COCOeval(coco, coco.loadRes(os.path.join(place, "results.json")), "bbox")
            evaluation.evaluate()
            evaluation.accumulate()
            evaluation.summarize()
        with open(os.path.join(place, "expected.json"), "w") as out:
            json.dump(dict(zip(NAMES, map(float, evaluation.stats))), out)


if __name__ == "__main__":
    main()
