# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run keeps besides checkpoints, and loader settings that must not change it: per-sample losses, averaged
weights, the best model, scores of predictions, noise on embeddings, caches, augmentation."""
import contextlib
import io
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path

import torch
from peft import PeftModel
from PIL import Image
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval
from safetensors.torch import load_file
from transformers import PaliGemmaForConditionalGeneration

from reference import Checks
from training import make_dataset, make_folder, start_engine, train_with_engine, write_run

LORA = dict(finetuning_type="lora", r=4, target_modules=["q_proj", "v_proj"], learning_rate=1e-3, max_steps=6,
            gradient_accumulation_steps=1)


def weights(run, step=6, name="adapter_model.safetensors"):
    return load_file(run / f"checkpoint-{step}" / name)


def same(a, b):
    return a.keys() == b.keys() and all(torch.equal(a[k], b[k]) for k in a)


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines() if line]


def ledger(checks, program, root, folder, data):
    run = train_with_engine(program, root / "ledger", folder, data, **LORA, save_steps=3)
    entries = lines(run / "ledger" / "rank-000.jsonl")
    checks.true("ledger: a line per sample and step", len(entries) == 12, entries)
    steps = [e for e in lines(run / "events" / "rank-000.jsonl") if e["kind"] == "step"]
    for step in steps:
        mine = [e for e in entries if e["step"] == step["step"]]
        mean = sum(e["loss"] * e["tokens"] for e in mine) / sum(e["tokens"] for e in mine)
        checks.at_most(f"ledger: step {step['step']} is the mean of its samples", abs(mean - step["loss"]), 1e-5)
    write_run(run, folder, data, **LORA, save_steps=3, resume_from_checkpoint=str(run / "checkpoint-3"))
    start_engine(program, run).communicate()
    later = lines(run / "ledger" / "rank-000.jsonl")
    checks.true("ledger: goes on where the run goes on", later[12] == {"resumed_from": 3} and later[13:] == entries[6:])


def average(checks, program, root, folder, data):
    settings = dict(LORA, save_steps=1, ema_decay=0.75)
    run = train_with_engine(program, root / "ema", folder, data, **settings)
    expected = None
    for step in range(1, 7):
        now = weights(run, step)
        # The first step has rate 0: weights and average start there.
        expected = now if expected is None else {k: 0.75 * expected[k] + 0.25 * now[k] for k in now}
        found = weights(run, step, "ema/adapter_model.safetensors")
        worst = max(float((found[k] - expected[k]).abs().max()) for k in expected)
        checks.at_most(f"average after step {step}", worst, 1e-6)
    plain = train_with_engine(program, root / "plain", folder, data, **dict(settings, ema_decay=None))
    checks.true("average: the run itself is not changed", same(weights(run), weights(plain)))
    write_run(run, folder, data, **settings, resume_from_checkpoint=str(run / "checkpoint-3"))
    before = (run / "checkpoint-6" / "ema_state.safetensors").read_bytes()
    for step in (4, 5, 6):
        shutil.rmtree(run / f"checkpoint-{step}")
    start_engine(program, run).communicate()
    checks.true("average: resumed to the same bytes", (run / "checkpoint-6" / "ema_state.safetensors").read_bytes() == before)


def best(checks, program, root, folder, data, held):
    settings = dict(LORA, eval_data=str(held), eval_strategy="steps", eval_steps=1, save_steps=1, save_total_limit=2,
                    load_best_model_at_end=True, learning_rate=2e-2)
    run = train_with_engine(program, root / "best", folder, data, **settings)
    evals = [(e["loss"], e["step"]) for e in lines(run / "events" / "rank-000.jsonl") if e["kind"] == "eval"]
    step = min(evals)[1]
    results = json.loads((run / "all_results.json").read_text())
    checks.true("best: named", results["best_model_checkpoint"].endswith(f"checkpoint-{step}"), results)
    checks.true("best: kept", (run / f"checkpoint-{step}" / "COMPLETE").exists())
    checks.true("best: exported", same(load_file(run / "best" / "adapter_model.safetensors"), weights(run, step)))
    base = PaliGemmaForConditionalGeneration.from_pretrained(folder)
    PeftModel.from_pretrained(base, run / "best")


def best_of_a_named_metric(checks, program, root, folder, data, held):
    """Who names a metric keeps the model that is best by it, loaded at the end or not; and an evaluation before the first step
    is none that counts: Trainer's own rotation and callbacks."""
    settings = dict(LORA, eval_data=str(held), eval_strategy="steps", eval_steps=1, save_steps=1, save_total_limit=2, max_steps=4,
                    metric_for_best_model="loss", greater_is_better=True)  # the first, as losses fall
    run = train_with_engine(program, root / "rotated", folder, data, **settings)
    state = json.loads((run / "checkpoint-4/trainer_state.json").read_text())
    kept = sorted(f.name for f in run.glob("checkpoint-*"))
    checks.true("named metric: the best stays beside the last", kept == [f"checkpoint-{state['best_global_step']}", "checkpoint-4"],
                (kept, state["best_global_step"]))
    run = train_with_engine(program, root / "patient", folder, data, **dict(
        LORA, eval_data=str(held), eval_strategy="steps", eval_steps=1, eval_on_start=True, early_stopping_patience=1, warmup_steps=2,
        load_best_model_at_end=True, save_steps=1, max_steps=3))
    state = json.loads((run / "checkpoint-3/trainer_state.json").read_text())
    evals = [(e["step"], e["loss"]) for e in lines(run / "events" / "rank-000.jsonl") if e["kind"] == "eval"]
    checks.true("a start's evaluation, equal to that of a first step without a rate, is no last chance",
                [step for step, _ in evals] == [0, 1, 2, 3] and evals[0][1] == evals[1][1], evals)
    checks.true("nor the best", state["best_global_step"] > 0 and not (run / "checkpoint-0").exists(), state["best_global_step"])


