# SPDX-License-Identifier: GPL-3.0-or-later
"""All that a GPU machine is asked, in one go and within --seconds: first what may share the card (models are made, kernels'
tests, parity, whole runs, what the agent says), then with the card to itself steps of our own with a trace of each, and
the comparison with transformers. Most wanted first; what no time is left for is said. All of it lies in --out, after
each part: logs, events, traces, compare/result.json and table.md.

    ./run everything --out RESULTS --seconds 390                   # from a packed folder
    ./run everything --out RESULTS --only full-96,kernels          # some of it
    ./run everything --out RESULTS --scratch SCRATCH --tiny        # does the script work? on the CPU, no figures
"""
import argparse
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import compare

HERE = Path(__file__).resolve().parent
FEW_THREADS = {"OMP_NUM_THREADS": "2"}
SPARE = 5  # seconds to end in
TRACED = [  # name, method, batch, accumulation, steps, of these traced
    ("full-96", "full", 96, 4, 8, 1), ("full-16", "full", 16, 1, 14, 2), ("lora-16", "lora", 16, 1, 14, 2), ("qlora-16", "qlora", 16, 1, 14, 2)]
HALF = 37  # blocks that full computes again for half of transformers' memory, 16 at a time
COMPARED = [  # with transformers; 50 steps for the curves
    ("curve-full", ["--cases", "full-224", "--steps", "50"]),
    ("curve-lora", ["--cases", "lora-224", "--steps", "50", "--learning-rate", "1e-3"]),
    ("curve-qlora", ["--cases", "qlora-224", "--steps", "50", "--learning-rate", "1e-3"]),
    ("pure", ["--cases", "full-224", "--steps", "50", "--pure-bf16", "--eight-bit", "--sides", "ours"]),
    ("half", ["--cases", "full-224", "--steps", "50", "--blocks", str(HALF), "--sides", "ours"]),
    ("448", ["--cases", "lora-448,full-448,qlora-448", "--steps", "10"])]
PARTS = ["checks", *(one[0] for one in TRACED), *(one[0] for one in COMPARED), "kernels"]


