# SPDX-License-Identifier: GPL-3.0-or-later
"""The Hugging Face side of compare.py, in a process of its own: makes a random model of full size on the device, and
trains it with transformers.Trainer (peft, bitsandbytes), one JSON line per optimizer step on standard output."""
import argparse
import io
import json
import os
import shutil
import sys
import time
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

import torch  # noqa: E402
import transformers  # noqa: E402

TARGETS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]

TEXT = dict(model_type="gemma2", vocab_size=257216, hidden_size=2304, intermediate_size=9216, num_hidden_layers=26,
            num_attention_heads=8, num_key_value_heads=4, head_dim=256, query_pre_attn_scalar=256, sliding_window=4096,
            attn_logit_softcapping=50.0, final_logit_softcapping=30.0, hidden_activation="gelu_pytorch_tanh")
VISION = dict(model_type="siglip_vision_model", hidden_size=1152, intermediate_size=4304, num_hidden_layers=27,
              num_attention_heads=16, patch_size=14, vision_use_head=False, projection_dim=2304)
TINY_TEXT = TEXT | dict(vocab_size=512, hidden_size=64, intermediate_size=128, num_hidden_layers=2, head_dim=16,
                        query_pre_attn_scalar=16)
TINY_VISION = VISION | dict(hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4,
                            projection_dim=64)


def make_model(options):
    """PaliGemma 2 3B (or a tiny one) with random weights, in bfloat16, with the tokenizer of a tiny model, and an adapter of
    it that both sides begin with."""
    tiny = json.loads((options.tokenizer / "config.json").read_text())
    image_token = tiny.get("image_token_index", tiny.get("image_token_id"))
    ids = {key: tiny.get(key, tiny["text_config"].get(key)) for key in ("pad_token_id", "bos_token_id", "eos_token_id")}
    text, vision = (TINY_TEXT, TINY_VISION) if options.tiny else (TEXT, VISION)
    config = transformers.PaliGemmaConfig(
        text_config=text | {"vocab_size": max(text["vocab_size"], tiny["text_config"]["vocab_size"])} | ids,
        vision_config=vision | {"image_size": options.size}, image_token_index=image_token,
        projection_dim=text["hidden_size"], hidden_size=text["hidden_size"], **ids)
    torch.manual_seed(7)
    with torch.device(options.device):
        model = transformers.PaliGemmaForConditionalGeneration(config).to(torch.bfloat16)
    model.save_pretrained(options.folder)
    tokens = (options.size // 14) ** 2
    for file in options.tokenizer.iterdir():
        if file.name in ("config.json", "generation_config.json") or file.suffix == ".safetensors":
            continue
        shutil.copy(file, options.folder)
    for name in ("preprocessor_config.json", "processor_config.json"):
        path = options.folder / name
        if not path.exists():
            continue
        settings = json.loads(path.read_text())
        for part in (settings, settings.get("image_processor", {})):
            if "size" in part:
                part["size"] = {"height": options.size, "width": options.size}
            for key in ("image_seq_length", "num_image_tokens"):
                if key in part or part is settings:
                    part[key] = tokens
        path.write_text(json.dumps(settings, indent=2))
    make_adapter(config, options.folder / "adapter")
    print(json.dumps({"parameters": sum(p.numel() for p in model.parameters())}))


def make_adapter(config, folder):
    """As peft draws new ones: A uniform, B zero."""
    from peft import LoraConfig, get_peft_model, get_peft_model_state_dict
    from safetensors.torch import save_file
    settings = LoraConfig(r=8, lora_alpha=8, target_modules=TARGETS, task_type="CAUSAL_LM")
    with torch.device("meta"):
        shapes = get_peft_model_state_dict(get_peft_model(transformers.PaliGemmaForConditionalGeneration(config), settings))
    uniform = lambda rows, columns: (torch.rand(rows, columns) * 2 - 1) / columns**0.5  # noqa: E731
    folder.mkdir()
    settings.save_pretrained(folder)
    save_file({name: uniform(*like.shape) if "lora_A" in name else torch.zeros(like.shape) for name, like in shapes.items()},
              folder / "adapter_model.safetensors", metadata={"format": "pt"})


class Lines(torch.utils.data.Dataset):
    def __init__(self, path):
        self.lines = [json.loads(line) for line in Path(path).read_text().splitlines()]

    def __len__(self):
        return len(self.lines)

    def __getitem__(self, index):
        return self.lines[index]


class Collate:
    def __init__(self, folder):
        self.processor = transformers.AutoProcessor.from_pretrained(folder)

    def __call__(self, samples):
        from PIL import Image
        images = [Image.open(io.BytesIO(Path(s["image"]).read_bytes())).convert("RGB") for s in samples]
        return dict(self.processor(text=["<image>" + s["prefix"] for s in samples], suffix=[s["suffix"] for s in samples],
                                   images=images, return_tensors="pt", padding="longest"))


def load(options):
    kind = transformers.PaliGemmaForConditionalGeneration
    if options.method == "full":
        return kind.from_pretrained(options.folder, dtype=torch.bfloat16 if options.pure_bf16 else torch.float32)
    from peft import PeftModel, prepare_model_for_kbit_training
    if options.method == "qlora":
        four = transformers.BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_quant_type="nf4",
                                               bnb_4bit_use_double_quant=True, bnb_4bit_compute_dtype=torch.bfloat16)
        model = kind.from_pretrained(options.folder, dtype=torch.bfloat16, quantization_config=four)
        if options.upcast:
            model = prepare_model_for_kbit_training(model, use_gradient_checkpointing=options.checkpointing)
    else:
        model = kind.from_pretrained(options.folder, dtype=torch.bfloat16)
    return PeftModel.from_pretrained(model, options.folder / "adapter", is_trainable=True)


