# SPDX-License-Identifier: GPL-3.0-or-later
"""Times the same CPU training step in the engine and in transformers.Trainer, and takes the peak memory of each; then
what each needs per picture to decode, resize and tokenise it on one core.

    .deps/oracle/bin/python tests/bench/engine/step_bench.py build/release/bin/roadtune-train [--method lora] [--steps 8]
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "parity" / "engine"))

TARGETS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
BATCH, WARM = 4, 2


def reference_step(root, steps, method):
    import torch
    from peft import LoraConfig, get_peft_model
    from training import JsonlSet, collate
    from transformers import PaliGemmaForConditionalGeneration, Trainer, TrainerCallback, TrainingArguments
    torch.set_num_threads(os.cpu_count())
    model = PaliGemmaForConditionalGeneration.from_pretrained(root / "model", dtype=torch.float32)
    if method == "lora":
        model = get_peft_model(model, LoraConfig(r=8, target_modules=TARGETS, task_type="CAUSAL_LM"))
    times = []

    class Clock(TrainerCallback):
        def on_step_begin(self, *_, **__):
            self.begin = time.monotonic()

        def on_step_end(self, *_, **__):
            times.append(time.monotonic() - self.begin)

    arguments = TrainingArguments(output_dir=tempfile.mkdtemp(), per_device_train_batch_size=BATCH, max_steps=steps,
                                  logging_steps=1, save_strategy="no", report_to=[], use_cpu=True, disable_tqdm=True,
                                  remove_unused_columns=False)
    Trainer(model=model, args=arguments, train_dataset=JsonlSet(root / "data.jsonl", root / "model"),
            data_collator=collate, callbacks=[Clock()]).train()
    return times[WARM:]


def high_water(pid):
    """Megabytes; what getrusage says of a child starts with what its parent held when it was forked."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return max((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), default=0)


def run_engine(program, root, folder, data, steps, **settings):
    """The events of the steps, and the peak memory."""
    from training import start_engine, write_run
    run, peak = root / "run", 0
    shutil.rmtree(run, ignore_errors=True)
    write_run(run, folder, data, max_steps=steps, per_device_train_batch_size=BATCH, gradient_accumulation_steps=1,
              save_strategy="no", **settings)
    process = start_engine(program, run)
    time.sleep(0.1)  # until it is itself
    while process.poll() is None:
        peak = max(peak, high_water(process.pid))
        time.sleep(0.01)
    if process.returncode != 0:
        sys.exit(process.communicate()[1])
    events = [json.loads(line) for line in (run / "events/rank-000.jsonl").read_text().splitlines()]
    return [e for e in events if e["kind"] == "step"], peak


def engine_step(program, root, steps, method):
    settings = dict(finetuning_type=method, torch_num_threads=os.cpu_count())
    if method == "lora":
        settings |= dict(r=8, target_modules=TARGETS)
    events, peak = run_engine(program, root, root / "model", root / "data.jsonl", steps, **settings)
    parts = {k: sorted(e["anatomy"][k] for e in events[WARM:])[(steps - WARM) // 2] for k in events[0]["anatomy"]}
    print("  parts of ours: " + ", ".join(f"{k} {v:.3f}" for k, v in parts.items()), file=sys.stderr)
    # Trainer's clock above starts after a batch has been read.
    return [e["step_s"] - e["anatomy"]["wait"] for e in events[WARM:]], peak


def reference_pictures(root):
    import io
    import torch
    from PIL import Image
    from transformers import AutoProcessor
    torch.set_num_threads(1)
    processor = AutoProcessor.from_pretrained(root / "tiny224")
    lines = [json.loads(line) for line in (root / "photos.jsonl").read_text().splitlines()]

    def encode(line):
        image = Image.open(io.BytesIO(Path(line["image"]).read_bytes())).convert("RGB")
        processor(text="<image>" + line["prefix"], suffix=line["suffix"], images=image, return_tensors="pt")

    encode(lines[0])
    begin = time.process_time()
    for line in lines:
        encode(line)
    return len(lines) / (time.process_time() - begin)


def engine_pictures(program, root):
    """Seconds inside the loader, without threads of its own."""
    events, _ = run_engine(program, root, root / "tiny224", root / "photos.jsonl", 4, finetuning_type="full",
                           torch_num_threads=1, dataloader_num_workers=0)
    return sum(e["samples"] for e in events) / sum(e["anatomy"]["decode"] for e in events)


def measure(options):
    """Each side runs in a process of its own, so that its peak memory is its own."""
    root = Path(options.folder)
    if options.side == "reference":
        times = reference_step(root, options.steps, options.method)
        peak = high_water(os.getpid())
    else:
        times, peak = engine_step(options.program, root, options.steps, options.method)
    answer = {"step": sorted(times)[len(times) // 2], "peak": peak}
    photos = reference_pictures(root) if options.side == "reference" else engine_pictures(options.program, root)
    print(json.dumps(answer | {"photos": photos}))


def prepare(root):
    import training
    from middling import make_even_data, make_model
    tiny = training.make_folder(root / "tiny", "gemma2", seed=1)
    make_model(root / "model", tiny, width=384, layers=6, vocabulary=32768, vision=256)
    make_even_data(root / "data.jsonl", 4 * BATCH)
    program = Path(sys.argv[1]).with_name("roadtune")
    subprocess.run([program, "model", "new-tiny", "--out", root / "tiny224", "--image-size", "224"], check=True,
                   stdout=subprocess.DEVNULL)
    # Street scenes of the size of Waymo's pictures; noise would measure the entropy decoder that both sides share.
    subprocess.run([program, "data", "synth", "--format", "jsonl", "--out", root / "photos", "--segments", "1",
                    "--frames", "16", "--cameras", "front", "--progress", "none"], check=True, stdout=subprocess.DEVNULL)
    lines = [json.loads(line) for line in (root / "photos" / "data.jsonl").read_text().splitlines()]
    (root / "photos.jsonl").write_text("".join(
        json.dumps(line | {"image": str(root / "photos" / line["image"])}) + "\n" for line in lines))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--method", default="full", choices=["full", "lora"])
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--side", choices=["reference", "engine"])
    parser.add_argument("--folder")
    options = parser.parse_args()
    if options.side:
        return measure(options)
    with tempfile.TemporaryDirectory() as place:
        prepare(Path(place))
        sides = {}
        for side in ("reference", "engine"):
            command = [sys.executable, __file__, options.program, "--side", side, "--folder", place, "--steps",
                       str(options.steps), "--method", options.method]
            out = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
            sides[side] = json.loads(out.splitlines()[-1])
    theirs, ours = sides["reference"], sides["engine"]
    print(f"{options.method}, batch {BATCH}, {os.cpu_count()} cores")
    for name, side in {"transformers + Trainer": theirs, "roadtune-train": ours}.items():
        print(f"  {name:<24}{BATCH / side['step']:8.2f} samples/s  peak {side['peak']:6.0f} MB  "
              f"{side['photos']:6.1f} pictures/s per core")
    print(f"  {'ratio':<24}{theirs['step'] / ours['step']:8.2f}             "
          f"{ours['peak'] / theirs['peak']:6.2f}     {ours['photos'] / theirs['photos']:6.2f}")


main()
