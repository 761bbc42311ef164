# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains the same random model on the same samples with roadtune-train and with transformers.Trainer, one after the
other on one device, and writes what each needed: result.json and table.md in --out, after each side. A later call with
the same --out goes on: what has figures or failed stays (--again repeats it), what the deadline cut off is done.

    ./run compare --out RESULTS --scratch SCRATCH --deadline 540   # on a machine with a GPU, from a packed folder
    .deps/oracle/bin/python tests/bench/gpu/compare.py --device cpu --tiny --trainer build/release/bin/roadtune-train \\
        --tokenizer TINY_MODEL --out RESULTS                       # does the script work? (no figures)
"""
import argparse
import ctypes
import importlib.metadata
import importlib.util
import json
import os
import platform
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
CASES = ["full-224", "lora-224", "qlora-224", "full-448", "lora-448", "qlora-448"]
# By image size, micro-batch and accumulation: 16 samples of 448 px at once take Hugging Face more memory than an H200 has.
BATCHES = {"224": (16, 1), "448": (4, 4)}
# With its logits in float32 it does not train all of the model so on a card of 80 GB either.
FULL_BATCHES_BELOW_100_GIB = {"224": (4, 4), "448": (1, 16)}
DISTINCT_PICTURES = 256  # drawing one takes as long as training on several
# The libraries that travel with our programs are for them alone, the Python packages for the other side.
OURS = {"LD_LIBRARY_PATH": os.environ["OURS_LD_LIBRARY_PATH"]} if "OURS_LD_LIBRARY_PATH" in os.environ else {}
THEIRS = {"PYTHONPATH": os.environ["THEIR_PYTHONPATH"]} if "THEIR_PYTHONPATH" in os.environ else {}
SIDES = ["reference", "ours"]
LAST_WORDS = 6
SECONDS_TO_END = 20
H200_BF16_FLOPS = 790e12  # what a large matrix product reaches on one


class MemoryWatch:
    """The most memory in use on the GPU, from nvidia-smi, context and all. Nothing where there is none."""

    def __init__(self, device):
        self.peak, self.process = 0, None
        if not device.startswith("cuda") or not shutil.which("nvidia-smi"):
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
            self.process.kill()
            self.process.wait()
        return self.peak


def make_data(folder, count, seed=5):
    """Photograph-like JPEGs and answers of one length, so that both sides see the same shapes. More only adds to them."""
    path = folder / "train.jsonl"
    if path.exists() and len(path.read_text().splitlines()) >= count:
        return path
    from PIL import Image
    rng = random.Random(seed)
    images = folder / "images"
    images.mkdir(parents=True, exist_ok=True)
    lines = []
    for i in range(count):
        picture = images / f"{i % DISTINCT_PICTURES}.jpg"
        if i < DISTINCT_PICTURES:
            small = Image.new("RGB", (24, 16))
            small.putdata([tuple(rng.randrange(256) for _ in range(3)) for _ in range(24 * 16)])
            small.resize((960, 640), Image.BICUBIC).save(picture, quality=90)
        boxes = " ; ".join("".join(f"<loc{rng.randrange(1024):04d}>" for _ in range(4)) + " vehicle" for _ in range(3))
        lines.append({"image": str(picture), "prefix": "detect vehicle ; pedestrian ; cyclist", "suffix": boxes})
    write_whole(path, "".join(json.dumps(line) + "\n" for line in lines))
    return path


def write_whole(path, text):
    """A kill leaves the file of before or this one."""
    partial = path.with_name(path.name + ".partial")
    partial.write_text(text)
    partial.replace(path)


def start(command, environment, **streams):
    """A child in a process group of its own that does not outlive us."""
    system = ctypes.CDLL(None)
    return subprocess.Popen([str(c) for c in command], env=os.environ | environment, text=True, process_group=0,
                            preexec_fn=lambda: system.prctl(1, signal.SIGKILL), **streams)


def end_group(process):
    """Whatever is left of a child and its workers."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(SECONDS_TO_END)
    except (ProcessLookupError, subprocess.TimeoutExpired):
        pass


def seconds_left(options):
    """For the next side: its limit, or less when the deadline is near."""
    return max(0, min(options.limit, options.ends - time.monotonic()))


