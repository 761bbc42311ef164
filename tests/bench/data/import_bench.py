# SPDX-License-Identifier: GPL-3.0-or-later
"""Times the import of recordings on one core, beside what one would write in Python: labels of v1 recordings, pictures
out of v2 tables (pyarrow), thumbnails (Pillow).

    .deps/oracle/bin/python tests/bench/data/import_bench.py build/release/bin/roadtune [--frames 50]
"""
import argparse
import io
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3] / ".deps" / "site-packages"))
import pyarrow.parquet as parquet
from PIL import Image

ONE_CORE = {min(os.sched_getaffinity(0))}
THUMBNAIL = 256


def timed(work, repeats=3):
    """Best wall time; what it reads lies in the page cache after the first."""
    best, answer = None, None
    for _ in range(repeats):
        begin = time.perf_counter()
        answer = work()
        seconds = time.perf_counter() - begin
        best = seconds if best is None else min(best, seconds)
    return best, answer


def size_of(folder, pattern):
    return sum(p.stat().st_size for p in Path(folder).rglob(pattern))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--frames", type=int, default=50)
    options = parser.parse_args()
    os.sched_setaffinity(0, ONE_CORE)
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        for form in ("waymo-v1", "waymo-v2"):
            subprocess.run([options.program, "data", "synth", "--format", form, "--out", place / form, "--segments", "2",
                            "--frames", str(options.frames), "--seed", "5", "--progress", "none"], check=True,
                           stdout=subprocess.DEVNULL, preexec_fn=lambda: os.sched_setaffinity(0, range(os.cpu_count())))
        runs = 0

        def index(form, *more):
            nonlocal runs
            runs += 1
            subprocess.run([options.program, "data", "index", place / form, "--out", place / f"index{runs}", "--jobs", "1",
                            "--progress", "none", *more], check=True, stdout=subprocess.DEVNULL)

        def extract():
            """The pictures of every camera_image table, unchanged, into one file, as an import keeps them."""
            with open(place / "extracted", "wb") as out:
                for table in sorted((place / "waymo-v2").rglob("camera_image/*.parquet")):
                    for batch in parquet.ParquetFile(table).iter_batches(batch_size=64, columns=["[CameraImageComponent].image"]):
                        for picture in batch.column(0):
                            out.write(picture.as_buffer())

        jpegs = []

        def shrink():
            for picture in jpegs:
                image = Image.open(io.BytesIO(picture))
                image.draft("RGB", (THUMBNAIL, THUMBNAIL))
                image.thumbnail((THUMBNAIL, THUMBNAIL))
                image.save(io.BytesIO(), "JPEG", quality=85)

        v1, _ = timed(lambda: index("waymo-v1"))
        v1_bytes = size_of(place / "waymo-v1", "*.tfrecord")
        print(f"labels and pictures of v1, payload CRC checked: {v1_bytes / v1 / 1e6:8.0f} MB/s")
        v2, _ = timed(lambda: index("waymo-v2"))
        plain, _ = timed(extract)
        v2_bytes = size_of(place / "waymo-v2", "camera_image/*.parquet")
        print(f"pictures and labels out of v2 tables:           {v2_bytes / v2 / 1e6:8.0f} MB/s   "
              f"pyarrow, pictures alone {v2_bytes / plain / 1e6:.0f} MB/s ({plain / v2:.1f}x)")
        for table in sorted((place / "waymo-v2").rglob("camera_image/*.parquet")):
            jpegs += [p.as_py() for p in parquet.read_table(table, columns=["[CameraImageComponent].image"]).column(0)]
        small, _ = timed(lambda: index("waymo-v1", "--thumbnails"))
        theirs, _ = timed(shrink, 1)
        ours = small - v1
        print(f"thumbnails, two sizes of {len(jpegs)} pictures:        {len(jpegs) / ours:8.0f} images/s "
              f"Pillow, one size {len(jpegs) / theirs:.0f} images/s ({theirs / ours:.1f}x)")


main()