class Session:
    def __init__(self, options):
        self.options, self.began = options, time.monotonic()
        self.device = "cpu" if options.tiny else "cuda:0"
        self.tiny = ["--tiny"] * options.tiny
        self.wanted = options.only.split(",") if options.only else PARTS
        if unknown := set(self.wanted) - set(PARTS):
            sys.exit(f"{', '.join(sorted(unknown))}: none of {', '.join(PARTS)}")
        self.out, self.scratch = options.out.resolve(), options.scratch.resolve()
        for folder in (self.out, self.scratch):
            folder.mkdir(parents=True, exist_ok=True)

    def say(self, *words):
        print(f"[{time.monotonic() - self.began:6.1f}]", *words, flush=True)

    def left(self):
        return self.options.seconds - (time.monotonic() - self.began)

    def start(self, name, command, limit, environment=None):
        seconds = max(1, min(limit, self.left() - SPARE))
        with open(self.out / f"{name}.txt", "w") as log:
            return name, time.monotonic(), subprocess.Popen(
                ["timeout", "-k", "5", str(int(seconds)), *map(str, command)], stdout=log, stderr=subprocess.STDOUT,
                env=os.environ | (environment or {}), start_new_session=True)

    def finish(self, job):
        name, began, process = job
        code = process.wait()
        words = [line for line in (self.out / f"{name}.txt").read_text(errors="replace").splitlines() if line.strip()]
        self.say(f"{name}: exit {code}, {time.monotonic() - began:.0f} s\n" + "\n".join(words[-8:]))
        return code == 0

    def model(self, size):
        folder = self.scratch / f"model-{size}"
        return folder, self.start(f"make-model-{size}", [
            sys.executable, HERE / "reference_side.py", "make-model", "--folder", folder.with_name(folder.name + ".partial"), "--tokenizer",
            HERE / "tiny", "--device", self.device, "--size", 56 if self.options.tiny else size, *self.tiny], 120)

    def shared(self):
        """What needs no card of its own."""
        pictures = threading.Thread(target=lambda: compare.make_data(self.scratch / "data", 96 * 4 * 12))
        pictures.start()
        models = [self.model(size) for size in (224, 448) if size == 224 or "448" in self.wanted]
        run = HERE / "run"
        jobs = [self.start("tests", [run, "tests"], 100), self.start("parity", [run, "parity"], 100, FEW_THREADS),
                self.start("runs", [run, "runs", "--all", "--jobs", "5"], 100, FEW_THREADS),
                self.start("agent", [run, "agent"], 80)] if "checks" in self.wanted else []
        for folder, job in models:
            if self.finish(job):
                folder.with_name(folder.name + ".partial").rename(folder)
        for job in jobs:
            self.finish(job)
        pictures.join()

    def traced(self, name, method, batch, accumulate, steps, recorded):
        if name not in self.wanted:
            return None
        if self.left() < 30:
            return self.say("no time for", name)
        run = self.scratch / f"run-{name}"
        run.mkdir()
        if self.options.tiny:
            batch, accumulate = 2, min(2, accumulate)
        case = dict(name=name, method=method, batch=batch, accumulate=accumulate, steps=steps, size=224, profile=self.options.profile,
                    learning_rate=1e-5, checkpointing=False, eight_bit=False)
        options = argparse.Namespace(device=self.device.partition(":")[0], workers=8, data=self.scratch / "data/train.jsonl")
        (run / "run.yaml").write_text(compare.yaml_text(compare.settings_of(options, case, self.scratch / "model-224", run)))
        watch = compare.MemoryWatch(self.device)
        with open(run / "errors", "w+") as errors:
            try:
                command = [HERE / "bin/roadtune-train", "--run", run, "--profile", str(recorded)]
                code, _ = compare.run_steps(command, compare.OURS, run, steps, errors, min(80, self.left() - SPARE))
            finally:
                peak = watch.end()
            words = compare.last_words(errors)
        shutil.copytree(run / "events", self.out / f"{name}-events")
        for trace in (run / "profile").glob("*"):
            subprocess.run(f"xz -T0 -2 -c '{trace}' > '{self.out / name}-trace.json.xz'", shell=True, check=False)
        events = compare.step_events(run)
        # The first steps warm up, those that are recorded are slow.
        gaps = sorted(b["mono"] - a["mono"] for a, b in zip(events[3 + recorded:], events[4 + recorded:]))
        speed = f"{batch * accumulate / gaps[len(gaps) // 2]:.1f} samples/s" if gaps else " / ".join(words)
        self.say(f"{name}: exit {code}, {len(events)} steps, {speed}, {peak / 2**30:.1f} GiB of the card, losses",
                 [round(event["loss"], 4) for event in events])

    def compared(self, name, arguments):
        if name not in self.wanted:
            return None
        if self.left() < 50:
            return self.say("no time for", name)
        return self.finish(self.start(name, [HERE / "run", "compare", "--scratch", self.scratch, "--out", self.out / "compare",
                                             "--device", self.device, "--deadline", int(self.left() - 2 * SPARE), *self.tiny,
                                             *arguments], self.left()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--scratch", type=Path, default=Path("/tmp/roadtune-gpu"), help="for models, data and runs, 20 GB")
    parser.add_argument("--seconds", type=float, default=550)
    parser.add_argument("--profile", default="hf-5-sdpa", help="whose arithmetic the traced steps do")
    parser.add_argument("--only", help="of " + ", ".join(PARTS))
    parser.add_argument("--tiny", action="store_true", help="tiny models on the CPU")
    session = Session(parser.parse_args())
    os.environ.setdefault("PYTORCH_ALLOC_CONF", "expandable_segments:True")  # `run` has tried; nobody has to again
    session.shared()
    session.traced(*TRACED[0])
    for one in COMPARED:
        session.compared(*one)
    for one in TRACED[1:]:
        session.traced(*one)
    if "kernels" in session.wanted and session.left() > 20:
        session.finish(session.start("kernels", [HERE / "run", "kernels"], session.left()))


if __name__ == "__main__":
    main()