def last_words(file):
    file.seek(0)
    return file.read().strip().splitlines()[-LAST_WORDS:]


def too_late(options, seconds, words):
    if seconds < options.limit:
        return {"problem": [f"ended by the deadline after {seconds:.0f} s"] + words, "unfinished": True}
    return {"problem": [f"ended after {seconds:.0f} s (--limit)"] + words}


def run_side(options, command, environment):
    """Runs a child; its lines of JSON, or what was wrong."""
    seconds = seconds_left(options)
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        process = start(command, environment, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None, too_late(options, seconds, last_words(errors))
        finally:
            end_group(process)
        if process.returncode != 0:
            return None, {"problem": [f"exit {process.returncode}"] + last_words(errors)}
        output.seek(0)
        return [json.loads(line) for line in output if line.startswith('{"')], None


def make_model(options, case, root):
    """The folder of a model of that size, or what was wrong; a folder of that name is always whole."""
    folder = root / f"model-{case['size']}"
    if folder.exists():
        return folder, None
    if folder in options.failed:
        return folder, options.failed[folder]
    partial = folder.with_name(folder.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    command = [sys.executable, HERE / "reference_side.py", "make-model", "--folder", partial, "--tokenizer",
               options.tokenizer, "--device", options.device, "--size", case["size"]]
    _, wrong = run_side(options, command + (["--tiny"] if options.tiny else []), {})
    if wrong:
        shutil.rmtree(partial, ignore_errors=True)
        options.failed[folder] = wrong | {"problem": ["the model could not be made"] + wrong["problem"]}
        return folder, options.failed[folder]
    partial.rename(folder)
    return folder, None


def their_environment(options):
    """transformers.Trainer would share the batch among all cards that it sees."""
    if not options.device.startswith("cuda") or "CUDA_VISIBLE_DEVICES" in os.environ:
        return THEIRS
    return THEIRS | {"CUDA_VISIBLE_DEVICES": options.device.partition(":")[2] or "0"}


def reference(options, case, folder, root):
    if (case["method"] == "qlora" or case["eight_bit"]) and not THEIRS and not importlib.util.find_spec("bitsandbytes"):
        return {"problem": ["bitsandbytes is not installed here"]}
    command = [sys.executable, HERE / "reference_side.py", "train", "--folder", folder, "--data", options.data, "--device",
               options.device, "--method", case["method"], "--batch", case["batch"], "--accumulate", case["accumulate"],
               "--steps", case["steps"], "--workers", options.workers, "--learning-rate", case["learning_rate"]]
    if case["checkpointing"]:
        command.append("--checkpointing")
    command += ["--eight-bit"] * case["eight_bit"] + ["--upcast"] * case["upcast"] + ["--pure-bf16"] * case["pure"]
    watch = MemoryWatch(options.device)
    try:
        lines, wrong = run_side(options, command, their_environment(options))
    finally:
        peak = watch.end()
    if wrong:
        return wrong
    return {"seconds": [l["seconds"] for l in lines if "seconds" in l], "losses": [l["loss"] for l in lines if "loss" in l],
            "peak_bytes": peak, "peak_allocated": lines[-1]["peak_allocated"], "transformers": lines[-1]["transformers"]}


def profile_of(version):
    """Whose arithmetic: soft caps came back with 5.23 (5.21 has those of attention alone)."""
    numbers = tuple(int(n) for n in version.split(".")[:2])
    return "hf-5.23" if numbers >= (5, 23) else "hf-5-sdpa"


def yaml_text(settings):
    return "".join(f"{key}: {json.dumps(value)}\n" for key, value in settings.items())


def settings_of(options, case, folder, run):
    settings = dict(model_name_or_path=str(folder), train_data=str(options.data), output_dir=str(run),
                    finetuning_type=case["method"], profile=case["profile"], device=options.device.split(":")[0],
                    per_device_train_batch_size=case["batch"], gradient_accumulation_steps=case["accumulate"],
                    max_steps=case["steps"] + 1000, learning_rate=case["learning_rate"], lr_scheduler_type="constant", weight_decay=1e-6,
                    max_grad_norm=1.0, logging_steps=1, save_strategy="no", shuffle=False, bf16=True, seed=42,
                    gradient_checkpointing=case["checkpointing"], dataloader_num_workers=options.workers,
                    optim="adamw_8bit" if case["eight_bit"] else "adamw_torch_fused", pure_bf16=case.get("pure", False))
    if case.get("blocks"):
        settings |= dict(gradient_checkpointing=True, gradient_checkpointing_blocks=case["blocks"])
    if case["method"] != "full":
        settings |= dict(adapter_name_or_path=str(folder / "adapter"))
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


def run_steps(command, environment, run, steps, errors, seconds=float("inf")):
    """Starts a long run and ends it after enough steps, so that no checkpoint of many gigabytes is written. Returns how it
    ended, and whether that took too long."""
    began, late = time.monotonic(), False
    process = start(command, environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors)
    try:
        while process.poll() is None and len(step_events(run)) < steps and not late:
            time.sleep(0.2)
            late = time.monotonic() - began > seconds
        if not late:
            tell_to_end(process)
    finally:
        end_group(process)
    return process.returncode, late


def ours(options, case, folder, root):
    run = root / f"run-{case['name']}"
    if run.exists():
        shutil.rmtree(run)  # or its events would count as ours
    run.mkdir(parents=True)
    (run / "run.yaml").write_text(yaml_text(settings_of(options, case, folder, run)))
    seconds = seconds_left(options)
    watch = MemoryWatch(options.device)
    with open(run / "errors", "w+") as errors:
        try:
            code, late = run_steps([options.trainer, "--run", run], OURS, run, case["steps"], errors, seconds)
        finally:
            peak = watch.end()
        events = step_events(run)[:case["steps"]]
        if len(events) < case["steps"]:
            words = last_words(errors)
            return too_late(options, seconds, words) if late else {"problem": [f"exit {code}"] + words}
    parts = {k: median(e["anatomy"][k] for e in events[options.warm:]) for k in events[0]["anatomy"]}
    # From end to end, as the other side's clock has it: what happens between steps counts.
    return {"seconds": [b["mono"] - a["mono"] for a, b in zip(events, events[1:])], "losses": [e["loss"] for e in events], "peak_bytes": peak,
            "peak_allocated": max(e.get("tensor_peak_bytes", 0) for e in events), "parts": parts,
            "tokens_per_step": events[-1]["tokens"], "targets_per_step": events[-1]["target_tokens"]}


def tell_to_end(process):
    try:
        process.stdin.write("stop-now\n")
        process.stdin.flush()
        process.wait(SECONDS_TO_END)
    except (BrokenPipeError, subprocess.TimeoutExpired):
        pass


def flops_per_sample(case, tokens, targets):
    """Multiply-adds of the matrix products times two: forward, and twice that backward for what is trained."""
    vision_tokens = (case["size"] // 14) ** 2
    vision = 2 * 27 * (4 * 1152**2 + 2 * 1152 * 4304) * vision_tokens
    # The last block makes keys and values of all tokens, the rest of those that something is predicted from.
    text = 2 * (25 * (2304 * 256 * (8 + 8 + 4 + 4) + 3 * 2304 * 9216) + 2304 * 256 * (4 + 4)) * tokens
    text += 2 * (2304 * 256 * (8 + 8) + 3 * 2304 * 9216) * (targets + 1)
    head = 2 * 2304 * 257216 * targets
    factor = 3 if case["method"] == "full" else 2  # frozen weights need no gradients of their own
    return factor * (vision + text + head)


def summary(options, case, side, samples):
    if "problem" in side:
        return {}
    seconds = median(side["seconds"][max(0, options.warm - 1):])
    return {"samples_per_s": samples / seconds, "step_s": seconds, "first_loss": side["losses"][0],
            "last_loss": side["losses"][-1], "peak_gib": side["peak_bytes"] / 2**30}


def case_of(options, name):
    method, size = name.split("-")
    small = method == "full" and 0 < options.machine.get("gpu_mib", 0) < 100 * 1024
    batch, accumulate = (FULL_BATCHES_BELOW_100_GIB if small else BATCHES)[size]
    return {"name": name, "method": method, "profile": options.profile, "size": 56 if options.tiny else int(size), "batch": options.batch or batch,
            "accumulate": options.accumulate or accumulate, "steps": options.steps, "learning_rate": options.learning_rate,
            "checkpointing": options.checkpointing, "blocks": options.blocks, "eight_bit": options.eight_bit,
            "upcast": options.upcast and method == "qlora", "pure": options.pure_bf16 and method == "full"}


def with_summaries(options, result):
    case, samples = result["case"], result["case"]["batch"] * result["case"]["accumulate"]
    for side in SIDES:
        result[side + "_summary"] = summary(options, case, result[side], samples) if side in result else {}
    result.pop("mfu", None)
    if result["ours_summary"] and not options.tiny:
        our = result["ours"]
        per_sample = flops_per_sample(case, our["tokens_per_step"] / samples, our["targets_per_step"] / samples)
        result["mfu"] = per_sample * result["ours_summary"]["samples_per_s"] / H200_BF16_FLOPS


def run_case(options, result, root, write):
    """Runs the sides of a case that are asked for and not done yet."""
    case = result["case"]
    for side in options.sides:
        if side in result and not result[side].get("unfinished") and not options.again:
            continue
        if seconds_left(options) <= 0:
            result.setdefault(side, {"problem": ["not run: the deadline had passed"], "unfinished": True})
        else:
            folder, wrong = make_model(options, case, root)
            result[side] = wrong or {"reference": reference, "ours": ours}[side](options, case, folder, root)
        result[side]["machine"] = options.machine
        with_summaries(options, result)
        print(json.dumps({case["name"]: {side: result[side + "_summary"] or result[side]}}), file=sys.stderr, flush=True)
        write()


def title(case):
    other = "" if case["profile"] == "hf-5-sdpa" else ", " + case["profile"]
    words = {"checkpointing": "checkpointing", "blocks": f"{case.get('blocks')} blocks of ours computed again", "eight_bit": "8 bits", "upcast": "theirs upcast", "pure": "weights in bfloat16 alone"}
    return case["name"] + other + "".join(f", {words[key]}" for key in words if case.get(key))


def machines(results):
    """What ran where: results of several calls may come from several cards."""
    where = {}
    for r in results:
        for side in SIDES:
            if seen := r.get(side, {}).get("machine"):
                name = f"{seen.get('gpu', 'CPU')}, torch {seen['torch']}, transformers {seen['transformers']}"
                where.setdefault(name, []).append(f"{title(r['case'])} ({side})")
    return [f"\n{name}: " + "; ".join(sides) for name, sides in where.items()]


def table(results):
    lines = ["| case | batch x accumulation | ours samples/s | Hugging Face samples/s | times | ours peak GiB | HF peak GiB |"
             " loss first, last (ours) | (HF) | share of 790 TFLOP/s |", "|" + "---|" * 10]
    for r in results:
        o, h = r["ours_summary"], r["reference_summary"]
        number = lambda s, key, form="{:.2f}": form.format(s[key]) if s else "-"  # noqa: E731
        same = o and h and r["ours"]["machine"].get("gpu") == r["reference"]["machine"].get("gpu")
        times = f"{o['samples_per_s'] / h['samples_per_s']:.2f}" if same else "-"
        losses = lambda s: f"{s['first_loss']:.4f}, {s['last_loss']:.4f}" if s else "-"  # noqa: E731
        batches = f"{r['case']['batch']} x {r['case']['accumulate']}"
        share = format(r["mfu"], ".2%") if "mfu" in r else "-"
        lines.append(f"| {title(r['case'])} | {batches} | {number(o, 'samples_per_s')} | "
                     f"{number(h, 'samples_per_s')} | {times} | {number(o, 'peak_gib')} | {number(h, 'peak_gib')} | "
                     f"{losses(o)} | {losses(h)} | {share} |")
    lines += machines(results)
    for r in results:
        for side in SIDES:
            if "problem" in r.get(side, {}):
                lines.append(f"\n{title(r['case'])}, {side}: " + " / ".join(r[side]["problem"]))
    return "\n".join(lines) + "\n"


def machine(options):
    version = importlib.metadata.version
    facts = {"torch": version("torch"), "transformers": version("transformers"), "cpus": os.cpu_count(),
             "python": platform.python_version(), "command": sys.argv, "device": options.device}
    if options.device.startswith("cuda") and shutil.which("nvidia-smi"):
        asked = ["nvidia-smi", "-i", options.device.partition(":")[2] or "0", "--format=csv,noheader,nounits"]
        told = lambda what: subprocess.run(asked + ["--query-gpu=" + what], capture_output=True, text=True).stdout.strip()  # noqa: E731
        facts["gpu"] = told("name,driver_version,memory.total,clocks.max.sm")
        memory = told("memory.total")
        facts["gpu_mib"] = int(memory) if memory.isdigit() else 0
    return facts


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trainer", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True, help="folder made by `roadtune model new-tiny`")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--cases", default=",".join(CASES), help="of " + ", ".join(CASES))
    parser.add_argument("--sides", default=",".join(SIDES), help="of " + ", ".join(SIDES))
    parser.add_argument("--scratch", type=Path, help="for models and data, kept; default: a new temporary folder")
    parser.add_argument("--limit", type=float, default=150, help="seconds for one side, or for making a model (150)")
    parser.add_argument("--deadline", type=float, default=float("inf"), help="seconds from now: what is left is not run")
    parser.add_argument("--again", action="store_true", help="repeat what an earlier call has done")
    parser.add_argument("--batch", type=int, help="samples at a time; default: 16 at 224 px, 4 at 448, full on small cards less")
    parser.add_argument("--accumulate", type=int, help="such batches in a step; default: 1 at 224 px, 4 at 448")
    for name, value in (("--steps", 12), ("--warm", 4), ("--workers", 8)):
        parser.add_argument(name, type=int, default=value)
    parser.add_argument("--learning-rate", type=float, default=1e-5)
    parser.add_argument("--profile", help="whose arithmetic ours does; default: that of the transformers release here")
    parser.add_argument("--tiny", action="store_true", help="a tiny model: shows that the script works")
    parser.add_argument("--checkpointing", action="store_true", help="recompute activations, on both sides")
    parser.add_argument("--blocks", type=int, default=0, help="so many blocks of ours are computed again, none of theirs")
    parser.add_argument("--eight-bit", action="store_true", help="AdamW's moments in 8 bits, on both sides")
    parser.add_argument("--upcast", action="store_true", help="the other side's QLoRA through prepare_model_for_kbit_training, whose "
                        "residual stream is in float32; ours is in bfloat16, as that of PaliGemma's usual scripts")
    parser.add_argument("--pure-bf16", action="store_true", help="full: no weights in float32, on both sides; theirs are rounded to the nearest")
    options = parser.parse_args()
    options.ends, options.failed = time.monotonic() + options.deadline, {}
    options.profile = options.profile or profile_of(importlib.metadata.version("transformers"))
    options.machine = machine(options)
    options.trainer, options.tokenizer, options.out = (p.resolve() for p in (options.trainer, options.tokenizer, options.out))
    options.cases, options.sides = options.cases.split(","), options.sides.split(",")
    for chosen, known in ((options.cases, CASES), (options.sides, SIDES)):
        if unknown := set(chosen) - set(known):
            parser.error(f"{', '.join(sorted(unknown))}: none of {', '.join(known)}")
    return options


def earlier(path):
    return json.loads(path.read_text())["results"] if path.exists() else []


def main():
    options = parse()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # children end with us, a scratch folder of our own goes
    options.out.mkdir(parents=True, exist_ok=True)
    root = (options.scratch or Path(tempfile.mkdtemp(prefix="compare-"))).resolve()
    root.mkdir(parents=True, exist_ok=True)
    results = earlier(options.out / "result.json")

    def write():
        results.sort(key=lambda r: CASES.index(r["case"]["name"]))
        write_whole(options.out / "result.json", json.dumps({"results": results}, indent=1))
        write_whole(options.out / "table.md", table(results))

    try:
        cases = [case_of(options, name) for name in options.cases]
        options.data = make_data(root / "data", max(c["batch"] * c["accumulate"] for c in cases) * (options.steps + 4))
        chosen = []
        for case in cases:
            result = next((r for r in results if r["case"] == case), None)
            if result is None:
                result = {"case": case}
                results.append(result)
            chosen.append(result)
            with_summaries(options, result)
            run_case(options, result, root, write)
    finally:
        if not options.scratch:
            shutil.rmtree(root, ignore_errors=True)
    print(table(results))
    return 0 if all("problem" not in r.get("ours", {}) for r in chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
