# SPDX-License-Identifier: GPL-3.0-or-later
"""TFRecords that the official SDK's own messages wrote, in shapes that only some recordings have."""
import struct
import sys

from checking import Checker, picture
from waymo_sdk import CAMERAS, LABELS, dataset_pb2, record


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def add_label(labels, rng, number):
    label = labels.labels.add(type=rng.choice([0, 1, 1, 2, 3, 4]), id=f"{number:08x}-0000-4000-8000-{rng.randrange(1 << 40):012x}")
    label.box.center_x, label.box.center_y = rng.uniform(0, 48), rng.uniform(0, 32)
    label.box.length, label.box.width = rng.uniform(0.3, 60), rng.uniform(0.3, 60)
    if rng.random() < 0.4:
        label.detection_difficulty_level = rng.choice([0, 1, 2])
    if rng.random() < 0.4:
        label.tracking_difficulty_level = rng.choice([0, 1, 2])
    if rng.random() < 0.3:
        label.association.laser_object_id = "x" * 22
    return label


def make_frame(rng, name, number, cameras=(1, 2, 4, 3, 5), labelled=None, size=(48, 32), calibrated=True, time=None):
    frame = dataset_pb2.Frame(timestamp_micros=time if time is not None else 1_500_000_000_000_000 + number * 100_000)
    frame.context.name = name
    frame.context.stats.time_of_day, frame.context.stats.location = "Dawn/Dusk", "location_sf"
    frame.context.stats.weather = "rain"
    frame.pose.transform.extend([1, 0, 0, number * 2.0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
    for camera in cameras:
        if calibrated:
            frame.context.camera_calibrations.add(name=camera, width=size[0], height=size[1],
                                                  intrinsic=[rng.random() for _ in range(9)])
        image = frame.images.add(name=camera, image=picture(rng, *size), pose_timestamp=1.5)
        image.pose.transform.extend([float(i) for i in range(16)])
        image.velocity.v_x, image.velocity.w_z = 1.0, 2.0
    laser = frame.lasers.add(name=1)
    laser.ri_return1.range_image_compressed = rng.randbytes(300)
    for _ in range(3):
        label = frame.laser_labels.add(type=1, id="l" * 22)
        label.box.center_x = label.box.length = label.box.width = label.box.height = label.box.heading = 1.5
    for camera in (cameras if labelled is None else labelled):
        labels = frame.camera_labels.add(name=camera)
        projected = frame.projected_lidar_labels.add(name=camera)
        for i in range(rng.choice([0, 0, 1, 2, 5])):
            add_label(labels, rng, i)
            add_label(projected, rng, i)
    return frame


def level(value):
    return "LEVEL_2" if value == 2 else "LEVEL_1"


def rows_of(frame, split=""):
    """What a plain reading of the message says about its images."""
    entries = {}
    for labels in frame.camera_labels:
        entries.setdefault(labels.name, []).extend(labels.labels)
    rows = []
    for image in frame.images:
        if image.name not in CAMERAS or not image.image:
            continue
        sizes = [(c.width, c.height) for c in frame.context.camera_calibrations if c.name == image.name]
        width, height = sizes[0] if sizes else (48, 32)
        boxes = [{"id": l.id, "label": LABELS[l.type], "x1": l.box.center_x - l.box.length / 2,
                  "y1": l.box.center_y - l.box.width / 2, "x2": l.box.center_x + l.box.length / 2,
                  "y2": l.box.center_y + l.box.width / 2, "detection_difficulty": level(l.detection_difficulty_level),
                  "tracking_difficulty": level(l.tracking_difficulty_level)} for l in entries.get(image.name, [])]
        rows.append({"segment": frame.context.name, "timestamp_micros": frame.timestamp_micros,
                     "camera": CAMERAS[image.name], "split": split, "width": width, "height": height,
                     "time_of_day": frame.context.stats.time_of_day, "location": frame.context.stats.location,
                     "weather": frame.context.stats.weather, "labelled": image.name in entries, "boxes": boxes,
                     "jpeg": image.image})
    return rows


NAME = "10023947602400723454_1120_000_1140_000"


def write(folder, content, file="segment-" + NAME + "_with_camera_labels.tfrecord"):
    path = folder / "data" / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def simple(file, split, place=""):
    def build(folder, rng):
        frames = [make_frame(rng, NAME, i) for i in range(3)]
        write(folder, b"".join(record(f.SerializeToString()) for f in frames), place + file)
        return [folder / "data"], [r for f in frames for r in rows_of(f, split)], []
    return build


def odd_cameras(folder, rng):
    shapes = [dict(cameras=(1,), labelled=()), dict(cameras=(5, 1, 3), labelled=(3,)),
              dict(cameras=(8, 6, 2, 7), labelled=(2, 6, 7)), dict(cameras=(4,), labelled=(1, 2, 3, 4, 5)),
              dict(cameras=(1, 2, 3, 4, 5), calibrated=False), dict(cameras=(2, 1), labelled=())]
    frames = [make_frame(rng, NAME, i, **shape) for i, shape in enumerate(shapes)]
    write(folder, b"".join(record(f.SerializeToString()) for f in frames))
    rows = [r for f in frames for r in rows_of(f)]
    return [folder / "data"], rows, []


def no_calibration_at_all(folder, rng):
    frames = [make_frame(rng, NAME, i, calibrated=False) for i in range(2)]
    write(folder, b"".join(record(f.SerializeToString()) for f in frames))
    return [folder / "data"], [r for f in frames for r in rows_of(f)], []


def unordered_and_two_contexts(folder, rng):
    frames = [make_frame(rng, name, i) for i in (5, 1, 3) for name in ("2_2_2_2_2", "1_1_1_1_1")]
    rng.shuffle(frames)
    write(folder, b"".join(record(f.SerializeToString()) for f in frames))
    return [folder / "data"], [r for f in frames for r in rows_of(f)], []


def packed_and_unknown(folder, rng):
    """Transforms packed, unknown fields of every wire type at every level, split messages, fields out of order."""
    frame = make_frame(rng, NAME, 0)
    plain = make_frame(rng, NAME, 1)
    rows = rows_of(frame) + rows_of(plain)
    packed = field(1, struct.pack("<16d", *frame.pose.transform))
    junk = varint(900 << 3) + varint(1 << 63) + varint(901 << 3 | 1) + b"12345678" + varint(902 << 3 | 5) + b"1234"
    junk += field(903, b"anything") + varint(904 << 3 | 3) + field(1, b"inner") + varint(904 << 3 | 4)
    frame.ClearField("pose")
    images, labels = list(frame.images), list(frame.camera_labels)
    context = frame.context.SerializeToString()
    frame.ClearField("images")
    frame.ClearField("camera_labels")
    frame.ClearField("context")
    out = junk
    for entry in labels:  # in front of the images, with unknown fields inside, an entry in two parts
        half = len(entry.labels) // 2
        for part in (entry.labels[:half], entry.labels[half:]):
            body = junk + varint(1 << 3) + varint(entry.name)
            for label in part:
                body += field(2, junk + label.SerializeToString() + junk)
            out += field(8, body + junk)
    for image in images:
        pose = field(3, field(1, struct.pack("<16d", *image.pose.transform)))
        image.ClearField("pose")
        out += field(4, junk + image.SerializeToString() + pose + junk)
    out += frame.SerializeToString() + field(3, packed) + field(1, junk + context)
    write(folder, record(out) + record(plain.SerializeToString()))
    return [folder / "data"], rows, []


def broken(name, damage, lost, problem):
    """damage(list of records) -> bytes; `lost` frames are not there."""
    def build(folder, rng):
        frames = [make_frame(rng, NAME, i) for i in range(5)]
        path = write(folder, damage([bytearray(record(f.SerializeToString())) for f in frames]))
        rows = [r for i, f in enumerate(frames) if i not in lost for r in rows_of(f)]
        return [folder / "data"], rows, [str(path), problem]
    build.__name__ = name
    return build


def flipped(number, at):
    def damage(records):
        records[number][at] ^= 0x10
        return b"".join(records)
    return damage


def lidar_damage(folder, rng):
    """A wrong bit among lidar bytes costs nothing: nobody reads them."""
    frames = [make_frame(rng, NAME, i) for i in range(2)]
    records = [bytearray(record(f.SerializeToString())) for f in frames]
    at = records[0].find(frames[0].lasers[0].ri_return1.range_image_compressed)
    records[0][at + 20] ^= 4
    write(folder, b"".join(records))
    return [folder / "data"], [r for f in frames for r in rows_of(f)], []


def beside_good_ones(folder, rng):
    frames = [make_frame(rng, NAME, i) for i in range(2)]
    write(folder, b"".join(record(f.SerializeToString()) for f in frames))
    empty = write(folder, b"", "segment-1_empty.tfrecord")
    noise = write(folder, rng.randbytes(4000), "segment-2_noise.tfrecord")
    other = write(folder, record(b"\x0a\x03abc") + record(b""), "segment-3_no_frames.tfrecord")
    return [folder / "data"], [r for f in frames for r in rows_of(f)], [str(empty), str(noise), str(other)]


def missing_picture(folder, rng):
    frames = [make_frame(rng, NAME, i) for i in range(2)]
    frames[0].images[2].ClearField("image")
    write(folder, b"".join(record(f.SerializeToString()) for f in frames))
    return [folder / "data"], [r for f in frames for r in rows_of(f)], ["SIDE_LEFT"]


def odd_boxes(folder, rng):
    """Far outside, of no size, unknown types and levels."""
    frame = make_frame(rng, NAME, 0, cameras=(1, 2), labelled=(1, 2))
    del frame.camera_labels[0].labels[:]
    for x, y, w, h in ((-500.25, -3, 10, 10), (2500.125, 1300, 700.5, 0), (5, 5, 0, 0), (1e5, 10, 3, 3)):
        label = frame.camera_labels[0].labels.add(type=1, id=str(x))
        label.box.center_x, label.box.center_y, label.box.length, label.box.width = x, y, w, h
    bare = frame.camera_labels[0].labels.add()
    bare.box.center_x = 3
    write(folder, record(frame.SerializeToString()))
    return [folder / "data"], rows_of(frame), []


def main(program):
    checker = Checker(program)
    labelled = "segment-" + NAME + "_with_camera_labels.tfrecord"
    checker.case("plain", simple(labelled, ""))
    checker.case("split by folder", simple(labelled, "validation", "validation/"))
    checker.case("split by prefix", simple("individual_files_training_" + labelled, "training"))
    checker.case("split by flag", simple(labelled, "own"), "--split", "own")
    checker.case("without the suffix", simple("segment-" + NAME + ".tfrecord", ""))
    for build in (odd_cameras, no_calibration_at_all, unordered_and_two_contexts, packed_and_unknown, lidar_damage,
                  beside_good_ones, missing_picture, odd_boxes):
        checker.case(build.__name__, build)
    checker.case("payload", broken("payload", flipped(2, 700), {2}, "CRC"))
    checker.case("payload CRC", broken("payload_crc", flipped(1, -2), {1}, "CRC"))
    checker.case("length", broken("length", flipped(3, 1), {3}, "length CRC"))
    checker.case("length CRC", broken("length_crc", flipped(0, 9), {0}, "length CRC"))
    checker.case("cut in a payload", broken("cut", lambda r: b"".join(r)[:-900], {4}, "announced"))
    checker.case("cut in a header", broken("cut_header", lambda r: b"".join(r[:4]) + r[4][:7], {4}, "header"))
    checker.case("zeros at the end", broken("zeros", lambda r: b"".join(r[:3]) + bytes(4096), {3, 4}, "offset"))
    checker.case("noise between", broken("noise", lambda r: b"".join(r[:2]) + b"!" * 999 + b"".join(r[2:]), set(), "offset"))
    checker.case("bytes lost", broken("lost", lambda r: b"".join(r)[:900] + b"".join(r)[925:], {0}, "CRC"))
    checker.case("bytes added", broken("added", lambda r: b"".join(r[:2]) + r[2][:500] + b"more" * 9 + r[2][500:] +
                                       b"".join(r[3:]), {2}, "CRC"))
    checker.case("only empty", lambda folder, rng: ([write(folder, b"")], [], ["empty"]))
    checker.finish()


if __name__ == "__main__":
    main(sys.argv[1])
