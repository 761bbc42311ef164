# SPDX-License-Identifier: GPL-3.0-or-later
"""Data that comes from and goes to object storage."""
import json
import signal
import unittest

import bench


class Data(bench.StorageTest):
    def index(self):
        self.scenes()
        self.run_program("data", "index", "scenes", "--out", "index")

    def pack(self, out, *more, **how):
        return self.run_program("data", "pack", "index", "--out", out, "--model-size", 56, "--shard-mb", 1, "--pictures",
                                "raw", "--json", *more, **how)

    def test_an_index_of_stored_recordings_is_that_of_local_ones(self):
        scenes = self.scenes()
        self.run_program("data", "index", "scenes", "--out", "here")
        self.upload(scenes, "waymo")
        _, err = self.run_program("data", "index", "s3://bucket/waymo/", "--out", "there")
        self.assertIn("s3://bucket/waymo: ", err)  # the size comes first
        self.assertIn("to fetch into", err)
        for name in ("here", "there"):
            self.run_program("data", "export", name, "--format", "jsonl", "--hash", "--out", name + ".jsonl")
        self.assertEqual((self.folder / "here.jsonl").read_bytes(), (self.folder / "there.jsonl").read_bytes())

    def test_what_is_here_and_unchanged_is_neither_fetched_nor_read_again(self):
        scenes = self.scenes()
        self.upload(scenes, "waymo")
        self.run_program("data", "index", "s3://bucket/waymo", "--out", "index")
        out, err = self.run_program("data", "index", "s3://bucket/waymo", "--out", "index", "--json")
        self.assertIn("all of it is in", err)
        self.assertEqual((json.loads(out)["unchanged"], json.loads(out)["imported"]), (2, 0))
        gone = self.names("waymo")[0]
        self.s3.delete_object(Bucket="bucket", Key=gone)
        out, _ = self.run_program("data", "fetch", "s3://bucket/waymo")
        cached = bench.Path(out.strip())
        self.assertEqual(sorted(p.name for p in cached.rglob("*.tfrecord")), [n.split("/")[-1] for n in self.names("waymo")])

    def test_an_interrupted_fetch_goes_on_inside_a_large_object(self):
        content = bytes(range(256)) * 4096 * 48  # 50 MB
        self.s3.put_object(Bucket="bucket", Key="big/one.bin", Body=content)
        process = self.start("data", "fetch", "s3://bucket/big", "--progress", "json")
        for line in process.stderr:
            if line.startswith("{") and 0 < json.loads(line)["done"] < len(content):
                break
        process.send_signal(signal.SIGINT)
        process.communicate()
        self.assertEqual(process.returncode, 130)
        parts = list((self.folder / "cache").rglob("*.part"))
        self.assertEqual(len(parts), 1)
        begun = parts[0].stat().st_size
        self.assertGreater(begun, 0)
        out, err = self.run_program("data", "fetch", "s3://bucket/big", "--progress", "json")
        self.assertEqual((bench.Path(out.strip()) / "one.bin").read_bytes(), content)
        first = next(json.loads(line)["done"] for line in err.splitlines() if line.startswith("{"))
        self.assertGreaterEqual(first, begun)

    def test_a_pack_in_storage_is_the_pack_on_disk(self):
        self.index()
        self.pack("local")
        self.pack("s3://bucket/pack")
        names = [n.removeprefix("pack/") for n in self.names("pack/")]
        local = [str(p.relative_to(self.folder / "local")) for p in (self.folder / "local").rglob("*") if p.is_file()]
        self.assertEqual(names, sorted(local))
        for name in names:
            if name.startswith("shards/"):
                body = self.s3.get_object(Bucket="bucket", Key=f"pack/{name}")["Body"].read()
                self.assertEqual(body, (self.folder / "local" / name).read_bytes(), name)
        out, _ = self.run_program("data", "fetch", "s3://bucket/pack")
        for pack in ("local", out.strip()):
            self.run_program("data", "export", pack, "--format", "jsonl", "--hash", "--out", "rows.jsonl")
            rows = [{k: v for k, v in json.loads(line).items() if k != "image"}
                    for line in (self.folder / "rows.jsonl").read_text().splitlines()]
            expected = rows if pack == "local" else expected
        self.assertEqual(rows, expected)
        self.assertEqual([p for p in (self.folder / "cache/roadtune/storage").iterdir() if p.name.startswith("packing-")], [])

    def interrupted_pack(self, how):
        self.scenes(segments=8, frames=12)
        self.run_program("data", "index", "scenes", "--out", "index")
        process = self.start("data", "pack", "index", "--out", "s3://bucket/pack", "--model-size", 112, "--shard-mb", 1,
                             "--pictures", "raw", "--jobs", 1)
        self.assertTrue(self.eventually(lambda: len([n for n in self.names("pack/") if n.endswith(".places")]) >= 2))
        process.send_signal(how)
        process.communicate()
        self.assertNotIn("pack/catalogue.json", self.names("pack/"))
        return len([n for n in self.names("pack/") if n.endswith(".places")])

    def finish_pack(self):
        out, _ = self.run_program("data", "pack", "index", "--out", "s3://bucket/pack", "--model-size", 112, "--shard-mb", 1,
                                  "--pictures", "raw", "--json")
        return json.loads(out)

    def test_an_interrupted_pack_is_no_pack_and_goes_on_behind_its_shards(self):
        for how in (signal.SIGINT, signal.SIGKILL):
            with self.subTest(how=how.name):
                kept = self.interrupted_pack(how)
                _, err = self.run_program("data", "fetch", "s3://bucket/pack", code=2)
                self.assertIn("not finished", err)
                outcome = self.finish_pack()
                self.assertGreaterEqual(outcome["kept_shards"], kept - 1)
                self.assertGreater(outcome["kept_shards"], 0)
                self.assertGreater(outcome["shards"], outcome["kept_shards"])
                self.run_program("data", "pack", "index", "--out", "whole", "--model-size", 112, "--shard-mb", 1,
                                 "--pictures", "raw")
                for shard in sorted((self.folder / "whole/shards").glob("*")):
                    body = self.s3.get_object(Bucket="bucket", Key=f"pack/shards/{shard.name}")["Body"].read()
                    self.assertEqual(body, shard.read_bytes(), shard.name)
                for key in self.names():
                    self.s3.delete_object(Bucket="bucket", Key=key)
                for name in ("index", "whole", "scenes"):
                    bench.shutil.rmtree(self.folder / name)

    def test_other_objects_and_other_packs_are_not_overwritten(self):
        self.index()
        self.s3.put_object(Bucket="bucket", Key="mine/notes.txt", Body=b"x")
        _, err = self.pack("s3://bucket/mine", code=2)
        self.assertIn("holds other objects", err)
        self.pack("s3://bucket/pack")
        _, err = self.pack("s3://bucket/pack", "--query", "camera=front", code=2)
        self.assertIn("other images or settings", err)
        self.assertIn("s3://bucket/pack", err)

    def test_an_export_with_pictures_comes_back_as_it_was(self):
        self.index()
        self.run_program("data", "export", "index", "--format", "paligemma", "--images", "s3://bucket/set/pictures", "--out",
                         "s3://bucket/set/train.jsonl")
        rows = self.s3.get_object(Bucket="bucket", Key="set/train.jsonl")["Body"].read().decode().splitlines()
        self.assertEqual(len(self.names("set/pictures/")), len(rows))
        self.assertIn("set/" + json.loads(rows[0])["image"], self.names("set/"))
        self.s3.put_object(Bucket="bucket", Key="set/unrelated.bin", Body=b"x" * 100)
        out, _ = self.run_program("data", "fetch", "s3://bucket/set/train.jsonl")  # and the pictures it names
        fetched = bench.Path(out.strip())
        self.assertTrue(all((fetched.parent / json.loads(row)["image"]).exists() for row in rows))
        self.assertFalse((fetched.parent / "unrelated.bin").exists())
        self.run_program("data", "index", "s3://bucket/set/train.jsonl", "--out", "again")
        out, _ = self.run_program("data", "query", "again", "", "--count")
        self.assertEqual(int(out), len(rows))


if __name__ == "__main__":
    bench.main()