def told_boxes(text, width, height):
    """(label, [x, y, w, h]) of each object in an answer."""
    for places, label in re.findall(r"((?:<loc\d{4}>){4}) ?([^<;]+)", text):
        y1, x1, y2, x2 = (int(n) / 1023 for n in re.findall(r"\d{4}", places))
        if y2 > y1 and x2 > x1:
            yield label.strip(), [x1 * width, y1 * height, (x2 - x1) * width, (y2 - y1) * height]


def coco_scores(checks, predictions):
    """What pycocotools says of a predictions file, which must name the boxes that its texts hold."""
    names, truth, found = {}, [], []
    for number, line in enumerate(predictions, 1):
        size = Image.open(line["image_path"]).size
        said = list(told_boxes(line["text"], *size))
        checks.true("scores: boxes of a text", [label for label, _ in said] == [b["label"] for b in line["boxes"]], line)
        for (_, box), listed in zip(said, line["boxes"]):
            checks.at_most("scores: places of a text", max(abs(a - b) for a, b in zip(box, listed["bbox"])), 1e-6)
        answers = [(b["label"], b["bbox"], b["score"]) for b in line["boxes"]]
        expected = [(label, box, 1) for label, box in told_boxes(line["expected"], *size)]
        for into, boxes in ((truth, expected), (found, answers)):
            for label, box, score in boxes:
                into.append({"id": len(into) + 1, "image_id": number, "bbox": box, "area": box[2] * box[3], "iscrowd": 0,
                             "category_id": names.setdefault(label, len(names) + 1), "score": score})
    if not found:
        return 0.0, 0.0
    coco = COCO()
    coco.dataset = {"images": [{"id": i} for i in range(1, len(predictions) + 1)], "annotations": truth,
                    "categories": [{"id": i, "name": name} for name, i in names.items()]}
    with contextlib.redirect_stdout(io.StringIO()):
        coco.createIndex()
        judge = COCOeval(coco, coco.loadRes(found), "bbox")
        judge.evaluate(), judge.accumulate(), judge.summarize()
    return judge.stats[0], judge.stats[1]


