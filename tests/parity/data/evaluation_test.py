# SPDX-License-Identifier: GPL-3.0-or-later
"""`roadtune eval detections`: COCO numbers against pycocotools at the edges of its rules, Waymo's protocols and the
details against plain implementations of what they say."""
import contextlib
import io
import itertools
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

NAMES = ["AP", "AP50", "AP75", "APs", "APm", "APl", "AR1", "AR10", "AR100", "ARs", "ARm", "ARl"]


def iou(a, b, crowd=False):
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    if w <= 0 or h <= 0:
        return 0.0
    return w * h / (a[2] * a[3] if crowd else a[2] * a[3] + b[2] * b[3] - w * h)


def draw(rng, images, most, names=("vehicle", "pedestrian", "cyclist", "sign"), crowds=0.0):
    truth = {"images": [{"id": 3 * i + 1, "width": 1920, "height": 1280, "file_name": f"{i}"} for i in range(images)],
             "categories": [{"id": i + 1, "name": n} for i, n in enumerate(names)], "annotations": []}
    results = []
    for image in truth["images"]:
        for _ in range(rng.randint(0, most)):
            side = rng.choice([20, 32, 60, 96, 200])
            box = [rng.uniform(0, 300), rng.uniform(0, 300), side * rng.uniform(0.6, 1.4), side * rng.uniform(0.6, 1.4)]
            if rng.random() < 0.2:
                box[2] = box[3] = float(side)  # the limits of the area ranges themselves
            crowd = rng.random() < crowds
            truth["annotations"].append({
                "id": len(truth["annotations"]) + 1, "image_id": image["id"], "category_id": rng.randint(1, len(names)),
                "bbox": box, "area": box[2] * box[3], "iscrowd": int(crowd),
                **({"detection_difficulty": "LEVEL_2"} if rng.random() < 0.3 else {})})
            for _ in range(rng.choice([0, 1, 1, 2])):
                jitter = side * rng.choice([0, 0.05, 0.15])
                moved = [box[0] + rng.uniform(-jitter, jitter), box[1] + rng.uniform(-jitter, jitter), box[2] + 0.3 * jitter,
                         box[3]]
                results.append({"image_id": image["id"], "category_id": truth["annotations"][-1]["category_id"]
                                if rng.random() < 0.85 else rng.randint(1, len(names)), "bbox": moved,
                                "score": rng.choice([round(rng.random(), 1), rng.random()])})
    return truth, results


def pycocotools_says(folder):
    with contextlib.redirect_stdout(io.StringIO()):
        coco = COCO(str(folder / "gt.json"))
        evaluation = COCOeval(coco, coco.loadRes(str(folder / "results.json")), "bbox")
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    return dict(zip(NAMES, map(float, evaluation.stats)))


def best_pairs(weights, rows, columns):
    """The assignment of the largest sum, by trying all."""
    if rows > columns:
        return {r: c for c, r in best_pairs({(c, r): w for (r, c), w in weights.items()}, columns, rows).items()}
    best, found = -1, {}
    for chosen in itertools.permutations(range(columns), rows):
        total = sum(weights[r, c] for r, c in enumerate(chosen))
        if total > best:
            best, found = total, {r: c for r, c in enumerate(chosen) if weights[r, c] > 0}
    return found


def single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def waymo_ap(truth, results, category, threshold, level):
    recalls, precisions = [], []
    for step in range(101):
        cut = single(step / 100)
        hits = wrong = missed = 0
        for image in truth["images"]:
            boxes = [a for a in truth["annotations"] if a["image_id"] == image["id"] and a["category_id"] == category
                     and not a["iscrowd"]]
            told = [r for r in results if r["image_id"] == image["id"] and r["category_id"] == category and
                    single(r["score"]) >= cut]
            weights = {}
            for (i, r), (k, b) in itertools.product(enumerate(told), enumerate(boxes)):
                overlap = iou(r["bbox"], b["bbox"])
                weights[i, k] = round(overlap * 1e6) if overlap >= threshold else 0
            pairs = best_pairs(weights, len(told), len(boxes)) if told and boxes else {}
            hits += len(pairs)
            wrong += len(told) - len(pairs)
            taken = set(pairs.values())
            missed += sum(k not in taken and (level == 2 or b.get("detection_difficulty") != "LEVEL_2")
                          for k, b in enumerate(boxes))
        recalls.append(hits / (hits + missed) if hits + missed else 0.0)
        precisions.append(hits / (hits + wrong) if hits else 1.0)
    highest = {}  # cut-offs that find the same are one point
    for recall, precision in zip(recalls, precisions):
        highest[recall] = max(highest.get(recall, 0.0), precision)
    points = sorted(((r, p) for r, p in highest.items() if r > 0), reverse=True)
    curve, best = [], 0.0
    for recall, precision in points:
        while curve and curve[-1][0] - recall > 0.05 + 1e-6:
            curve.append((curve[-1][0] - 0.05, best))
        best = max(best, precision)
        curve.append((recall, best))
    if not curve:
        return 0.0
    curve.append((0.0, best))
    return sum((a[0] - b[0]) * (a[1] + b[1]) / 2 for a, b in zip(curve, curve[1:]))


