# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads a folder with TensorBoard's own reader and prints its scalars as JSON."""
import json
import sys

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.util import tensor_util

accumulator = EventAccumulator(sys.argv[1], size_guidance={"scalars": 0, "tensors": 0})
accumulator.Reload()
tags = accumulator.Tags()
result = {tag: [[e.step, e.wall_time, repr(e.value)] for e in accumulator.Scalars(tag)] for tag in tags["scalars"]}
for tag in tags["tensors"]:
    result[tag] = [[e.step, e.wall_time, repr(float(tensor_util.make_ndarray(e.tensor_proto)))] for e in accumulator.Tensors(tag)]
json.dump(result, sys.stdout)
