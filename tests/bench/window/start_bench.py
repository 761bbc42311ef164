# SPDX-License-Identifier: GPL-3.0-or-later
"""The studio from outside: how long until it is on the screen, and what following a live run costs.

usage: start_bench.py BUILD_FOLDER     (offscreen; uses the stand-in of the tests for a run of 20 steps a second)
"""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

build = pathlib.Path(sys.argv[1]).resolve()
tick = os.sysconf("SC_CLK_TCK")


def environment(home):
    return {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": str(home), "XDG_DATA_HOME": str(home / "data"),
            "XDG_CONFIG_HOME": str(home / "config"), "XDG_RUNTIME_DIR": str(home),
            "ROADTUNE_TRAINER": str(build / "fakes/fake-rank"), "FAKE_RANK": "steps=1000000 step_ms=50"}


def first_picture(home):
    """Start to the end of the first painting: the program paints its window into a file and leaves."""
    begin = time.monotonic()
    subprocess.run([build / "bin/roadtune-studio", "--wait", "0", "--screenshot", home / "first.png"], check=True,
                   env=environment(home), stderr=subprocess.DEVNULL)
    return 1000 * (time.monotonic() - begin)


def seconds_used(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / tick


def cost_of_following(home, seconds=20):
    """Share of one core that the window uses more for a run of 20 steps a second than for one that is over."""
    (home / "model").mkdir()
    (home / "model/config.json").write_text("{}")
    (home / "train.jsonl").write_text("")
    (home / "run.yaml").write_text("model_name_or_path: model\noutput_dir: runs/live\ntrain_data: train.jsonl\n"
                                   "max_steps: 1000000\ndevice: cpu\nlogging_steps: 1\n")
    roadtune = [build / "bin/roadtune"]
    subprocess.run([*roadtune, "train", home / "run.yaml", "--detach"], check=True, env=environment(home), cwd=home,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    shares = []
    for state in ("live", "over"):
        window = subprocess.Popen([build / "bin/roadtune-studio", "--page", "runs", "--run", home / "runs/live"],
                                  env=environment(home), stderr=subprocess.DEVNULL)
        time.sleep(5)
        before = seconds_used(window.pid)
        time.sleep(seconds)
        shares.append(100 * (seconds_used(window.pid) - before) / seconds)
        window.terminate()
        window.wait()
        if state == "live":
            subprocess.run([*roadtune, "stop", home / "runs/live", "--now"], check=False, env=environment(home),
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return shares


with tempfile.TemporaryDirectory(prefix="roadtune-bench-") as folder:
    home = pathlib.Path(folder)
    first_picture(home)
    times = sorted(first_picture(home) for _ in range(9))
    print(f"start to the first picture, with its encoding and the end of the program: best {times[0]:.0f} ms, "
          f"median {statistics.median(times):.0f} ms")
    live, over = cost_of_following(home)
    print(f"following a run of 20 steps a second: {live:.1f} % of a core; the same run when it is over: {over:.1f} %")