def details_of(truth, results, least, score):
    """Greedy, best score first, per class; and the confusion matrix, pairing whatever the class."""
    names = [c["name"] for c in truth["categories"]]
    per_image, matrix = [], [[0] * (len(names) + 1) for _ in range(len(names) + 1)]
    for image in truth["images"]:
        boxes = [a for a in truth["annotations"] if a["image_id"] == image["id"]]
        told = sorted((r for r in results if r["image_id"] == image["id"] and r["score"] >= score), key=lambda r: -r["score"])
        for anywhere in (False, True):
            taken, hits, wrong = set(), 0, 0
            for r in told:
                fits = [(iou(r["bbox"], b["bbox"], b["iscrowd"]), -k, k, b) for k, b in enumerate(boxes)
                        if anywhere or b["category_id"] == r["category_id"]]
                fits = sorted((f for f in fits if f[0] >= least), key=lambda f: (-f[0], f[2]))
                free = [f for f in fits if not f[3]["iscrowd"] and f[2] not in taken]
                if free:
                    taken.add(free[0][2])
                    hits += 1
                    row = free[0][3]["category_id"] - 1
                elif any(f[3]["iscrowd"] for f in fits):
                    continue
                else:
                    wrong += 1
                    row = len(names)
                if anywhere:
                    matrix[row][r["category_id"] - 1] += 1
            left = [b for k, b in enumerate(boxes) if k not in taken and not b["iscrowd"]]
            if not anywhere:
                per_image.append({"image_id": image["id"], "tp": hits, "fp": wrong, "fn": len(left)})
            else:
                for b in left:
                    matrix[b["category_id"] - 1][len(names)] += 1
    return per_image, matrix


class Tests:
    def __init__(self, program):
        self.program, self.count, self.failures = program, 0, 0

    def same(self, what, got, wanted, slack=1e-6):
        self.count += 1
        equal = abs(got - wanted) <= slack if isinstance(wanted, float) else got == wanted
        if not equal:
            self.failures += 1
            print(f"FAILED: {what}: {got}, not {wanted}")

    def ask(self, folder, *options):
        done = subprocess.run([self.program, "eval", "detections", "--gt", folder / "gt.json", "--predictions",
                               folder / "results.json", "--json", *options], capture_output=True)
        if done.returncode:
            raise SystemExit(f"eval ended with {done.returncode}: {done.stderr.decode()}")
        return json.loads(done.stdout)

    def problem(self, truth, results, folder):
        (folder / "gt.json").write_text(json.dumps(truth))
        (folder / "results.json").write_text(json.dumps(results))

    def coco(self, name, truth, results):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            self.problem(truth, results, folder)
            said = self.ask(folder)
            for key, value in pycocotools_says(folder).items():
                self.same(f"{name} {key}", said[key], value)

    def came_back(self, name, truth, results):
        """Indexed and exported again, crowds and all, a ground truth measures the same."""
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            self.problem(truth, results, folder)
            wanted = pycocotools_says(folder)
            for command in (["index", folder / "gt.json", "--out", folder / "index"],
                            ["export", folder / "index", "--format", "coco", "--out", folder / "back.json"]):
                subprocess.run([self.program, "data", *command], check=True, capture_output=True)
            back = json.loads((folder / "back.json").read_text())
            self.same(f"{name} crowds", sum(a["iscrowd"] for a in back["annotations"]),
                      sum(a["iscrowd"] for a in truth["annotations"]))
            images = {i["file_name"]: i["id"] for i in back["images"]}
            categories = {c["name"]: c["id"] for c in back["categories"]}
            image_of = {i["id"]: images[i["file_name"]] for i in truth["images"]}
            category_of = {c["id"]: categories[c["name"]] for c in truth["categories"]}
            self.problem(back, [{**r, "image_id": image_of[r["image_id"]], "category_id": category_of[r["category_id"]]}
                                for r in results], folder)
            said, oracle = self.ask(folder), pycocotools_says(folder)
            for key, value in wanted.items():
                self.same(f"{name} {key}", said[key], value)
                self.same(f"{name} {key} of pycocotools", oracle[key], value)

    def waymo(self, name, truth, results):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            self.problem(truth, results, folder)
            for level in (1, 2):
                said = self.ask(folder, "--protocol", f"waymo-l{level}")
                labelled = {a["category_id"] for a in truth["annotations"] if not a["iscrowd"]}
                wanted = {c["name"]: waymo_ap(truth, results, c["id"], 0.7 if c["name"] == "vehicle" else 0.5, level)
                          for c in truth["categories"] if c["name"] != "sign" and c["id"] in labelled}
                self.same(f"{name} L{level} classes", sorted(said["per_class"]), sorted(wanted))
                for key, value in wanted.items():
                    self.same(f"{name} L{level} {key}", said["per_class"][key], value)
                self.same(f"{name} L{level} mean", said["AP"], sum(wanted.values()) / len(wanted))

    def details(self, name, truth, results, least, score):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            self.problem(truth, results, folder)
            said = self.ask(folder, "--details", "--iou", str(least), "--score", str(score))["details"]
            per_image, matrix = details_of(truth, results, least, score)
            self.same(f"{name} per image", said["per_image"], per_image)
            self.same(f"{name} confusion", said["confusion"]["matrix"], matrix)
            for key in ("tp", "fp", "fn"):
                self.same(f"{name} {key}", said["total"][key], sum(i[key] for i in per_image))


    def curves(self, name, truth, results):
        """The mean of a curve's precisions at IoU 0.5 is COCO's AP50 of the class."""
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            self.problem(truth, results, folder)
            said = self.ask(folder, "--details")["details"]["curves"]
            means = [sum(c["precision"]) / 101 for c in said.values()]
            self.same(f"{name} AP50", sum(means) / len(means), pycocotools_says(folder)["AP50"])
            for key, curve in said.items():
                self.same(f"{name} {key} scores fall", curve["score"], sorted(curve["score"], reverse=True))