def scores(checks, program, root, folder):
    """Learnt by heart, so that predictions become right on the way; each evaluation is judged as pycocotools does."""
    data = make_dataset(root / "few.jsonl", folder, 2, seed=4)
    answers = ("<loc0100><loc0150><loc0600><loc0700> vehicle",
               "<loc0300><loc0020><loc0900><loc0400> pedestrian ; <loc0050><loc0500><loc0450><loc1000> cyclist")
    data.write_text("".join(json.dumps(json.loads(line) | {"suffix": answer}) + "\n"
                            for line, answer in zip(data.read_text().splitlines(), answers)))
    places = {f"{data.name}:{i}": json.loads(line)["image"] for i, line in enumerate(data.read_text().splitlines(), 1)}
    settings = dict(finetuning_type="full", learning_rate=3e-3, max_steps=120, per_device_train_batch_size=2,
                    gradient_accumulation_steps=1, eval_data=str(data), eval_strategy="steps", eval_steps=20, save_steps=20,
                    save_total_limit=1, num_probe_samples=2, max_new_tokens=40, load_best_model_at_end=True)
    run = train_with_engine(program, root / "scores", folder, data, **settings, metric_for_best_model="ap50")
    evals = [e for e in lines(run / "events" / "rank-000.jsonl") if e["kind"] == "eval"]
    for event in evals:
        told = lines(run / "predictions" / f"step-{event['step']}.jsonl")
        for line in told:
            line["image_path"] = places[Path(line["image"]).name]
        ap, ap50 = coco_scores(checks, told)
        checks.at_most(f"scores: AP50 at step {event['step']}", abs(event["AP50"] - ap50), 1e-6)
        checks.at_most(f"scores: AP at step {event['step']}", abs(event["AP"] - ap), 1e-6)
    checks.true("scores: boxes become right", max(e["AP50"] for e in evals) > 0.5, evals)
    checks.true("scores: no answer in words was asked for", "accuracy" not in evals[0])
    first = max(evals, key=lambda e: e["AP50"])["step"]
    results = json.loads((run / "all_results.json").read_text())
    checks.true("scores: best by AP50", results["best_model_checkpoint"].endswith(f"checkpoint-{first}"), results)
    checks.true("scores: told at the end", "eval_AP50" in results, results)

    words = root / "words.jsonl"
    words.write_text("".join(json.dumps(json.loads(line) | {"prefix": "answer en colour?", "suffix": word}) + "\n"
                             for line, word in zip(data.read_text().splitlines(), ("red", "dark blue"))))
    settings |= dict(eval_data=str(words), max_steps=40, eval_steps=10, save_steps=10)
    run = train_with_engine(program, root / "words", folder, words, **settings, metric_for_best_model="eval_accuracy")
    evals = [e for e in lines(run / "events" / "rank-000.jsonl") if e["kind"] == "eval"]
    for event in evals:
        told = lines(run / "predictions" / f"step-{event['step']}.jsonl")
        right = sum(line["text"].strip() == line["expected"] for line in told) / len(told)
        checks.at_most(f"scores: accuracy at step {event['step']}", abs(event["accuracy"] - right), 1e-9)
    checks.true("scores: words become right", evals[-1]["accuracy"] == 1.0, evals)


def split(checks, program, root, folder, data):
    settings = dict(LORA, eval_fraction=0.25, eval_strategy="steps", eval_steps=3, num_probe_samples=2, max_new_tokens=3)
    run = train_with_engine(program, root / "split", folder, data, **settings)
    seen = {e["sample"] for e in lines(run / "ledger" / "rank-000.jsonl")}
    told = [lines(run / "predictions" / f"step-{s}.jsonl") for s in (3, 6)]
    checks.true("split: probe samples stay the same", [p["image"] for p in told[0]] == [p["image"] for p in told[1]])
    checks.true("split: what is held out is not trained on", not seen & {p["image"] for p in told[0]})


def loader(checks, program, root, folder, data):
    plain = weights(train_with_engine(program, root / "loader", folder, data, **LORA))
    for kind in ("memory", "disk"):
        settings = dict(LORA, image_cache=kind, num_train_epochs=2, dataloader_num_workers=2)
        if kind == "disk":
            settings["image_cache_dir"] = str(root / "cache")
        for time in ("first", "second"):
            run = train_with_engine(program, root / "cached", folder, data, **settings)
            checks.true(f"{kind} cache, {time} run: same weights", same(weights(run), plain))
    checks.true("disk cache: holds every picture once", sum(p.stat().st_size for p in (root / "cache").rglob("*.pack"))
                == 12 * (24 + 3 * 56 * 56))
    changed = [weights(train_with_engine(program, root / "changed", folder, data, **LORA, augment=True,
                                         dataloader_num_workers=workers)) for workers in (0, 1, 4)]
    checks.true("augmentation: changes the run", not same(changed[0], plain))
    checks.true("augmentation: not with the number of workers", same(changed[0], changed[1]) and same(changed[0], changed[2]))


