# SPDX-License-Identifier: GPL-3.0-or-later
"""Checkpoints copied away while a run goes on, and runs that go on from the copies."""
import contextlib
import json
import unittest

import bench

HAS_SSHD = bench.os.geteuid() == 0 and bench.Path("/usr/sbin/sshd").exists()
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

    @contextlib.contextmanager
    def mirrors_halted(self):
        pids = self.mirrors()
        for pid in pids:
            bench.os.kill(pid, bench.signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in pids:
                bench.os.kill(pid, bench.signal.SIGCONT)

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
        for place, said in (("runs", "is where the run itself lies"), ("s3://", "names no bucket")):
            _, err = self.run_program("mirror", "runs/night", "--to", place, code=2)
            self.assertIn(said, err)
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
        with self.mirrors_halted():  # or one sees a server whose bucket is not there yet, and gives up as it should
            self.server.start()
            bench.StorageTest.prepare(self)
        self.assertTrue(self.finished("night", 150), self.events("night", "error"))
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
        bench.shutil.rmtree(self.folder / "runs/night")
        self.run_program("resume", "copies/night/checkpoint-8", "--progress", "none")
        self.assertTrue((self.folder / "runs/night/checkpoint-12/COMPLETE").exists(), "it goes on where it was")
        self.assertFalse((self.folder / "copies/night/logs").exists(), "and not in its copy")
        self.run_program("resume", "copies/night/checkpoint-8", "--into", "again", "--progress", "none")
        self.assertTrue((self.folder / "again/checkpoint-12/COMPLETE").exists())
        self.run_program(*self.words("night", "copies", "--set", "overwrite_output_dir=true"))
        self.assertTrue(self.eventually(lambda: self.events("night", "error")))
        self.assertIn("copies of another run", self.events("night", "error")[0]["message"])

    def ssh_servers(self, *names):
        """A sshd on the loopback per name, each with a home of its own; programs find it by that name."""
        folder = self.folder / "ssh"
        folder.mkdir()
        bench.Path("/run/sshd").mkdir(exist_ok=True)
        for key in ("user", *names):
            bench.subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / key], check=True)
        config, known = "", ""
        for name in names:
            port, home, log = bench.free_port(), self.folder / f"{name}-home", folder / f"{name}.log"
            home.mkdir()
            (folder / f"{name}.conf").write_text(
                f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/{name}\nAuthorizedKeysFile {folder}/user.pub\n"
                f"PermitRootLogin yes\nStrictModes no\nUsePAM no\nPidFile none\nMaxStartups 100\nSetEnv HOME={home}\n")
            known += f"[127.0.0.1]:{port} {(folder / f'{name}.pub').read_text()}"
            config += (f"Host {name}\n  HostName 127.0.0.1\n  Port {port}\n  User root\n"
                       f"  IdentityFile {folder}/user\n  UserKnownHostsFile {folder}/known\n")
            server = bench.subprocess.Popen(["/usr/sbin/sshd", "-D", "-f", folder / f"{name}.conf", "-E", log])
            self.addCleanup(server.wait)
            self.addCleanup(server.terminate)
            self.assertTrue(self.eventually(lambda: log.exists() and b"listening" in log.read_bytes()))
        (folder / "known").write_text(known)
        (folder / "config").write_text(config)
        return {"ROADTUNE_SSH_CONFIG": str(folder / "config")}

    def losses(self, run):
        lines = (self.folder / run / "events/rank-000.jsonl").read_text().splitlines()
        return {event["step"]: event["loss"] for event in map(json.loads, lines) if event["kind"] == "step"}

    @unittest.skipUnless(HAS_SSHD, "needs root and sshd")
    def test_another_machine_is_a_place_too(self):
        how = self.ssh_servers("vault")
        self.run_program(*self.words("night", f"vault:{self.folder}/vault", "--set", "save_steps=6"), **how)
        self.assertTrue(self.finished("night", 150), self.events("night", "warning"))
        expected = self.weights("runs/night")
        self.assertEqual(self.weights("vault/night"), expected)
        bench.shutil.rmtree(self.folder / "runs/night")
        self.run_program("resume", f"vault:{self.folder}/vault/night/checkpoint-6", "--into", "again", **how)
        self.assertEqual(self.weights("again"), expected)

    @unittest.skipUnless(HAS_SSHD, "needs root and sshd")
    def test_a_run_on_other_machines_is_copied_and_goes_on_anywhere(self):
        how = self.ssh_servers("far1", "far2")
        words = self.words("night", "s3://bucket/runs", "--hosts", "far1,far2", "--nproc-per-node", "1")
        self.run_program(*words, **how)
        self.assertTrue(self.finished("night", 150), self.events("night", "warning"))
        complete = [n for n in self.names("runs/night/") if n.endswith("/COMPLETE")]
        steps = sorted(int(name.split("/")[2].split("-")[1]) for name in complete)
        self.assertEqual(steps[-1], 12)
        self.assertLess(steps[0], 12)
        self.assertEqual(self.events("night", "warning") + self.events("night", "error"), [])
        expected, losses = self.weights("runs/night"), self.losses("runs/night")
        self.assertEqual(len(losses), 12)
        for place in ("runs/night", "far1-home", "far2-home"):  # every machine is gone
            bench.shutil.rmtree(self.folder / place)
        for home in ("far1-home", "far2-home"):
            (self.folder / home).mkdir()
        copy = f"s3://bucket/runs/night/checkpoint-{steps[0]}"
        self.run_program("resume", copy, "--into", "there", "--hosts", "far1,far2", **how)
        self.assertEqual(self.weights("there"), expected)
        self.run_program("resume", copy, "--into", "here", "--nproc-per-node", "2", **how)
        for step, loss in self.losses("here").items():
            self.assertAlmostEqual(loss, losses[step], delta=2e-3 * loss, msg=f"step {step}")

    def test_a_missing_bucket_is_told_in_the_run(self):
        self.run_program(*self.words("night", "s3://nowhere/runs"))
        self.assertTrue(self.eventually(lambda: self.events("night", "error")))
        self.assertIn("no such bucket", self.events("night", "error")[0]["message"])


if __name__ == "__main__":
    bench.main()
