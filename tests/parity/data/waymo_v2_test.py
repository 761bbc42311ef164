# SPDX-License-Identifier: GPL-3.0-or-later
"""Parquet files with the official SDK's columns, written by pyarrow in every way it offers, and odd ones among them."""
import struct
import sys

import pyarrow as pa
import pyarrow.parquet as pq

from checking import Checker, picture
from waymo_sdk import CAMERAS, LABELS, box, camera_image, component_table, context, pose, write_component
from waymo_open_dataset.v2 import column_types

NAME = "10023947602400723454_1120_000_1140_000"
START = 1_500_000_000_000_000


class Scene:
    """A few frames of one segment, as the SDK's components."""

    def __init__(self, rng, name=NAME, frames=4, cameras=(1, 2, 4, 3, 5), size=(48, 32), empty_share=0.3):
        self.rng, self.name, self.size = rng, name, size
        self.images, self.boxes, self.stats, self.poses, self.calibrations = [], [], [], [], []
        for number in range(frames):
            time = START + number * 100_000
            key = dict(segment_context_name=name, frame_timestamp_micros=time)
            counts = context.ObjectCounts(types=[1, 2], counts=[3, 4])
            self.stats.append(context.StatsComponent(key=_frame_key(**key), time_of_day="Night", location="location_phx",
                                                     weather="sunny", lidar_object_counts=counts,
                                                     camera_object_counts=context.ObjectCounts(types=None, counts=None)))
            matrix = column_types.Transform(transform=[1, 0, 0, number * 2.0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
            self.poses.append(pose.VehiclePoseComponent(key=_frame_key(**key), world_from_vehicle=matrix))
            for camera in cameras:
                self._image(dict(key, camera_name=camera), matrix)
                if rng.random() > empty_share:
                    for i in range(rng.randint(1, 6)):
                        self.boxes.append(self._box(dict(key, camera_name=camera), i))
        for camera in (cameras):
            self.calibrations.append(context.CameraCalibrationComponent(
                key=_segment_camera_key(segment_context_name=name, camera_name=camera),
                intrinsic=context.Intrinsic(*[rng.random() for _ in range(9)]),
                extrinsic=column_types.Transform(transform=[float(i) for i in range(16)]), width=size[0], height=size[1],
                rolling_shutter_direction=2))

    def _image(self, key, matrix):
        velocity = camera_image.Velocity(linear_velocity=column_types.Vec3s(x=1.0, y=2.0, z=3.0),
                                         angular_velocity=column_types.Vec3d(x=1.0, y=2.0, z=3.0))
        shutter = camera_image.RollingShutterParams(shutter=0.003, camera_trigger_time=1.0, camera_readout_done_time=2.0)
        self.images.append(camera_image.CameraImageComponent(
            key=_camera_key(**key), image=picture(self.rng, *self.size), pose=matrix, velocity=velocity,
            pose_timestamp=1.5, rolling_shutter_params=shutter))

    def _box(self, key, number):
        rng = self.rng
        levels = rng.choice([None, None, box.DifficultyLevel(detection=2, tracking=0),
                             box.DifficultyLevel(detection=0, tracking=2), box.DifficultyLevel(detection=1, tracking=1)])
        return box.CameraBoxComponent(
            key=_camera_label_key(**key, camera_object_id=f"{number:08x}-{rng.randrange(1 << 40):012x}"),
            box=column_types.BoxAxisAligned2d(center=column_types.Vec2d(x=rng.uniform(0, 48), y=rng.uniform(0, 32)),
                                              size=column_types.Vec2d(x=rng.uniform(0, 60), y=rng.uniform(0, 60))),
            type=rng.choice([0, 1, 1, 2, 4]), difficulty_level=levels)

    def tables(self):
        return {"camera_image": component_table(camera_image.CameraImageComponent, self.images),
                "camera_box": component_table(box.CameraBoxComponent, self.boxes),
                "stats": component_table(context.StatsComponent, self.stats),
                "vehicle_pose": component_table(pose.VehiclePoseComponent, self.poses),
                "camera_calibration": component_table(context.CameraCalibrationComponent, self.calibrations)}

    def rows(self, split="training", labelled=True, facts=True, single=False):
        def number(value):
            return struct.unpack("<f", struct.pack("<f", value))[0] if single else value

        def level(value):
            return "LEVEL_2" if value == 2 else "LEVEL_1"

        rows = []
        for image in self.images:
            if image.key.camera_name not in CAMERAS:
                continue
            boxes = []
            for b in self.boxes if labelled else []:
                if (b.key.frame_timestamp_micros, b.key.camera_name) != (image.key.frame_timestamp_micros,
                                                                         image.key.camera_name):
                    continue
                cx, cy, w, h = map(number, (b.box.center.x, b.box.center.y, b.box.size.x, b.box.size.y))
                d = b.difficulty_level
                boxes.append({"id": b.key.camera_object_id, "label": LABELS[b.type], "x1": cx - w / 2, "y1": cy - h / 2,
                              "x2": cx + w / 2, "y2": cy + h / 2, "detection_difficulty": level(d and d.detection),
                              "tracking_difficulty": level(d and d.tracking)})
            row = {"segment": image.key.segment_context_name, "timestamp_micros": image.key.frame_timestamp_micros,
                   "camera": CAMERAS[image.key.camera_name], "split": split, "width": self.size[0],
                   "height": self.size[1], "labelled": labelled, "boxes": boxes, "jpeg": image.image}
            row.update({"time_of_day": "Night", "location": "location_phx", "weather": "sunny"} if facts else
                       {"time_of_day": "", "location": "", "weather": ""})
            rows.append(row)
        return rows


def _key_class(component):
    import typing
    return typing.get_type_hints(component)["key"]


_frame_key = _key_class(context.StatsComponent)
_camera_key = _key_class(camera_image.CameraImageComponent)
_camera_label_key = _key_class(box.CameraBoxComponent)
_segment_camera_key = _key_class(context.CameraCalibrationComponent)


def put(folder, scene, change=None, split="training", skip=(), **options):
    for tag, table in scene.tables().items():
        if tag not in skip:
            write_component(folder / "data", split, tag, scene.name, change(tag, table) if change else table, **options)
    return [folder / "data"]


def written(change=None, single=False, **options):
    def build(folder, rng):
        scene = Scene(rng)
        return put(folder, scene, change, **options), scene.rows(single=single), []
    return build


def cast(table, column, type_):
    at = table.schema.get_field_index(column)
    return table.set_column(at, pa.field(column, type_), table[column].cast(type_)) if at >= 0 else table


def by_name(dictionary):
    def change(tag, table):
        if "key.camera_name" not in table.schema.names:
            return table
        names = pa.array([CAMERAS[v] for v in table["key.camera_name"].to_pylist()])
        at = table.schema.get_field_index("key.camera_name")
        return table.set_column(at, "key.camera_name", names.dictionary_encode() if dictionary else names)
    return change


def types_by_name(tag, table):
    if tag != "camera_box":
        return table
    column = "[CameraBoxComponent].type"
    names = pa.array(["TYPE_" + LABELS[v].upper() for v in table[column].to_pylist()]).dictionary_encode()
    return table.set_column(table.schema.get_field_index(column), column, names)


def single_floats(tag, table):
    for column in table.schema.names:
        if table.schema.field(column).type == pa.float64():
            table = cast(table, column, pa.float32())
    return table


def wide_numbers(tag, table):
    for column in table.schema.names:
        if table.schema.field(column).type == pa.int8():
            table = cast(table, column, pa.int64())
        elif table.schema.field(column).type == pa.string():
            table = cast(table, column, pa.large_string())
        elif table.schema.field(column).type == pa.binary():
            table = cast(table, column, pa.large_binary())
    return table


def shuffled(tag, table):
    """Rows and columns in another order, an index column as pandas leaves it, and columns nobody knows."""
    order = list(range(len(table)))
    import random
    random.Random(tag).shuffle(order)
    if tag != "camera_box":  # the order of an image's boxes is the file's
        table = table.take(order)
    table = table.select(list(reversed(table.schema.names)))
    table = table.append_column("__index_level_0__", pa.array(range(len(table))))
    return table.append_column("later.added", pa.array([[{"a": 1}]] * len(table)))


def without(*tags, facts=True, labelled=True):
    def build(folder, rng):
        scene = Scene(rng)
        return put(folder, scene, skip=tags), scene.rows(labelled=labelled, facts=facts), []
    return build


def cameras_of_other_rigs(folder, rng):
    scene = Scene(rng, cameras=(6, 1, 8, 5, 7))
    return put(folder, scene), scene.rows(), []


def labels_without_images(folder, rng):
    """And images of frames that no other file knows."""
    scene = Scene(rng, frames=5)
    scene.images = [i for i in scene.images if (i.key.frame_timestamp_micros - START) // 100_000 != 2]
    scene.stats, scene.poses = scene.stats[3:4], scene.poses[:1]
    return put(folder, scene), scene.rows(), []


def nobody_labelled_anything(folder, rng):
    scene = Scene(rng, empty_share=2)
    return put(folder, scene), scene.rows(), []


def several_segments(folder, rng):
    """Two splits; in one the box file of a segment is missing: pairing by position would shift all others."""
    rows, told = [], []
    for split, number in (("training", 3), ("validation", 2)):
        for i in range(number):
            scene = Scene(rng, name=f"{i}_{i}_{len(split)}_0_0", frames=2)
            lost = split == "training" and i == 1
            put(folder, scene, split=split, skip=("camera_box",) if lost else ())
            rows += scene.rows(split, labelled=not lost)
            if lost:
                told.append(f"camera_box/{i}_{i}_{len(split)}_0_0.parquet")
    return [folder / "data"], rows, told


def a_component_is_broken(tag, damage, **expected):
    def build(folder, rng):
        scene = Scene(rng)
        sources = put(folder, scene)
        path = folder / "data/training" / tag / (NAME + ".parquet")
        path.write_bytes(damage(path.read_bytes()))
        return sources, scene.rows(**expected), [str(path)]
    return build


def images_are_broken(damage):
    """The other segment is whole."""
    def build(folder, rng):
        scene = Scene(rng, name="1_1_1_1_1", frames=2)
        put(folder, scene)
        bad = Scene(rng, name="2_2_2_2_2", frames=2)
        put(folder, bad)
        path = folder / "data/training/camera_image/2_2_2_2_2.parquet"
        path.write_bytes(damage(path.read_bytes()))
        return [folder / "data"], scene.rows(), [str(path)]
    return build


def a_later_row_group_is_broken(folder, rng):
    scene = Scene(rng)
    sources = put(folder, scene, row_group_size=5, compression="zstd")
    path = folder / "data/training/camera_image" / (NAME + ".parquet")
    chunk = pq.ParquetFile(path).metadata.row_group(2).column(2)
    start = chunk.dictionary_page_offset or chunk.data_page_offset
    content = bytearray(path.read_bytes())
    content[start:start + chunk.total_compressed_size] = rng.randbytes(chunk.total_compressed_size)
    path.write_bytes(content)
    return sources, scene.rows()[:10] + scene.rows()[15:], [str(path)]  # five are lost, the others are not


def null_cells(folder, rng):
    """A picture and a box without its numbers."""
    scene = Scene(rng)
    image = scene.images[7].key

    def change(tag, table):
        if tag != "camera_image":
            return table
        column = "[CameraImageComponent].image"
        values = table[column].to_pylist()
        values[7] = None
        return table.set_column(table.schema.get_field_index(column), table.schema.field(column), pa.array(values, pa.binary()))
    rows = [r for r in scene.rows() if (r["timestamp_micros"], r["camera"]) !=
            (image.frame_timestamp_micros, CAMERAS[image.camera_name])]
    return put(folder, scene, change), rows, ["has no picture"]


def as_source(where):
    def build(folder, rng):
        scene = Scene(rng, frames=2)
        put(folder, scene)
        return [folder / "data" / where], scene.rows(), []
    return build


def main(program):
    checker = Checker(program)
    for codec in ("none", "brotli", "snappy", "zstd", "gzip", "lz4"):
        checker.case(codec, written(compression=codec))
    for rows in (1, 3, 256):
        checker.case(f"row groups of {rows}", written(row_group_size=rows, compression="brotli"))
    checker.case("page version 2", written(data_page_version="2.0", compression="zstd"))
    checker.case("no dictionary", written(use_dictionary=False, data_page_size=2000))
    checker.case("parquet 1.0", written(version="1.0", store_schema=False))
    checker.case("delta and split encodings", written(use_dictionary=False, column_encoding={
        "key.segment_context_name": "DELTA_BYTE_ARRAY"}))
    checker.case("pages with checks", written(write_page_checksum=True, write_page_index=True))
    checker.case("cameras by name", written(by_name(False)))
    checker.case("cameras by dictionary", written(by_name(True)))
    checker.case("types by name", written(types_by_name))
    checker.case("single floats", written(single_floats, single=True))
    checker.case("wide numbers", written(wide_numbers))
    checker.case("shuffled", written(shuffled))
    checker.case("no boxes file", without("camera_box", labelled=False))
    checker.case("no stats", without("stats", "vehicle_pose", facts=False))
    checker.case("no calibration", without("camera_calibration"))
    checker.case("images alone", without("stats", "vehicle_pose", "camera_calibration", "camera_box", facts=False,
                                         labelled=False))
    for build in (cameras_of_other_rigs, labels_without_images, nobody_labelled_anything, several_segments,
                  a_later_row_group_is_broken, null_cells):
        checker.case(build.__name__, build)
    checker.case("boxes empty file", a_component_is_broken("camera_box", lambda b: b"", labelled=False))
    checker.case("boxes cut", a_component_is_broken("camera_box", lambda b: b[:-40], labelled=False))
    checker.case("stats noise", a_component_is_broken("stats", lambda b: b"PAR1" + b"x" * 80 + b"PAR1", facts=False))
    checker.case("calibration cut", a_component_is_broken("camera_calibration", lambda b: b[:100]))
    for what, damage in (("empty", lambda b: b""), ("cut", lambda b: b[:len(b) // 2]), ("noise", lambda b: b"\1" * 999)):
        checker.case("images " + what, images_are_broken(damage))
    checker.case("one split as source", as_source("training"))
    checker.case("root as source", as_source(""))
    checker.finish()


if __name__ == "__main__":
    main(sys.argv[1])
