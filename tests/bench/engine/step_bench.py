# SPDX-License-Identifier: GPL-3.0-or-later
"""Times the same CPU training step in the engine and in transformers.Trainer, and takes the peak memory of each.

    .deps/oracle/bin/python tests/bench/engine/step_bench.py build/release/bin/roadtune-train [--method lora] [--steps 12]
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "parity" / "engine"))

TARGETS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]


def make_model(folder, tiny):
    """A model large enough for matrix products to dominate, with the tokenizer and processor of a tiny one."""
    import torch
    from transformers import PaliGemmaConfig, PaliGemmaForConditionalGeneration
    config = PaliGemmaConfig.from_pretrained(tiny)
    text, vision = config.text_config, config.vision_config
    text.hidden_size, text.intermediate_size, text.num_hidden_layers = 384, 1536, 6
    text.num_attention_heads, text.num_key_value_heads, text.head_dim, text.query_pre_attn_scalar = 6, 2, 64, 64
    text.vocab_size = 32768
    text.layer_types = ["sliding_attention", "full_attention"] * 3
    vision.hidden_size, vision.intermediate_size, vision.num_hidden_layers, vision.num_attention_heads = 256, 1024, 6, 4
    config.projection_dim = vision.projection_dim = 384
    torch.manual_seed(0)
    model = PaliGemmaForConditionalGeneration(config)
    model.save_pretrained(folder)
    for name in os.listdir(tiny):
        if not (Path(folder) / name).exists():
            (Path(folder) / name).write_bytes((Path(tiny) / name).read_bytes())


def reference(folder, data, steps, method):
    import torch
    from peft import LoraConfig, get_peft_model
    from training import JsonlSet, collate
    from transformers import PaliGemmaForConditionalGeneration, Trainer, TrainerCallback, TrainingArguments
    import time
    torch.set_num_threads(os.cpu_count())
    model = PaliGemmaForConditionalGeneration.from_pretrained(folder, dtype=torch.float32)
    if method == "lora":
        model = get_peft_model(model, LoraConfig(r=8, target_modules=TARGETS, task_type="CAUSAL_LM"))
    times = []

    class Clock(TrainerCallback):
        def on_step_end(self, *_, **__):
            times.append(time.monotonic())

    arguments = TrainingArguments(output_dir=tempfile.mkdtemp(), per_device_train_batch_size=4, max_steps=steps,
                                  logging_steps=1, save_strategy="no", report_to=[], use_cpu=True, disable_tqdm=True,
                                  remove_unused_columns=False)
    Trainer(model=model, args=arguments, train_dataset=JsonlSet(data, folder), data_collator=collate,
            callbacks=[Clock()]).train()
    return [b - a for a, b in zip(times[1:], times[2:])]


def engine(program, folder, data, steps, method, root):
    from training import train_with_engine
    settings = dict(finetuning_type=method, max_steps=steps, per_device_train_batch_size=4,
                    gradient_accumulation_steps=1, save_strategy="no", torch_num_threads=os.cpu_count())
    if method == "lora":
        settings |= dict(r=8, target_modules=TARGETS)
    run = train_with_engine(program, root / "run", folder, data, **settings)
    events = [json.loads(line) for line in (run / "events/rank-000.jsonl").read_text().splitlines()]
    return [e["step_s"] for e in events if e["kind"] == "step"][2:]


def side(name, options):
    """Each side runs in a process of its own, so that its peak memory is its own."""
    command = [sys.executable, __file__, options.program, "--side", name, "--folder", options.folder, "--steps",
               str(options.steps), "--method", options.method]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(out.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--method", default="full", choices=["full", "lora"])
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--side")
    parser.add_argument("--folder")
    options = parser.parse_args()
    sys.argv = [sys.argv[0], options.program]
    import training
    if options.side:
        root = Path(options.folder)
        if options.side == "engine":
            times = engine(options.program, root / "model", root / "data.jsonl", options.steps, options.method, root)
            peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        else:
            times = reference(root / "model", root / "data.jsonl", options.steps, options.method)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(json.dumps({"step_s": sorted(times)[len(times) // 2], "peak_mb": peak / 1024}))
        return
    with tempfile.TemporaryDirectory() as root:
        options.folder = root
        tiny = training.make_folder(Path(root) / "tiny", "gemma2", seed=1)
        make_model(Path(root) / "model", tiny)
        training.make_dataset(Path(root) / "data.jsonl", tiny, count=32)
        theirs, ours = side("reference", options), side("engine", options)
    print(f"{options.method}, batch 4, {os.cpu_count()} cores")
    print(f"  transformers + Trainer  {theirs['step_s']:.3f} s/step  peak {theirs['peak_mb']:.0f} MB")
    print(f"  roadtune-train          {ours['step_s']:.3f} s/step  peak {ours['peak_mb']:.0f} MB")
    print(f"  ratio                   {theirs['step_s'] / ours['step_s']:.2f}x       {ours['peak_mb'] / theirs['peak_mb']:.2f}")


main()
