# SPDX-License-Identifier: GPL-3.0-or-later
"""The official Waymo SDK's message classes and component definitions, without the TensorFlow that its packages import."""
import importlib
import struct
import sys
import types

import pyarrow as pa
import pyarrow.parquet as pq
import waymo_open_dataset

_base = list(waymo_open_dataset.__path__)[0]
for _name in ("v2", "v2.perception", "v2.perception.utils"):
    _package = types.ModuleType("waymo_open_dataset." + _name)
    _package.__path__ = [_base + "/" + _name.replace(".", "/")]
    sys.modules[_package.__name__] = _package

from waymo_open_dataset import dataset_pb2  # noqa: E402, F401
from waymo_open_dataset.protos import metrics_pb2  # noqa: E402, F401

_parts = {name: importlib.import_module("waymo_open_dataset.v2.perception." + name)
          for name in ("base", "box", "camera_image", "context", "pose")}
box, camera_image, context, pose = (_parts[name] for name in ("box", "camera_image", "context", "pose"))

CAMERAS = {1: "FRONT", 2: "FRONT_LEFT", 3: "FRONT_RIGHT", 4: "SIDE_LEFT", 5: "SIDE_RIGHT"}
LABELS = {0: "unknown", 1: "vehicle", 2: "pedestrian", 3: "sign", 4: "cyclist"}

_table = []
for _byte in range(256):
    _crc = _byte
    for _ in range(8):
        _crc = _crc >> 1 ^ (0x82F63B78 if _crc & 1 else 0)
    _table.append(_crc)


def masked_crc(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _table[(crc ^ byte) & 255] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def record(payload):
    """One TFRecord."""
    length = struct.pack("<Q", len(payload))
    return length + struct.pack("<I", masked_crc(length)) + payload + struct.pack("<I", masked_crc(payload))


def component_table(component, rows):
    """Rows as the SDK stores them: its own column names and types."""
    flat = [row.to_flatten_dict() for row in rows]
    schema = component.schema()
    return pa.table([pa.array([row[field.name] for row in flat], field.type) for field in schema], schema=schema)


def write_component(root, split, tag, name, table, **options):
    path = root / split / tag / (name + ".parquet")
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path, **options)
    return path