class Clock(transformers.TrainerCallback):
    """Seconds between the ends of steps, the loader's time included."""

    def __init__(self, device):
        self.cuda, self.last, self.losses = device.startswith("cuda"), None, []

    def on_step_end(self, arguments, state, control, **_):
        if self.cuda:
            torch.cuda.synchronize()
        now = time.monotonic()
        if self.last is not None:
            print(json.dumps({"step": state.global_step, "seconds": now - self.last}), flush=True)
        self.last = now

    def on_log(self, arguments, state, control, logs=None, **_):
        if logs and "loss" in logs:
            print(json.dumps({"step": state.global_step, "loss": logs["loss"]}), flush=True)


class InOrder(transformers.Trainer):
    def _get_train_sampler(self, *_):
        return torch.utils.data.SequentialSampler(self.train_dataset)


def train(options):
    cuda = options.device.startswith("cuda")
    optimizer = "adamw_bnb_8bit" if options.eight_bit else "adamw_torch_fused" if cuda else "adamw_torch"
    arguments = transformers.TrainingArguments(
        output_dir=str(options.folder) + "-reference", per_device_train_batch_size=options.batch,
        gradient_accumulation_steps=options.accumulate, max_steps=options.steps, learning_rate=options.learning_rate,
        lr_scheduler_type="constant", weight_decay=1e-6, max_grad_norm=1.0, logging_steps=1, save_strategy="no",
        report_to=[], bf16=True, use_cpu=not cuda, seed=42, remove_unused_columns=False, disable_tqdm=True,
        dataloader_num_workers=options.workers, optim=optimizer,
        gradient_checkpointing=options.checkpointing)
    InOrder(model=load(options), args=arguments, train_dataset=Lines(options.data),
            data_collator=Collate(options.folder), callbacks=[Clock(options.device)]).train()
    peak = torch.cuda.max_memory_allocated() if cuda else 0
    print(json.dumps({"peak_allocated": peak, "transformers": transformers.__version__}), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=["make-model", "train"])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--method", choices=["full", "lora", "qlora"], default="full")
    parser.add_argument("--size", type=int, default=224)
    for name, value in (("--batch", 8), ("--accumulate", 1), ("--steps", 10), ("--workers", 8)):
        parser.add_argument(name, type=int, default=value)
    parser.add_argument("--learning-rate", type=float, default=1e-5)
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--checkpointing", action="store_true")
    parser.add_argument("--eight-bit", action="store_true")
    parser.add_argument("--pure-bf16", action="store_true", help="full: the model in bfloat16, and what AdamW keeps of it")
    parser.add_argument("--upcast", action="store_true", help="norms and embeddings of QLoRA in float32, and with them the residual stream")
    options = parser.parse_args()
    return make_model(options) if options.action == "make-model" else train(options)


if __name__ == "__main__":
    sys.exit(main())
