# SPDX-License-Identifier: GPL-3.0-or-later
"""Our tiny models load in transformers as they are; what transformers saves is read back tensor by tensor.

usage: checkpoints.py ROADTUNE FOLDER
"""
import json
import logging
import os
import subprocess
import sys
import warnings

import sentencepiece
import torch
from transformers import AutoProcessor, PaliGemmaConfig, PaliGemmaForConditionalGeneration
from transformers.utils import logging as hub_logging

problems = []


class Collector(logging.Handler):
    def emit(self, record):
        problems.append(f"warning: {record.getMessage()}")


def check(condition, message):
    if not condition:
        problems.append(message)


def info(program, folder):
    result = subprocess.run([program, "model", "info", folder, "--json"], capture_output=True, text=True)
    check(result.returncode == 0, f"model info {folder}: {result.stderr}")
    return json.loads(result.stdout)


def tiny_loads(program, folder, family, size):
    made = subprocess.run([program, "model", "new-tiny", "--out", folder, "--family", family, "--image-size", str(size), "--seed", "3"],
                          capture_output=True, text=True)
    check(made.returncode == 0, made.stderr)
    model, report = PaliGemmaForConditionalGeneration.from_pretrained(folder, output_loading_info=True)
    for key in ["missing_keys", "unexpected_keys", "mismatched_keys", "error_msgs"]:
        check(not report[key], f"{family}: {key} {report[key]}")
    count = sum(p.numel() for p in model.parameters())
    facts = info(program, folder)
    check(facts["weights"]["parameters"] == count, f"{family}: {facts['weights']['parameters']} of {count} parameters")
    check(1_000_000 <= count <= 3_000_000 or size > 112, f"{family}: {count} parameters")
    processor = AutoProcessor.from_pretrained(folder)
    check(processor.image_seq_length == (size // 14) ** 2, "image_seq_length")
    check(processor.image_token_id == model.config.image_token_index, "image token")
    sentencepiece_agrees(folder, processor.tokenizer)
    ids = processor.tokenizer("detect vehicle ; pedestrian ; cyclist\n")["input_ids"]
    check(len(ids) == 7, f"the task's words are single tokens: {processor.tokenizer.convert_ids_to_tokens(ids)}")
    return model


def sentencepiece_agrees(folder, tokenizer):
    """tokenizer.model, run by SentencePiece itself, gives the ids of tokenizer.json."""
    pieces = sentencepiece.SentencePieceProcessor(model_file=os.path.join(folder, "tokenizer.model"))
    check([pieces.pad_id(), pieces.eos_id(), pieces.bos_id(), pieces.unk_id()] == [0, 1, 2, 3], "special pieces")
    for text in ["detect vehicle ; pedestrian ; cyclist", "<loc0001><loc1023> car ; sign", " two  blanks\n\nand lines", "naïve 東京 😊",
                 "answer en how many vehicles are there ?", "vehiclespedestrian 42"]:
        check(pieces.encode(text) == tokenizer(text, add_special_tokens=False)["input_ids"], f"tokenizer.model and {text!r}")


def saved_again(program, model, folder, **options):
    model.save_pretrained(folder, **options)
    facts = info(program, folder)
    count = sum(p.numel() for p in model.parameters())
    check(facts["weights"].get("parameters") == count, f"{folder}: {facts['weights']}")
    return facts


def default_config(program, folder):
    """Nothing but defaults: transformers writes next to nothing, and we must supply the rest."""
    config = PaliGemmaConfig()
    os.makedirs(folder, exist_ok=True)
    for name, text in [("saved", json.loads(config.to_json_string(use_diff=True))), ("empty", {"model_type": "paligemma"}),
                       ("bare", {"model_type": "paligemma", "vision_config": {"vision_use_head": False}, "text_config": {"hidden_size": 2048}})]:
        with open(os.path.join(folder, "config.json"), "w") as file:
            json.dump(text, file)
        with open(os.path.join(folder, "run.yaml"), "w") as file:
            file.write(f"model_name_or_path: {folder}\nfinetuning_type: full\n")
        result = subprocess.run([program, "params", "--config", os.path.join(folder, "run.yaml"), "--json"], capture_output=True, text=True)
        with torch.device("meta"):
            model = PaliGemmaForConditionalGeneration(PaliGemmaConfig(**text))
        expected = sum(p.numel() for p in model.parameters())
        check(result.returncode == 0 and json.loads(result.stdout)["all"] == expected, f"{name}: {result.stdout[:80]} {result.stderr}, not {expected}")


def main():
    program, folder = sys.argv[1:3]
    warnings.filterwarnings("error", module="transformers")
    hub_logging.disable_progress_bar()
    logging.getLogger("transformers").addHandler(Collector())
    for family, size in [("paligemma", 112), ("paligemma2", 112), ("paligemma2", 224)]:
        base = os.path.join(folder, f"{family}-{size}")
        model = tiny_loads(program, base, family, size)
        again = saved_again(program, model, base + "-again")
        check(again["weights"].get("layout") == "L0", f"layout {again['weights']}")
        saved_again(program, model, base + "-shards", max_shard_size="300KB")
        saved_again(program, model.to(torch.bfloat16), base + "-bf16")
        fresh = PaliGemmaForConditionalGeneration(model.config)
        facts = saved_again(program, fresh, base + "-fresh")
        check(facts["weights"].get("layout") == "hf5", f"fresh layout {facts['weights']}")
    default_config(program, os.path.join(folder, "defaults"))
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
