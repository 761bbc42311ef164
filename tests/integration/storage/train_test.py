# SPDX-License-Identifier: GPL-3.0-or-later
"""Training on data that lies in object storage, and what doctor says about reading it."""
import json

import bench


class Train(bench.StorageTest):
    def prepare(self):
        super().prepare()
        self.run_program("demo", "--prepare-only", "--out", "d")

    def train(self, name, data, *more, **how):
        return self.run_program("train", "d/demo.yaml", "--set", f"train_data={data}", "--set", f"output_dir=runs/{name}",
                                "--set", "max_steps=4", "--set", "save_steps=4", *more, **how)

    def losses(self, name):
        events = (self.folder / "runs" / name / "events/rank-000.jsonl").read_text().splitlines()
        return [event["loss"] for event in map(json.loads, events) if event["kind"] == "step"]

    def test_shards_in_storage_teach_what_shards_on_disk_teach(self):
        for out in ("pack", "s3://bucket/pack"):
            self.run_program("data", "pack", "d/index", "--out", out, "--model-size", 112, "--pictures", "raw")
        self.train("local", "pack")
        _, err = self.train("stored", "s3://bucket/pack")
        self.assertIn("s3://bucket/pack: ", err)
        self.assertEqual(self.losses("stored"), self.losses("local"))
        self.assertIn("train_data: s3://bucket/pack", (self.folder / "runs/stored/run.yaml").read_text())
        for step_file in ("model.safetensors",):
            a, b = (next((self.folder / "runs" / n / "checkpoint-4").glob(step_file)) for n in ("local", "stored"))
            self.assertEqual(a.read_bytes(), b.read_bytes())
        out, _ = self.run_program("doctor", "runs/stored", "--json")
        read = json.loads(out)["reads"][0]
        self.assertEqual(read["source"], "s3://bucket/pack")
        self.assertGreater(read["bytes_per_second"], 0)
        out, _ = self.run_program("doctor", "runs/stored")
        self.assertIn("Reading the data", out)
        (self.folder / "fleet.yaml").write_text((self.folder / "runs/stored/run.yaml").read_text())
        out, _ = self.run_program("fleet", "check", "--config", "fleet.yaml", "--json")
        check = next(c for c in json.loads(out)["hosts"][0]["checks"] if c["name"] == "reads s3://bucket/pack")
        self.assertIn("s3: ", check["value"])
        # The cache may be emptied between two lives of a run.
        bench.shutil.rmtree(self.folder / "cache")
        self.run_program("config", "check", "runs/stored/run.yaml")
        self.run_program("resume", "runs/stored")

    def test_recordings_and_annotations_in_storage_are_indexed_for_the_run(self):
        self.upload(self.folder / "d/scenes", "waymo")
        self.run_program("data", "export", "d/index", "--format", "coco", "--images", "s3://bucket/set/images", "--out",
                         "s3://bucket/set/labels.json")
        for name, data in (("tfrecord", "s3://bucket/waymo"), ("coco", "s3://bucket/set/labels.json")):
            self.train(name, data)
            self.assertEqual(len(self.losses(name)), 4)

    def test_data_that_is_not_there_stops_before_a_run_is_made(self):
        _, err = self.train("none", "s3://bucket/none", code=2)
        self.assertIn("s3://bucket/none: there is nothing at this address", err)
        self.assertFalse((self.folder / "runs/none/run.yaml").exists())
        self.server.stop()
        _, err = self.train("down", "s3://bucket/none", code=1)
        self.assertIn("cannot be reached", err)


if __name__ == "__main__":
    bench.main()
