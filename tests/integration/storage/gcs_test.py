# SPDX-License-Identifier: GPL-3.0-or-later
"""The same through Google's interface, against an emulator of its storage."""
import json
import subprocess
import sys
import time
from pathlib import Path

import bench


class Emulator(bench.Server):
    def start(self):
        self.process = subprocess.Popen(
            [Path(sys.executable).parent / "gcp-storage-emulator", "start", "--host=127.0.0.1", f"--port={self.port}",
             "--in-memory", "--default-bucket=bucket"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            with bench.socket.socket() as s:
                if s.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise RuntimeError("the emulator does not start")


class Google(bench.StorageTest):
    server_class = Emulator

    def prepare(self):
        self.scenes()
        self.run_program("data", "index", "scenes", "--out", "index")

    def environment(self, **more):
        return super().environment(STORAGE_EMULATOR_HOST=self.server.address, AWS_ENDPOINT_URL="", **more)

    def test_packs_go_there_and_come_back(self):
        words = ["--model-size", 56, "--shard-mb", 1, "--pictures", "raw"]
        self.run_program("data", "pack", "index", "--out", "gs://bucket/pack", *words)
        self.run_program("data", "pack", "index", "--out", "local", *words)
        out, _ = self.run_program("data", "fetch", "gs://bucket/pack")
        for shard in (self.folder / "local/shards").iterdir():
            self.assertEqual((Path(out.strip()) / "shards" / shard.name).read_bytes(), shard.read_bytes())
        _, err = self.run_program("data", "fetch", "gs://bucket/pack")
        self.assertIn("all of it is in", err)
        out, _ = self.run_program("data", "pack", "index", "--out", "gs://bucket/pack", *words, "--json")
        self.assertEqual(json.loads(out)["kept_shards"], json.loads(out)["shards"])

    def test_exports_are_indexed_from_there(self):
        self.run_program("data", "export", "index", "--format", "coco", "--images", "gs://bucket/set/images", "--out",
                         "gs://bucket/set/labels.json")
        self.run_program("data", "index", "gs://bucket/set/labels.json", "--out", "again")
        out, _ = self.run_program("data", "query", "again", "", "--count")
        self.assertEqual(int(out), 30)

    def test_what_is_not_there_is_told(self):
        _, err = self.run_program("data", "fetch", "gs://nowhere/x", code=2)
        self.assertIn("gs://nowhere: there is no such bucket", err)
        _, err = self.run_program("data", "fetch", "gs://bucket/x", code=2)
        self.assertIn("nothing at this address", err)
        self.server.stop()
        _, err = self.run_program("data", "fetch", "gs://bucket/x", code=1)
        self.assertIn("STORAGE_EMULATOR_HOST", err)


if __name__ == "__main__":
    bench.main()
