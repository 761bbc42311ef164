# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes small Waymo v2 and VQA Parquet files in the shapes that are found in the wild. Arguments: out, site-packages."""
import sys
from pathlib import Path

sys.path.insert(0, sys.argv[2])
import pyarrow as pa
import pyarrow.parquet as pq

out = Path(sys.argv[1])
CONTEXT = "10023947602400723454_1120_000_1140_000"
NAMES = {1: "FRONT", 2: "FRONT_LEFT", 4: "SIDE_LEFT"}
TIMES = [1550083467346370, 1550083467446375, 1550083467546380]


def jpeg(time, camera):
    return b"\xff\xd8" + f"{time}:{camera}".encode() * 50 + b"\xff\xd9"


def write(root, component, table, **options):
    folder = root / "training" / component
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, folder / f"{CONTEXT}.parquet", **options)


def keys(rows, strings):
    return {
        "key.segment_context_name": pa.array([CONTEXT] * len(rows)),
        "key.frame_timestamp_micros": pa.array([time for time, _ in rows], pa.int64()),
        "key.camera_name": pa.array([NAMES[c] if strings else c for _, c in rows], pa.string() if strings else pa.int8()),
    }


def segment(name, strings=False, real=pa.float64(), skip=(), **options):
    root = out / name
    rows = [(time, camera) for time in TIMES for camera in (1, 4, 2)]
    image = keys(rows, strings)
    image["[CameraImageComponent].image"] = pa.array([jpeg(*row) for row in rows], pa.binary())
    image["[CameraImageComponent].pose.transform"] = pa.array([[float(i) for i in range(16)]] * len(rows), pa.list_(pa.float64(), 16))
    image["[CameraImageComponent].velocity.linear_velocity.x"] = pa.array([1.5] * len(rows), pa.float32())
    image["[CameraImageComponent].pose_timestamp"] = pa.array([time / 1e6 for time, _ in rows], pa.float64())
    # Boxes lie in another order than the pictures; the last frame's FRONT has none.
    boxes = [(TIMES[2], 4, 3, None), (TIMES[0], 1, 1, 2), (TIMES[0], 1, 2, None), (TIMES[1], 2, 4, 0)]
    box = keys([(time, camera) for time, camera, _, _ in boxes], strings)
    box["key.camera_object_id"] = pa.array([f"object-{i}" for i in range(len(boxes))])
    for axis, base in (("x", 100.5), ("y", 50.25)):
        box[f"[CameraBoxComponent].box.center.{axis}"] = pa.array([base + i for i in range(len(boxes))], real)
        box[f"[CameraBoxComponent].box.size.{axis}"] = pa.array([base / 5] * len(boxes), real)
    types = ["TYPE_VEHICLE", "TYPE_PEDESTRIAN", "TYPE_SIGN", "TYPE_CYCLIST"]
    box["[CameraBoxComponent].type"] = pa.array([types[t - 1] if strings else t for *_, t, _ in boxes], pa.string() if strings else pa.int8())
    box["[CameraBoxComponent].difficulty_level.detection"] = pa.array([level for *_, level in boxes], pa.int8())
    stats = {
        "key.segment_context_name": [CONTEXT] * 3,
        "key.frame_timestamp_micros": pa.array(TIMES, pa.int64()),
        "[StatsComponent].time_of_day": ["Night"] * 3,
        "[StatsComponent].location": ["location_phx"] * 3,
        "[StatsComponent].weather": ["sunny"] * 3,
    }
    calibration = {
        "key.segment_context_name": [CONTEXT],
        "key.camera_name": pa.array([NAMES[1] if strings else 1], pa.string() if strings else pa.int8()),
        "[CameraCalibrationComponent].intrinsic.f_u": [2055.5],
        "[CameraCalibrationComponent].width": pa.array([1920], pa.int32()),
        "[CameraCalibrationComponent].height": pa.array([1280], pa.int32()),
    }
    tables = {"camera_image": image, "camera_box": box, "stats": stats, "camera_calibration": calibration}
    for component, columns in tables.items():
        if component not in skip:
            write(root, component, pa.table(columns), **options)
    return root


for codec in ("none", "snappy", "brotli", "zstd", "gzip"):
    segment(f"codec_{codec}", compression=codec)
