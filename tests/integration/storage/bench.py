# SPDX-License-Identifier: GPL-3.0-or-later
"""A S3-compatible server on the loopback, and `roadtune` as a user with credentials for it runs it."""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import boto3
from botocore.config import Config

PROGRAM = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None
SECRET = "canary-T7hQz0xW9vLk3sPfRb2nYd"  # must be found in no file
KEY = "AKIDEXAMPLEEXAMPLE01"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Server:
    """moto's server as a process of its own, so that it can be stopped, frozen and started again."""

    def __init__(self, **environment):
        self.port = free_port()
        self.environment = environment
        self.process = None
        self.start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **self.environment})
        for _ in range(600):
            with socket.socket() as s:
                if s.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise RuntimeError("the server does not start")

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def client(self, name="s3", key=KEY, secret=SECRET):
        return boto3.client(name, endpoint_url=self.address, aws_access_key_id=key, aws_secret_access_key=secret,
                            region_name="us-east-1", config=Config(retries={"max_attempts": 2}))


class StorageTest(unittest.TestCase):
    """One server and one folder per test; afterwards the secret must be in no file below the folder."""
    server_class, server_environment = Server, {}

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="roadtune-storage-"))
        self.server = self.server_class(**self.server_environment)
        self.outputs = []
        self.prepare()

    def prepare(self):
        self.s3 = self.server.client()
        self.s3.create_bucket(Bucket="bucket")

    def tearDown(self):
        self.server.stop()
        for text in self.outputs:
            self.assertNotIn(SECRET, text)
        for path in self.folder.rglob("*"):
            if path.is_file() and not path.is_symlink():
                self.assertNotIn(SECRET.encode(), path.read_bytes(), f"the secret is in {path}")
        shutil.rmtree(self.folder)

    def environment(self, **more):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
        return {**kept, "HOME": str(self.folder / "home"), "XDG_CACHE_HOME": str(self.folder / "cache"),
                "XDG_CONFIG_HOME": str(self.folder / "config"), "XDG_RUNTIME_DIR": str(self.folder),
                "AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_ENDPOINT_URL": self.server.address,
                "AWS_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true", **more}

    def start(self, *words, **environment):
        return subprocess.Popen([str(PROGRAM), *map(str, words)], cwd=self.folder, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, env=self.environment(**environment))

    def run_program(self, *words, code=0, timeout=200, **environment):
        process = self.start(*words, **environment)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
        self.outputs += [out, err]
        self.assertEqual(process.returncode, code, f"roadtune {' '.join(map(str, words))}\n{out}\n{err}")
        return out, err

    def names(self, prefix=""):
        pages = self.s3.get_paginator("list_objects_v2").paginate(Bucket="bucket", Prefix=prefix)
        return sorted(item["Key"] for page in pages for item in page.get("Contents", []))

    def upload(self, folder, prefix):
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file():
                self.s3.upload_file(str(path), "bucket", f"{prefix}/{path.relative_to(folder)}")

    def eventually(self, condition, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if condition():
                return True
            time.sleep(0.05)
        return False

    def scenes(self, name="scenes", segments=2, frames=3):
        self.run_program("data", "synth", "--out", name, "--format", "waymo-v1", "--segments", segments, "--frames", frames,
                         "--seed", 4, "--scale", 0.1)
        return self.folder / name


def main():
    sys.argv = sys.argv[:1]
    unittest.main(verbosity=2)
