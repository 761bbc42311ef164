# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs `roadtune data` on files that a case wrote and compares every answer with the rows the case expects."""
import collections
import hashlib
import io
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from PIL import Image


def picture(rng, width=48, height=32):
    """A JPEG that no other call makes."""
    image = Image.new("RGB", (width, height), tuple(rng.randrange(256) for _ in range(3)))
    for _ in range(6):
        image.putpixel((rng.randrange(width), rng.randrange(height)), tuple(rng.randrange(256) for _ in range(3)))
    out = io.BytesIO()
    image.save(out, "JPEG", quality=90)
    return out.getvalue()


class Checker:
    def __init__(self, program, objects=None):
        self.program = program
        self.objects = objects  # the Objects message, where that export is looked at
        self.failures = []
        self.cases = 0

    def fail(self, text):
        self.failures.append(text)
        print("FAILED:", text, flush=True)

    def run(self, *arguments, exit_code=0):
        environment = dict(os.environ, ROADTUNE_ACCEPT_WAYMO_LICENSE="1", XDG_CONFIG_HOME=str(self.scratch),
                           XDG_DATA_HOME=str(self.scratch))
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, env=environment, timeout=60)
        if done.returncode != exit_code:
            self.fail(f"{self.name}: {' '.join(map(str, arguments))} ended with {done.returncode}, not {exit_code}: "
                      f"{done.stderr.decode()[-800:]}")
        return done

    def case(self, name, build, *options):
        """build(folder, rng) -> (sources, rows, words of the problems that must be told)."""
        self.name = name
        self.cases += 1
        with tempfile.TemporaryDirectory(prefix="sdk-") as folder:
            self.scratch = pathlib.Path(folder)
            sources, rows, problems = build(self.scratch, random.Random(name))
            index = self.scratch / "index"
            if not rows:
                told = self.run("data", "index", *sources, "--out", index, exit_code=2).stderr.decode()
                return self._problems(told, problems)
            told = self.run("data", "index", *sources, "--out", index, *options).stderr.decode()
            if self._problems(told, problems):
                self._compare(index, rows)

    def _problems(self, told, wanted):
        for word in wanted:
            if word not in told:
                self.fail(f"{self.name}: stderr does not say '{word}':\n{told[-800:]}")
        if not wanted and told.strip():
            self.fail(f"{self.name}: told of a problem where there is none:\n{told[-800:]}")
        return True

    def _compare(self, index, rows):
        out = self.scratch / "out.jsonl"
        self.run("data", "export", index, "--format", "jsonl", "--hash", "--out", out)
        if not out.exists():
            return
        found = [json.loads(line) for line in out.read_text().splitlines()]
        order = {"FRONT": 1, "FRONT_LEFT": 2, "FRONT_RIGHT": 3, "SIDE_LEFT": 4, "SIDE_RIGHT": 5}
        rows = sorted(rows, key=lambda r: (r["segment"], r["timestamp_micros"], order[r["camera"]]))
        if len(rows) != len(found):
            return self.fail(f"{self.name}: {len(found)} images, not {len(rows)}")
        for wanted, got in zip(rows, found):
            self._row(wanted, got)
        self._answers(index, rows)

    def _row(self, wanted, got):
        where = f"{self.name}: {wanted['segment']}/{wanted['timestamp_micros']}/{wanted['camera']}"
        for key, value in wanted.items():
            if key == "jpeg":
                if got["sha256"] != hashlib.sha256(value).hexdigest():
                    self.fail(f"{where}: other bytes")
            elif key == "boxes":
                self._boxes(where, value, got["boxes"])
            elif got.get(key) != value:
                self.fail(f"{where}: {key} is {got.get(key)!r}, not {value!r}")

    def _boxes(self, where, wanted, got):
        if len(wanted) != len(got):
            return self.fail(f"{where}: {len(got)} boxes, not {len(wanted)}")
        for a, b in zip(wanted, got):
            for key, value in a.items():
                same = abs(b[key] - value) < 2e-6 if isinstance(value, float) else b[key] == value
                if not same:
                    self.fail(f"{where}: {key} of {a['id']} is {b[key]!r}, not {value!r}")

    def _answers(self, index, rows):
        info = json.loads(self.run("data", "info", index, "--json").stdout)
        boxes = collections.Counter(b["label"] for r in rows for b in r["boxes"])
        expected = {"segments": len({r["segment"] for r in rows}),
                    "frames": len({(r["segment"], r["timestamp_micros"]) for r in rows}), "images": len(rows),
                    "boxes": sum(boxes.values()), "boxes_per_class": dict(boxes),
                    "cameras": dict(collections.Counter(r["camera"] for r in rows)),
                    "labelled": sum(r["labelled"] for r in rows),
                    "empty": sum(r["labelled"] and not r["boxes"] for r in rows)}
        for key, value in expected.items():
            if info[key] != value:
                self.fail(f"{self.name}: info says {key} = {info[key]!r}, not {value!r}")
        hard = [r for r in rows if any(b["detection_difficulty"] == "LEVEL_2" and b["label"] == "vehicle" and
                                       b["y2"] - b["y1"] < 40 for b in r["boxes"])]
        questions = {"any(vehicle, level=2, h<40)": len(hard), "labelled=false": sum(not r["labelled"] for r in rows),
                     "count(pedestrian)>=1 and camera in (front, side_left)":
                         sum(r["camera"] in ("FRONT", "SIDE_LEFT") and
                             any(b["label"] == "pedestrian" for b in r["boxes"]) for r in rows)}
        for question, count in questions.items():
            said = self.run("data", "query", index, question, "--count").stdout.decode().strip()
            if said != str(count):
                self.fail(f"{self.name}: '{question}' counts {said}, not {count}")
        self._objects(index, rows)
        one = rows[len(rows) // 2]
        file = self.scratch / "one.jpg"
        self.run("data", "extract", index, "--segment", one["segment"], "--timestamp", one["timestamp_micros"],
                 "--camera", one["camera"], "--out", file)
        if file.exists() and file.read_bytes() != one["jpeg"]:
            self.fail(f"{self.name}: extract wrote other bytes")

    def _objects(self, index, rows):
        """The export for Waymo's metric tools, read with their own message."""
        if not self.objects:
            return
        out = self.scratch / "objects.bin"
        self.run("data", "export", index, "--format", "waymo-objects", "--out", out)
        found = self.objects.FromString(out.read_bytes()).objects
        names = ("UNKNOWN", "FRONT", "FRONT_LEFT", "FRONT_RIGHT", "SIDE_LEFT", "SIDE_RIGHT")
        labels = ("unknown", "vehicle", "pedestrian", "sign", "cyclist")
        wanted = [(r["segment"], r["timestamp_micros"], r["camera"], b["label"], b["id"], b["x1"], b["y2"],
                   b["detection_difficulty"]) for r in rows for b in r["boxes"]]
        told = [(o.context_name, o.frame_timestamp_micros, names[o.camera_name], labels[o.object.type], o.object.id,
                 o.object.box.center_x - o.object.box.length / 2, o.object.box.center_y + o.object.box.width / 2,
                 "LEVEL_2" if o.object.detection_difficulty_level == 2 else "LEVEL_1") for o in found]
        order = {name: i for i, name in enumerate(names)}
        wanted.sort(key=lambda w: (w[0], w[1], order[w[2]]))
        same = len(wanted) == len(told) and all(
            a == b or (isinstance(a, float) and abs(a - b) < 2e-6) for w, t in zip(wanted, told) for a, b in zip(w, t))
        if not same:
            self.fail(f"{self.name}: the Objects message tells {len(told)} objects, not {len(wanted)}, or others")

    def finish(self):
        print(f"{self.cases} cases, {len(self.failures)} differences")
        sys.exit(1 if self.failures else 0)
