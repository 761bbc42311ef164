# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes scalars, and things that are no scalars, with the reference writers."""
import sys

import numpy as np
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary, SummaryMetadata
from tensorboard.summary.writer.event_file_writer import EventFileWriter
from tensorboard.util import tensor_util
from torch.utils.tensorboard import SummaryWriter

folder = sys.argv[1]
writer = SummaryWriter(folder + "/torch")
for step in range(50):
    writer.add_scalar("train/loss", 1.0 / (step + 1), step, walltime=1000.5 + step)
writer.add_scalar("train/loss", float("nan"), 50, walltime=1050.5)
writer.add_scalar("new/style", 0.125, 7, walltime=1007.5, new_style=True)
writer.add_histogram("weights", np.arange(100.0), 1)
writer.add_text("note", "hello", 1)
writer.close()


def tensor_event(tag, array, step, plugin):
    metadata = SummaryMetadata(plugin_data=SummaryMetadata.PluginData(plugin_name=plugin)) if plugin else None
    value = Summary.Value(tag=tag, tensor=tensor_util.make_tensor_proto(array), metadata=metadata)
    return Event(wall_time=2000.5 + step, step=step, summary=Summary(value=[value]))


writer = EventFileWriter(folder + "/tensors")
for step, dtype in enumerate([np.float32, np.float64, np.int32, np.int64, np.float16]):
    writer.add_event(tensor_event("scalar/" + np.dtype(dtype).name, np.array(3, dtype=dtype), step, "scalars"))
writer.add_event(tensor_event("second", np.array(1.0, dtype=np.float32), 0, "scalars"))
writer.add_event(tensor_event("second", np.array(2.0, dtype=np.float32), 1, None))
writer.add_event(tensor_event("curve", np.zeros((6, 10), dtype=np.float32), 0, "pr_curves"))
writer.close()