def towers(checks, program, root, folder, data):
    """Features of a frozen vision tower that are kept: the same run, whoever computed them."""
    settings = dict(LORA, exclude_modules=".*vision_tower.*", eval_data=str(data), eval_strategy="steps", eval_steps=3,
                    num_train_epochs=2, num_probe_samples=3, max_new_tokens=4, save_steps=3)
    plain = train_with_engine(program, root / "plain_tower", folder, data, **settings)
    expected = [(e["loss"], e["grad_norm"]) for e in lines(plain / "events" / "rank-000.jsonl") if e["kind"] == "step"]
    seen = {}
    for kind in ("memory", "disk", "disk", "memory"):
        run = train_with_engine(program, root / "kept", folder, data, **settings, cache_vision_features=kind,
                                vision_cache_dir=str(root / "features"), dataloader_num_workers=2)
        found = [(e["loss"], e["grad_norm"]) for e in lines(run / "events" / "rank-000.jsonl") if e["kind"] == "step"]
        worst = max(abs(a - b) / b for x, y in zip(found, expected) for a, b in zip(x, y))
        checks.at_most(f"features kept in {kind}: losses and gradient norms", worst, 1e-5)
        told = [lines(r / "predictions" / "step-6.jsonl") for r in (run, plain)]
        checks.true(f"features kept in {kind}: predictions", [p["text"] for p in told[0]] == [p["text"] for p in told[1]])
        now = weights(run)
        checks.true(f"features kept in {kind}: the same bytes each time", same(now, seen.setdefault("weights", now)))
        seen.setdefault("logs", []).append((run / "printed").read_text())
    kept = sum(p.stat().st_size for p in (root / "features").rglob("*.pack"))
    width = json.loads((folder / "config.json").read_text())["vision_config"]["hidden_size"]
    checks.true("features: kept once per picture", kept == 12 * (24 + (56 // 14) ** 2 * width * 4), kept)
    checks.true("features: found by the next run", "vision features: 0 computed" in seen["logs"][2], seen["logs"][2])
    write_run(run, folder, data, **settings, cache_vision_features="memory", resume_from_checkpoint=str(run / "checkpoint-3"))
    shutil.rmtree(run / "checkpoint-6")
    start_engine(program, run).communicate()
    checks.true("features: resumed to the same bytes", same(weights(run), seen["weights"]))
    write_run(run, folder, data, **dict(settings, exclude_modules=None), cache_vision_features="memory")
    process = start_engine(program, run)
    out, err = process.communicate()
    checks.true("features: a tower that is adapted is refused", process.returncode == 2 and "vision tower" in out + err, out + err)


def noise(checks, program, root, folder, data):
    plain = weights(train_with_engine(program, root / "noise", folder, data, **LORA))
    noisy = weights(train_with_engine(program, root / "noise", folder, data, **LORA, neftune_noise_alpha=5))
    again = weights(train_with_engine(program, root / "noise", folder, data, **LORA, neftune_noise_alpha=5,
                                      gradient_checkpointing=True))
    none = weights(train_with_engine(program, root / "noise", folder, data, **LORA, neftune_noise_alpha=0))
    checks.true("noise: changes the run, alike each time", not same(noisy, plain) and same(noisy, again))
    checks.true("noise: strength 0 is none", same(none, plain))


def starts(checks, program, root, folder, data):
    for kind, zero in (("gaussian", True), ("orthogonal", True), ("false", False)):
        run = train_with_engine(program, root / kind, folder, data, **dict(LORA, max_steps=1), init_lora_weights=kind)
        now = weights(run, 1)  # rate 0: as they began
        pairs = [(now[k], now[k.replace("lora_A", "lora_B")]) for k in now if "lora_A" in k]
        product = max(float((b @ a).abs().max()) for a, b in pairs)
        checks.true(f"{kind}: the model {'is' if zero else 'is not'} as before", (product < 1e-6) == zero, product)
        if kind == "gaussian":
            spread = torch.cat([a.flatten() for a, _ in pairs]).std()
            checks.at_most("gaussian: deviation 1/r", abs(float(spread) - 0.25), 0.02)


def at_the_end(checks, program, root, folder, data, held):
    """Evaluations counted in steps also come after the last one, as Trainer's do."""
    settings = dict(LORA, max_steps=5, eval_data=str(held), eval_strategy="steps", eval_steps=3, save_steps=3,
                    load_best_model_at_end=True)
    run = train_with_engine(program, root / "end", folder, data, **settings)
    found = [e["step"] for e in lines(run / "events" / "rank-000.jsonl") if e["kind"] == "eval"]
    checks.true("evaluations: at 3 and at the end", found == [3, 5], found)
    settings |= dict(eval_steps=100, save_steps=100)
    run = train_with_engine(program, root / "end", folder, data, **settings)
    state = json.loads((run / "checkpoint-5" / "trainer_state.json").read_text())
    checks.true("evaluations: one at least, so that there is a best", state["best_global_step"] == 5, state)


def unusable(checks, program, root, folder, data):
    """Samples that cannot be read are left out; when nothing is left, the run says so instead of learning nothing."""
    lines_of = data.read_text().splitlines()
    gone = [json.dumps(dict(json.loads(line), image="gone.png")) for line in lines_of]
    some, none = root / "some.jsonl", root / "none.jsonl"
    some.write_text("\n".join(lines_of[:2] + gone[2:4] + lines_of[4:6]))
    none.write_text("\n".join(gone))
    settings = dict(LORA, per_device_train_batch_size=2, logging_steps=3, max_steps=3, shuffle=False)
    run = train_with_engine(program, root / "some", folder, some, **settings)
    steps = [e for e in lines(run / "events" / "rank-000.jsonl") if e["kind"] == "step"]
    checks.true("unusable: a step without samples has no loss", ["loss" in e for e in steps] == [True, False, True], steps)
    state = json.loads((run / "checkpoint-3" / "trainer_state.json").read_text())
    mean = (steps[0]["loss"] + steps[0]["loss"] + steps[2]["loss"]) / 3
    checks.at_most("unusable: nor does it lower the mean", abs(state["log_history"][0]["loss"] - mean), 1e-6)
    write_run(root / "none", folder, none, **dict(settings, max_steps=50))
    process = start_engine(program, root / "none")
    out, err = process.communicate()
    checks.true("unusable: a run without a sample fails", process.returncode == 2, (process.returncode, err))
    checks.true("unusable: and names the first", "no sample of the training data can be used" in err and "gone.png" in err, err)


def stuck(checks, program, root, folder, data):
    """A part that is to be trained at a rate of zero stands still, and the first step with a rate says so."""
    for name, warmup in (("at once", 0), ("after a warm-up's first step", 2)):
        run = root / f"stuck{warmup}"
        write_run(run, folder, data, **dict(LORA, finetuning_type="full", learning_rate=0, language_model_learning_rate=1e-3,
                                            multi_modal_projector_learning_rate=1e-3, warmup_steps=warmup))
        process = start_engine(program, run)
        out, err = process.communicate()
        checks.true(f"stuck {name}: the run fails", process.returncode not in (0, 2), (process.returncode, err))
        checks.true(f"stuck {name}: and names what stood still",
                    err.count("vision_tower") >= 10 and err.count("received a gradient, but did not change") >= 10, err)
        checks.true(f"stuck {name}: and nothing else", "language_model" not in err, err)
    write_run(root / "crawling", folder, data, **dict(LORA, finetuning_type="full", learning_rate=1e-12, warmup_steps=0))
    process = start_engine(program, root / "crawling")
    out, err = process.communicate()
    checks.true("stuck: steps too small to see are nobody's fault", process.returncode == 0, err)


def main(program):
    checks = Checks()
    with tempfile.TemporaryDirectory() as root:
        root = Path(root)
        folder = make_folder(root / "model", "gemma2", 5)
        data, held = make_dataset(root / "data.jsonl", folder, 12), make_dataset(root / "held.jsonl", folder, 4, seed=9)
        ledger(checks, program, root, folder, data)
        average(checks, program, root, folder, data)
        best(checks, program, root, folder, data, held)
        best_of_a_named_metric(checks, program, root, folder, data, held)
        scores(checks, program, root, folder)
        split(checks, program, root, folder, data)
        loader(checks, program, root, folder, data)
        towers(checks, program, root, folder, data)
        noise(checks, program, root, folder, data)
        starts(checks, program, root, folder, data)
        at_the_end(checks, program, root, folder, data, held)
        unusable(checks, program, root, folder, data)
        stuck(checks, program, root, folder, data)
    checks.finish()


main(sys.argv[1])
