# SPDX-License-Identifier: GPL-3.0-or-later
"""Checkpoints copied away while a run goes on, and runs that go on from the copies."""
import json
import unittest

import bench

WEIGHTS = ("model.safetensors", "resume.safetensors", "trainer_state.json")


class Mirror(bench.StorageTest):
    def prepare(self):
        super().prepare()
        self.run_program("demo", "--prepare-only", "--out", "d")

    def tearDown(self):
        self.eventually(lambda: not self.mirrors(), 20)
        for pid in self.mirrors():
            bench.os.kill(pid, bench.signal.SIGKILL)
        super().tearDown()

    def mirrors(self):
        found = []
        for entry in bench.Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    words = (entry / "cmdline").read_bytes().split(b"\0")
                except OSError:
                    continue
                if b"mirror" in words and str(self.folder).encode() in b" ".join(words):
                    found.append(int(entry.name))
        return found

    def words(self, name, to, *more):
        words = ["train", "d/demo.yaml", "--set", f"output_dir=runs/{name}", "--set", "max_steps=12", "--set", "save_steps=4",
                 "--set", "save_total_limit=9"]
        return [*words, *(["--set", f"mirror_checkpoints_to={to}"] if to else []), *more]

    def events(self, name, kind):
        path = self.folder / "runs" / name / "events/mirror.jsonl"
        lines = path.read_text().splitlines() if path.exists() else []
        return [event for event in map(json.loads, lines) if event["kind"] == kind]

    def finished(self, name, seconds=60):
        return self.eventually(lambda: any(e["reason"] == "finished" for e in self.events(name, "bye")), seconds)

    def weights(self, run, step=12):
        folder = self.folder / run / f"checkpoint-{step}"
        return {name: (folder / name).read_bytes() for name in WEIGHTS if (folder / name).exists()}

    def test_a_run_goes_on_from_its_copy_to_the_same_bytes(self):
        self.run_program(*self.words("night", "s3://bucket/runs"))
        self.assertTrue(self.finished("night"), self.events("night", "warning"))
        names = self.names("runs/night/")
        complete = [n for n in names if n.endswith("/COMPLETE")]
        self.assertIn("runs/night/checkpoint-12/COMPLETE", complete)
        times = {e["checkpoint"]: e["seq"] for e in self.events("night", "mirrored")}
        self.assertIn("checkpoint-12", times)
        expected = self.weights("runs/night")
        self.assertGreater(len(expected), 1)
        earlier = sorted(int(n.split("/")[2].split("-")[1]) for n in complete)[0]
        self.assertLess(earlier, 12)
        bench.shutil.rmtree(self.folder / "runs/night")  # the machine is gone
        self.run_program("resume", f"s3://bucket/runs/night/checkpoint-{earlier}", "--into", "runs/again")
        self.assertEqual(self.weights("runs/again"), expected)
        self.assertTrue(self.finished("again"))
        _, err = self.run_program("resume", "s3://bucket/runs/night", "--into", "d", code=2)
        self.assertIn("holds something else", err)

    def test_an_outage_delays_the_copies_and_not_the_run(self):
        self.server.stop()
        self.run_program(*self.words("night", "s3://bucket/runs"))
        self.assertTrue(self.eventually(lambda: self.events("night", "warning"), 30))
        self.assertEqual(self.events("night", "mirrored"), [])
        out, _ = self.run_program("runs", "show", "runs/night")
        self.assertIn("checkpoints are not copied for now", out)
        self.server.start()
        bench.StorageTest.prepare(self)
        self.assertTrue(self.finished("night"))
        self.assertIn("runs/night/checkpoint-12/COMPLETE", self.names("runs/"))
        self.assertEqual(len(self.events("night", "warning")), 1)

    def test_a_damaged_copy_is_refused_by_name(self):
        self.run_program(*self.words("night", None))
        self.run_program("mirror", "runs/night", "--to", "s3://bucket/runs")
        key = "runs/night/checkpoint-12/model.safetensors"
        body = bytearray(self.s3.get_object(Bucket="bucket", Key=key)["Body"].read())
        body[-1] ^= 1
        self.s3.put_object(Bucket="bucket", Key=key, Body=bytes(body))
        _, err = self.run_program("resume", "s3://bucket/runs/night", "--into", "again", code=1)
        self.assertIn("model.safetensors is not what the trainer wrote", err)
        self.s3.delete_object(Bucket="bucket", Key="runs/night/checkpoint-12/COMPLETE")
        _, err = self.run_program("resume", "s3://bucket/runs/night/checkpoint-12", "--into", "again", code=2)
        self.assertIn("no complete checkpoint of step 12", err)

    def test_a_folder_is_a_place_too_and_two_runs_do_not_mix(self):
        self.run_program(*self.words("night", "copies"))
        self.assertTrue(self.finished("night"))
        self.assertTrue((self.folder / "copies/night/checkpoint-12/COMPLETE").exists())
        self.run_program(*self.words("night", "copies", "--set", "overwrite_output_dir=true"))
        self.assertTrue(self.eventually(lambda: self.events("night", "error")))
        self.assertIn("copies of another run", self.events("night", "error")[0]["message"])

    def ssh_server(self):
        """sshd on the loopback that this user's key opens; other programs find it as the host `vault`."""
        port, folder = bench.free_port(), self.folder / "ssh"
        folder.mkdir()
        bench.Path("/run/sshd").mkdir(exist_ok=True)
        for name in ("host", "user"):
            bench.subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
        (folder / "sshd_config").write_text(
            f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nAuthorizedKeysFile {folder}/user.pub\n"
            "PermitRootLogin yes\nStrictModes no\nUsePAM no\nPidFile none\n")
        (folder / "known").write_text(f"[127.0.0.1]:{port} {(folder / 'host.pub').read_text()}")
        (folder / "config").write_text(f"Host vault\n  HostName 127.0.0.1\n  Port {port}\n  User root\n"
                                       f"  IdentityFile {folder}/user\n  UserKnownHostsFile {folder}/known\n")
        server = bench.subprocess.Popen(["/usr/sbin/sshd", "-D", "-f", folder / "sshd_config", "-E", folder / "log"])
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        self.assertTrue(self.eventually(lambda: b"listening" in ((folder / "log").read_bytes() if (folder / "log").exists()
                                                                  else b"")))
        return {"ROADTUNE_SSH_CONFIG": str(folder / "config")}

    @unittest.skipUnless(bench.os.geteuid() == 0 and bench.Path("/usr/sbin/sshd").exists(), "needs root and sshd")
    def test_another_machine_is_a_place_too(self):
        how = self.ssh_server()
        self.run_program(*self.words("night", f"vault:{self.folder}/vault", "--set", "save_steps=6"), **how)
        self.assertTrue(self.finished("night", 150), self.events("night", "warning"))
        expected = self.weights("runs/night")
        self.assertEqual(self.weights("vault/night"), expected)
        bench.shutil.rmtree(self.folder / "runs/night")
        self.run_program("resume", f"vault:{self.folder}/vault/night/checkpoint-6", "--into", "again", **how)
        self.assertEqual(self.weights("again"), expected)

    def test_a_missing_bucket_is_told_in_the_run(self):
        self.run_program(*self.words("night", "s3://nowhere/runs"))
        self.assertTrue(self.eventually(lambda: self.events("night", "error")))
        self.assertIn("no such bucket", self.events("night", "error")[0]["message"])


if __name__ == "__main__":
    bench.main()