segment("strings", strings=True, real=pa.float32())
segment("rowgroup1", row_group_size=1, compression="none")
segment("pagev2", data_page_version="2.0", use_dictionary=False)
segment("noboxes", skip=("camera_box",))
segment("halves", real=pa.float16())
TIME = "key.frame_timestamp_micros"
for name, other in (("texttimes", str), ("wordtimes", lambda time: "noon"), ("latertimes", lambda time: time + 1),
                    ("onetime", lambda time: None if time == TIMES[2] else time)):
    file = segment(name) / "training" / "camera_box" / f"{CONTEXT}.parquet"
    table = pq.read_table(file)
    times = pa.array([other(time) for time in table.column(TIME).to_pylist()])
    pq.write_table(table.set_column(table.schema.get_field_index(TIME), TIME, times), file)
segment("nostats", skip=("stats", "camera_calibration"))
broken = segment("brokenboxes")
(broken / "training" / "camera_box" / f"{CONTEXT}.parquet").write_bytes(b"PAR1 this is no parquet file PAR1")
segment("wrongboxes")
pq.write_table(pa.table({"key.segment_context_name": [CONTEXT]}), out / "wrongboxes" / "training" / "camera_box" / f"{CONTEXT}.parquet")
axis = segment("noaxis") / "training" / "camera_box" / f"{CONTEXT}.parquet"
pq.write_table(pq.read_table(axis).drop_columns(["[CameraBoxComponent].box.center.y"]), axis)
nulls = segment("nullbox") / "training" / "camera_box" / f"{CONTEXT}.parquet"
table = pq.read_table(nulls)
at = table.schema.get_field_index("[CameraBoxComponent].box.size.y")
table = table.set_column(at, table.schema.field(at), pa.array([1.0, None, 2.0, 3.0], pa.float64()))
pq.write_table(table, nulls)
nameless = segment("nocamera", strings=True)
for component in ("camera_image", "camera_box"):
    file = nameless / "training" / component / f"{CONTEXT}.parquet"
    table = pq.read_table(file)
    at = table.schema.get_field_index("key.camera_name")
    names = table.column(at).to_pylist()
    names[0], names[1] = None, "BUMPER"
    table = table.set_column(at, table.schema.field(at), pa.array(names, pa.string()))
    pq.write_table(table, file)
damaged = segment("damagedimages", compression="none") / "training" / "camera_image" / f"{CONTEXT}.parquet"
content = damaged.read_bytes()
damaged.write_bytes(content[: len(content) // 2])

pictures = [jpeg(1, 1), jpeg(2, 2), None]
questions = ["What is there?", "How many?", "Why?"]
answers = ["a car", "3", "because"]
columns = {"question": questions, "multiple_choice_answer": answers}
nested = pa.array([None if p is None else {"bytes": p, "path": f"{i}.jpg"} for i, p in enumerate(pictures)],
                  pa.struct([("bytes", pa.binary()), ("path", pa.string())]))
pq.write_table(pa.table({"image": nested, **columns}), out / "vqa_struct.parquet", row_group_size=2)
pq.write_table(pa.table({"image": pa.array(pictures, pa.large_binary()), "question": questions, "answer": answers}), out / "vqa_binary.parquet")
pq.write_table(pa.table({"image": ["a.jpg", "b.jpg", "c.png"], **columns, "extra": [1, 2, 3]}), out / "vqa_path.parquet")
pq.write_table(pa.table({"image": pa.array(["a.jpg"] * 3).dictionary_encode(), **columns}), out / "vqa_dictionary.parquet")
gif = b"GIF89a\x01\x00\x01\x00"
for name, values in (("int", pa.array([1, None, 3])), ("float", pa.array([1.5, 2.0, None], pa.float32())), ("bool", pa.array([True, None, False]))):
    (out / "answers").mkdir(exist_ok=True)
    pq.write_table(pa.table({"image": pa.array([pictures[0], gif, b"no picture"], pa.binary()), "question": questions, "multiple_choice_answer": values}),
                   out / "answers" / f"{name}.parquet")
pq.write_table(pa.table({"image": pa.array([gif] * 3, pa.binary()), "question": ["what?", None, "who?"], "answer": answers}),
               out / "answers" / "unasked.parquet")
for split in ("train", "valid"):
    (out / "shards" / split).mkdir(parents=True)
    pq.write_table(pa.table({"image": pa.array(pictures[:1] * 3, pa.binary()), **columns}), out / "shards" / split / "0000.parquet")
pq.write_table(pa.table({"picture": ["a.jpg"], "question": ["?"]}), out / "no_vqa.parquet")
