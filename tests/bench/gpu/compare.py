# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains the same random model on the same samples with roadtune-train and with transformers.Trainer, one after the
other on one device, and writes what each needed: result.json and table.md in --out.

    ./run compare --out RESULTS                                    # on a machine with a GPU, from a packed folder
    .deps/oracle/bin/python tests/bench/gpu/compare.py --device cpu --tiny --trainer build/release/bin/roadtune-train \\
        --tokenizer TINY_MODEL --out RESULTS                       # does the script work? (no figures)
"""
import argparse
import importlib.util
import json
import os
import platform
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
TARGETS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
CASES = ["full-224", "lora-224", "qlora-224", "full-448", "lora-448", "qlora-448"]
# The libraries that travel with our programs are for them alone.
OURS = {"LD_LIBRARY_PATH": os.environ["OURS_LD_LIBRARY_PATH"]} if "OURS_LD_LIBRARY_PATH" in os.environ else {}
H200_BF16_FLOPS = 790e12  # what a large matrix product reaches on one


class MemoryWatch:
    """The most memory in use on the GPU, from nvidia-smi, context and all. Nothing where there is none."""

    def __init__(self, device):
        self.peak, self.process = 0, None
        if not device.startswith("cuda"):
            return
        index = device.partition(":")[2] or "0"
        self.process = subprocess.Popen(["nvidia-smi", "-i", index, "--query-gpu=memory.used",
                                         "--format=csv,noheader,nounits", "-lms", "100"], stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            if line.strip().isdigit():
                self.peak = max(self.peak, int(line) * 2**20)

    def end(self):
        if self.process:
            self.process.terminate()
            self.process.wait()
        return self.peak


def make_data(folder, count, seed=5):
    """Photograph-like JPEGs and answers of one length, so that both sides see the same shapes."""
    from PIL import Image
    rng = random.Random(seed)
    images = folder / "images"
    images.mkdir(parents=True)
    lines = []
    for i in range(count):
        small = Image.new("RGB", (24, 16))
        small.putdata([tuple(rng.randrange(256) for _ in range(3)) for _ in range(24 * 16)])
        small.resize((960, 640), Image.BICUBIC).save(images / f"{i}.jpg", quality=90)
        boxes = " ; ".join("".join(f"<loc{rng.randrange(1024):04d}>" for _ in range(4)) + " vehicle" for _ in range(3))
        lines.append({"image": str(images / f"{i}.jpg"), "prefix": "detect vehicle ; pedestrian ; cyclist", "suffix": boxes})
    path = folder / "train.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def run_side(command):
    """Runs a child; its lines of JSON, and its last words when it fails."""
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        return None, done.stderr.strip().splitlines()[-6:]
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"')], None


def reference(options, case, folder, data):
    command = [sys.executable, HERE / "reference_side.py", "train", "--folder", folder, "--data", data, "--device",
               options.device, "--method", case["method"], "--batch", case["batch"], "--accumulate", case["accumulate"],
               "--steps", options.steps, "--workers", options.workers]
    if case["checkpointing"]:
        command.append("--checkpointing")
    if case["eight_bit"]:
        command.append("--eight-bit")
    watch = MemoryWatch(options.device)
    lines, problem = run_side(command)
    peak = watch.end()
    if problem:
        return {"problem": problem}
    return {"seconds": [l["seconds"] for l in lines if "seconds" in l], "losses": [l["loss"] for l in lines if "loss" in l],
            "peak_bytes": peak, "peak_allocated": lines[-1]["peak_allocated"], "transformers": lines[-1]["transformers"]}


def profile_of(version):
    """Whose arithmetic: soft caps came back with 5.23 (5.21 has those of attention alone)."""
    numbers = tuple(int(n) for n in version.split(".")[:2])
    return "hf-5.23" if numbers >= (5, 23) else "hf-5-sdpa"


def yaml_text(settings):
    return "".join(f"{key}: {json.dumps(value)}\n" for key, value in settings.items())


def settings_of(options, case, folder, data, run, profile):
    settings = dict(model_name_or_path=str(folder), train_data=str(data), output_dir=str(run),
                    finetuning_type=case["method"], profile=profile, device=options.device.split(":")[0],
                    per_device_train_batch_size=case["batch"], gradient_accumulation_steps=case["accumulate"],
                    max_steps=options.steps + 1000, learning_rate=1e-5, lr_scheduler_type="constant", weight_decay=1e-6,
                    max_grad_norm=1.0, logging_steps=1, save_strategy="no", shuffle=False, bf16=True, seed=42,
                    gradient_checkpointing=case["checkpointing"], dataloader_num_workers=options.workers,
                    optim="adamw_8bit" if case["eight_bit"] else "adamw_torch_fused")
    if case["method"] != "full":
        settings |= dict(r=8, lora_alpha=8, target_modules=TARGETS)
    if case["method"] == "qlora":
        settings |= dict(load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=True)
    if options.device.startswith("cuda:"):
        settings["gpus"] = [int(options.device.partition(":")[2])]
    return settings


def step_events(run):
    path = run / "events/rank-000.jsonl"
    if not path.exists():
        return []
    events = [json.loads(line) for line in path.read_text().splitlines() if line.endswith("}")]
    return [e for e in events if e["kind"] == "step"]


def ours(options, case, folder, data, run, profile):
    """Starts a long run and ends it after enough steps, so that no checkpoint of many gigabytes is written."""
    run.mkdir(parents=True)
    (run / "run.yaml").write_text(yaml_text(settings_of(options, case, folder, data, run, profile)))
    watch = MemoryWatch(options.device)
    with open(run / "errors", "w+") as errors:
        process = subprocess.Popen([options.trainer, "--run", run], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                   stderr=errors, text=True, env=os.environ | OURS)
        while process.poll() is None and len(step_events(run)) < options.steps:
            time.sleep(0.2)
        if process.poll() is None:
            process.stdin.write("stop-now\n")
            process.stdin.flush()
        process.wait()
        peak = watch.end()
        events = step_events(run)[:options.steps]
        if len(events) < options.steps:
            errors.seek(0)
            return {"problem": [f"exit {process.returncode}"] + errors.read().strip().splitlines()[-6:]}
    parts = {k: median(e["anatomy"][k] for e in events[options.warm:]) for k in events[0]["anatomy"]}
    return {"seconds": [e["step_s"] for e in events[1:]], "losses": [e["loss"] for e in events], "peak_bytes": peak,
            "peak_allocated": max(e.get("tensor_peak_bytes", 0) for e in events), "parts": parts,
            "tokens_per_step": events[-1]["tokens"], "targets_per_step": events[-1]["target_tokens"]}


def flops_per_sample(case, tokens, targets):
    """Multiply-adds of the matrix products times two: forward, and twice that backward for what is trained."""
    vision_tokens = (case["size"] // 14) ** 2
    vision = 2 * 27 * (4 * 1152**2 + 2 * 1152 * 4304) * vision_tokens
    text = 2 * 26 * (2304 * 256 * (8 + 8 + 4 + 4) + 3 * 2304 * 9216) * tokens
    head = 2 * 2304 * 257216 * targets
    factor = 3 if case["method"] == "full" else 2  # frozen weights need no gradients of their own
    return factor * (vision + text + head)


def summary(options, case, side, samples):
    if "problem" in side:
        return {}
    seconds = median(side["seconds"][max(0, options.warm - 1):])
    return {"samples_per_s": samples / seconds, "step_s": seconds, "first_loss": side["losses"][0],
            "last_loss": side["losses"][-1], "peak_gib": side["peak_bytes"] / 2**30}


def run_case(options, name, root):
    method, size = name.split("-")
    case = {"name": name, "method": method, "size": 56 if options.tiny else int(size), "batch": options.batch,
            "accumulate": options.accumulate, "checkpointing": options.checkpointing,
            "eight_bit": options.eight_bit}
    folder = root / f"model-{case['size']}"
    if not folder.exists():
        command = [sys.executable, HERE / "reference_side.py", "make-model", "--folder", folder, "--tokenizer",
                   options.tokenizer, "--device", options.device, "--size", case["size"]]
        _, problem = run_side(command + (["--tiny"] if options.tiny else []))
        if problem:
            sys.exit("the model could not be made:\n" + "\n".join(problem))
    if (method == "qlora" or options.eight_bit) and not importlib.util.find_spec("bitsandbytes"):
        theirs = {"problem": ["bitsandbytes is not installed here"]}
    else:
        theirs = reference(options, case, folder, options.data)
    import transformers
    our = ours(options, case, folder, options.data, root / f"run-{name}", profile_of(transformers.__version__))
    samples = case["batch"] * case["accumulate"]
    result = {"case": case, "ours": our, "reference": theirs, "ours_summary": summary(options, case, our, samples),
              "reference_summary": summary(options, case, theirs, samples)}
    if result["ours_summary"] and not options.tiny:
        per_sample = flops_per_sample(case, our["tokens_per_step"] / samples, our["targets_per_step"] / samples)
        result["mfu"] = per_sample * result["ours_summary"]["samples_per_s"] / H200_BF16_FLOPS
    return result


def table(results):
    lines = ["| case | batch x accumulation | ours samples/s | Hugging Face samples/s | times | ours peak GiB | HF peak GiB |"
             " loss first, last (ours) | (HF) | share of 790 TFLOP/s |", "|" + "---|" * 10]
    for r in results:
        o, h = r["ours_summary"], r["reference_summary"]
        number = lambda s, key, form="{:.2f}": form.format(s[key]) if s else "-"  # noqa: E731
        times = f"{o['samples_per_s'] / h['samples_per_s']:.2f}" if o and h else "-"
        losses = lambda s: f"{s['first_loss']:.4f}, {s['last_loss']:.4f}" if s else "-"  # noqa: E731
        lines.append(f"| {r['case']['name']} | {r['case']['batch']} x {r['case']['accumulate']} | {number(o, 'samples_per_s')} | "
                     f"{number(h, 'samples_per_s')} | {times} | {number(o, 'peak_gib')} | {number(h, 'peak_gib')} | {losses(o)} | "
                     f"{losses(h)} | {format(r['mfu'], '.2%') if 'mfu' in r else '-'} |")
        for side in ("ours", "reference"):
            if "problem" in r[side]:
                lines.append(f"\n{r['case']['name']}, {side}: " + " / ".join(r[side]["problem"]))
    return "\n".join(lines) + "\n"


def machine(options):
    import torch
    import transformers
    facts = {"torch": torch.__version__, "transformers": transformers.__version__, "cpus": os.cpu_count(),
             "python": platform.python_version(), "command": sys.argv, "device": options.device}
    if options.device.startswith("cuda"):
        facts["gpu"] = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version,memory.total,clocks.max.sm",
                                       "--format=csv,noheader"], capture_output=True, text=True).stdout.strip()
    return facts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trainer", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True, help="folder made by `roadtune model new-tiny`")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--cases", default=",".join(CASES), help="of " + ", ".join(CASES))
    parser.add_argument("--scratch", type=Path, help="for models and data; default: a new temporary folder")
    for name, value in (("--batch", 16), ("--accumulate", 1), ("--steps", 12), ("--warm", 4), ("--workers", 8)):
        parser.add_argument(name, type=int, default=value)
    parser.add_argument("--tiny", action="store_true", help="a tiny model: shows that the script works")
    parser.add_argument("--checkpointing", action="store_true", help="recompute activations, on both sides")
    parser.add_argument("--eight-bit", action="store_true", help="AdamW's moments in 8 bits, on both sides")
    options = parser.parse_args()
    options.trainer, options.out = options.trainer.resolve(), options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    root = options.scratch or Path(tempfile.mkdtemp(prefix="compare-"))
    root.mkdir(parents=True, exist_ok=True)
    try:
        options.data = make_data(root / "data", options.batch * options.accumulate * (options.steps + 4))
        results = []
        for name in options.cases.split(","):
            results.append(run_case(options, name, root))
            print(json.dumps({k: results[-1][k] for k in ("ours_summary", "reference_summary")}), file=sys.stderr)
            (options.out / "result.json").write_text(json.dumps({"machine": machine(options), "results": results}, indent=1))
            (options.out / "table.md").write_text(table(results))
    finally:
        if not options.scratch:
            shutil.rmtree(root, ignore_errors=True)
    print(table(results))
    return 0 if all("problem" not in r["ours"] for r in results) else 1


sys.exit(main())
