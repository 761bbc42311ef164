# SPDX-License-Identifier: GPL-3.0-or-later
"""What `data synth` writes, read with the official SDK's messages and components: the same as our own index tells."""
import struct
import subprocess
import sys

import pyarrow.parquet as pq
from google.protobuf.unknown_fields import UnknownFieldSet

from checking import Checker
from waymo_sdk import CAMERAS, LABELS, box, camera_image, context, dataset_pb2, masked_crc, metrics_pb2, pose
from waymo_v1_test import rows_of


def records(path):
    content, at = path.read_bytes(), 0
    while at < len(content):
        (length,) = struct.unpack_from("<Q", content, at)
        assert struct.unpack_from("<I", content, at + 8)[0] == masked_crc(content[at:at + 8])
        yield content[at + 12:at + 12 + length]
        at += length + 16


def synth(program, out, form):
    subprocess.run([program, "data", "synth", "--out", out, "--format", form, "--segments", "2", "--frames", "2",
                    "--scale", "0.05", "--seed", "3", "--split", "training"], check=True, capture_output=True)


def v1(program):
    def build(folder, rng):
        synth(program, folder / "data", "waymo-v1")
        rows = []
        for path in sorted((folder / "data").rglob("*.tfrecord")):
            for payload in records(path):
                frame = dataset_pb2.Frame.FromString(payload)
                assert frame.IsInitialized() and not len(UnknownFieldSet(frame)) and len(frame.pose.transform) == 16
                rows += rows_of(frame, "training")
        assert len(rows) == 20
        return [folder / "data"], rows, []
    return build


def read(root, component, tag):
    """Every row as the SDK's own object; the file's types are the component's."""
    out = []
    for path in sorted((root / "training" / tag).glob("*.parquet")):
        table = pq.read_table(path)
        wanted = {f.name: f.type for f in component.schema()}
        assert {n: table.schema.field(n).type for n in wanted} == wanted, (tag, table.schema)
        out += [component.from_dict(row) for row in table.select(list(wanted)).to_pylist()]
    return out


def v2(program):
    def build(folder, rng):
        synth(program, folder / "data", "waymo-v2")
        root = folder / "data"
        images = read(root, camera_image.CameraImageComponent, "camera_image")
        boxes = read(root, box.CameraBoxComponent, "camera_box")
        stats = {(s.key.segment_context_name, s.key.frame_timestamp_micros): s
                 for s in read(root, context.StatsComponent, "stats")}
        sizes = {(c.key.segment_context_name, c.key.camera_name): (c.width, c.height)
                 for c in read(root, context.CameraCalibrationComponent, "camera_calibration")}
        assert len(read(root, pose.VehiclePoseComponent, "vehicle_pose")) == 4
        for component, tag in ((box.LiDARBoxComponent, "lidar_box"), (box.ProjectedLiDARBoxComponent, "projected_lidar_box"),
                               (box.CameraToLiDARBoxAssociationComponent, "camera_to_lidar_box_association")):
            read(root, component, tag)
        rows = []
        for image in images:
            key = image.key
            found = [b for b in boxes if (b.key.segment_context_name, b.key.frame_timestamp_micros, b.key.camera_name) ==
                     (key.segment_context_name, key.frame_timestamp_micros, key.camera_name)]
            fact = stats[key.segment_context_name, key.frame_timestamp_micros]
            width, height = sizes[key.segment_context_name, key.camera_name]
            rows.append({"segment": key.segment_context_name, "timestamp_micros": key.frame_timestamp_micros,
                         "camera": CAMERAS[key.camera_name], "split": "training", "width": width, "height": height,
                         "time_of_day": fact.time_of_day, "location": fact.location, "weather": fact.weather,
                         "labelled": True, "jpeg": image.image, "boxes": [one(b) for b in found]})
        assert len(rows) == 20
        return [root], rows, []
    return build


def one(b):
    d = b.difficulty_level
    return {"id": b.key.camera_object_id, "label": LABELS[b.type], "x1": b.box.center.x - b.box.size.x / 2,
            "y1": b.box.center.y - b.box.size.y / 2, "x2": b.box.center.x + b.box.size.x / 2,
            "y2": b.box.center.y + b.box.size.y / 2,
            "detection_difficulty": "LEVEL_2" if d and d.detection == 2 else "LEVEL_1",
            "tracking_difficulty": "LEVEL_2" if d and d.tracking == 2 else "LEVEL_1"}


def main(program):
    checker = Checker(program, metrics_pb2.Objects)
    checker.case("waymo-v1", v1(program))
    checker.case("waymo-v2", v2(program))
    checker.finish()


if __name__ == "__main__":
    main(sys.argv[1])