def main(program):
    tests, rng = Tests(program), random.Random(8)
    for i in range(12):
        truth, results = draw(rng, rng.randint(1, 8), rng.choice([2, 10, 40]), crowds=rng.choice([0, 0.3]))
        if results:
            tests.coco(f"random {i}", truth, results)
    truth, results = draw(rng, 3, 8)
    tests.coco("a class without truth", {**truth, "categories": truth["categories"] + [{"id": 9, "name": "empty"}]}, results)
    tests.coco("only crowds", {**truth, "annotations": [{**a, "iscrowd": 1} for a in truth["annotations"]]}, results)
    tests.coco("no truth at all", {**truth, "annotations": []}, results)
    texts = {i["id"]: f"drive-{i['id'] * 7919 % 101}/{i['id']}" for i in truth["images"]}
    named = ({**truth, "images": [{**i, "id": texts[i["id"]]} for i in truth["images"]],
              "annotations": [{**a, "image_id": texts[a["image_id"]]} for a in truth["annotations"]]},
             [{**r, "image_id": texts[r["image_id"]]} for r in results])
    tests.coco("ids that are texts", *named)
    tests.coco("ids that are texts, equal scores", named[0], [{**r, "score": 0.5} for r in named[1]])
    tests.details("ids that are texts", *named, 0.5, 0.3)
    tests.coco("equal scores", truth, [{**r, "score": 0.5} for r in results])
    many = [{**r, "score": rng.random()} for r in results for _ in range(60)]
    tests.coco("more than a hundred", truth, many)
    tests.coco("whole numbers", {**truth, "annotations": [{**a, "bbox": [int(v) + 1 for v in a["bbox"]]} for a in
                                                          truth["annotations"]]}, results)
    for i in range(3):
        truth, results = draw(rng, 6, 10, crowds=0.3)
        tests.came_back(f"came back {i}", truth, results)
        masks = [{**a, "area": round(a["area"] * rng.uniform(0.3, 1), 2)} for a in truth["annotations"]]
        tests.came_back(f"came back {i} with the areas of masks", {**truth, "annotations": masks}, results)
    for i in range(25):
        truth, results = draw(rng, rng.randint(1, 4), 4, crowds=0.1)
        results = results[:14]
        if any(a["category_id"] < 4 and not a["iscrowd"] for a in truth["annotations"]):
            tests.waymo(f"waymo {i}", truth, results)
    for i in range(12):
        truth, results = draw(rng, 6, 12, crowds=0.2)
        tests.details(f"details {i}", truth, results, rng.choice([0.1, 0.3, 0.5, 0.7]), rng.choice([0, 0.35, 0.5]))
    for i in range(6):
        truth, results = draw(rng, 5, 10)
        tests.curves(f"curves {i}", truth, results)
    print(f"{tests.count} numbers, {tests.failures} differ")
    sys.exit(1 if tests.failures else 0)


if __name__ == "__main__":
    main(sys.argv[1])
