# SPDX-License-Identifier: GPL-3.0-or-later
"""Learning rates and step counts as transformers and accelerate compute them, as JSON on stdout."""
import json
import os
import sys

import torch
from accelerate.data_loader import BatchSamplerShard
from torch.utils.data import BatchSampler, SequentialSampler
from transformers import TrainingArguments
from transformers.optimization import get_scheduler

FOLDER = os.path.dirname(sys.argv[1])


def rates(case):
    parameter = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.SGD([parameter], lr=case["lr"])
    schedule = get_scheduler(case["name"], optimizer, num_warmup_steps=case["warmup"], num_training_steps=case["total"],
                             scheduler_specific_kwargs=case.get("extra"))
    values = []
    for _ in range(case["steps"]):
        values.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        schedule.step()
    return values


def shards(case):
    sampler = BatchSampler(SequentialSampler(range(case["samples"])), case["batch"], case["drop_last"])
    if case["world"] == 1:
        return [list(sampler)]
    return [list(BatchSamplerShard(sampler, num_processes=case["world"], process_index=rank)) for rank in range(case["world"])]


def plan(case):
    """What Trainer derives from the length of its loader (Trainer.set_initial_training_values, run for real)."""
    from transformers import Trainer

    class Loader:
        def __init__(self, length, samples):
            self.length, self.dataset = length, range(samples)

        def __len__(self):
            return self.length

    arguments = TrainingArguments(output_dir=FOLDER, per_device_train_batch_size=case["batch"],
                                  gradient_accumulation_steps=case["accumulation"], num_train_epochs=case["epochs"],
                                  max_steps=case["max_steps"], use_cpu=True, report_to=[])
    trainer = Trainer(model=torch.nn.Linear(1, 1), args=arguments)
    length = len(shards(case)[0])
    epochs, per_epoch, _, _, _, steps_in_epoch, max_steps = trainer.set_initial_training_values(
        arguments, Loader(length, case["samples"]))
    return {"micro": steps_in_epoch, "per_epoch": per_epoch, "total": max_steps, "epochs": epochs}


def warmups(case):
    return TrainingArguments(output_dir=FOLDER, warmup_steps=case["warmup_steps"], use_cpu=True,
                             report_to=[]).get_warmup_steps(case["total"])


request = json.load(open(sys.argv[1]))
json.dump({"rates": [rates(c) for c in request["rates"]], "shards": [shards(c) for c in request["shards"]],
           "plans": [plan(c) for c in request["plans"]], "warmups": [warmups(c) for c in request["warmups"]]}, sys.stdout)
