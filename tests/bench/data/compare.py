# SPDX-License-Identifier: GPL-3.0-or-later
"""The questions of bench_data, asked of DuckDB and SQLite over the same rows. Prints a table in Markdown.

compare.py BENCH_DATA [--skip-sqlite]; needs `pip install duckdb` in the interpreter that runs it."""
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import time

import duckdb
import numpy as np
import pyarrow as pa

COLUMNS = {"image.camera": "u1", "image.time": "u1", "image.segment": "u2", "box.image": "u4", "box.x": "f4",
           "box.y": "f4", "box.w": "f4", "box.h": "f4", "box.class": "u1", "box.level": "u1"}
NIGHT = "image IN (SELECT id FROM images WHERE time=1)"
QUESTIONS = {
    "filter: any(pedestrian, h<50, level=1)":
        "SELECT count(DISTINCT image) FROM boxes WHERE class=2 AND h<50 AND level=1",
    "filter: count(vehicle)>=10":
        "SELECT count(*) FROM (SELECT image FROM boxes WHERE class=1 GROUP BY image HAVING count(*)>=10) t",
    "filter: any(area<400)": "SELECT count(DISTINCT image) FROM boxes WHERE w*h<400",
    "filter: min(h)<10": "SELECT count(*) FROM (SELECT image FROM boxes GROUP BY image HAVING min(h)<10) t",
    "filter: camera=front and time=Night": "SELECT count(*) FROM images WHERE camera=1 AND time=1",
    "histogram: height, everything":
        "SELECT sum(c) FROM (SELECT CAST(min(h/10, 63) AS INTEGER) AS bin, count(*) AS c FROM boxes GROUP BY 1) t",
    "histogram: area, everything":
        "SELECT sum(c) FROM (SELECT CAST(min(w*h/625, 63) AS INTEGER) AS bin, count(*) AS c FROM boxes GROUP BY 1) t",
    "sort: min(h), everything":
        "SELECT sum(k) FROM (SELECT row_number() OVER (ORDER BY low) AS k FROM "
        "(SELECT image, min(h) AS low FROM boxes GROUP BY image) t) u",
    "boxes of 60 images": "SELECT sum(x+y+w+h+class+level) FROM boxes WHERE image IN (%s)" % ",".join(str(i * 16127) for i in range(60)),
}


def timed(ask, most=5):
    best = float("inf")
    for _ in range(most):
        began = time.perf_counter()
        answer = ask()
        best = min(best, (time.perf_counter() - began) * 1e3)
        if best > 4000:
            break
    return best, answer


def ours(program):
    said = subprocess.run([program, "--benchmark_format=json", "--benchmark_min_time=0.1",
                           "--benchmark_repetitions=5"], capture_output=True, check=True)
    rows = {}
    for entry in json.loads(said.stdout)["benchmarks"]:
        name = entry["name"].split("/process_time")[0]
        if entry.get("run_type") == "iteration" and (name not in rows or entry["real_time"] < rows[name]["real_time"]):
            rows[name] = entry
    return rows


def main(program, *options):
    rows = ours(program)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "--columns", folder], check=True)
        columns = {name: np.fromfile(os.path.join(folder, name), dtype) for name, dtype in COLUMNS.items()}
    images = pa.table({"id": pa.array(np.arange(len(columns["image.camera"]), dtype="u4")),
                       **{n.split(".")[1]: columns[n] for n in columns if n.startswith("image.")}})
    boxes = pa.table({n.split(".")[1]: columns[n] for n in columns if n.startswith("box.")})
    duck = duckdb.connect()
    duck.execute(f"SET threads={os.cpu_count()}")
    duck.execute("CREATE TABLE images AS SELECT * FROM images")
    duck.execute("CREATE TABLE boxes AS SELECT * FROM boxes")
    lite = None
    if "--skip-sqlite" not in options:
        lite = sqlite3.connect(":memory:")
        lite.execute("CREATE TABLE images (id INTEGER PRIMARY KEY, camera, time, segment)")
        lite.execute("CREATE TABLE boxes (image, x, y, w, h, class, level)")
        lite.executemany("INSERT INTO images VALUES (?,?,?,?)", zip(*(images[c].to_pylist() for c in
                                                                        ("id", "camera", "time", "segment"))))
        lite.executemany("INSERT INTO boxes VALUES (?,?,?,?,?,?,?)", zip(*(boxes[c].to_pylist() for c in
                                                                             ("image", "x", "y", "w", "h", "class", "level"))))
        lite.execute("CREATE INDEX of_image ON boxes (image)")
    print("| question | roadtune | DuckDB | SQLite |\n|---|---|---|---|")
    for name, entry in rows.items():
        line = f"| {name} | {entry['real_time']:.2f} ms |"
        sql = QUESTIONS.get(name)
        for base, connection in (("duck", duck), ("lite", lite)):
            if not sql or not connection:
                line += " |"
                continue
            asked = sql.replace("min(h/10, 63)", "least(h/10, 63)").replace("min(w*h/625, 63)", "least(w*h/625, 63)") \
                if base == "duck" else sql
            taken, answer = timed(lambda: connection.execute(asked).fetchall()[0][0], 5 if base == "duck" else 1)
            line += f" {taken:.1f} ms ({taken / entry['real_time']:.0f}x) |"
            if "count" in entry and int(answer) != int(entry["count"]):
                line += f" other answer: {answer}, not {int(entry['count'])} |"
        print(line, flush=True)
    print("\nresident memory after three questions:", round(rows["memory after three questions"]["resident_mb"]), "MB")


if __name__ == "__main__":
    main(*sys.argv[1:])
