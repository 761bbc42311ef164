# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders of the reference writer: FOLDER [more]. With "more" the first run goes on where it was."""
import sys

from torch.utils.tensorboard import SummaryWriter

folder, more = sys.argv[1], len(sys.argv) > 2
writer = SummaryWriter(folder + "/detr/lr-1e-4")
for step in range(100 if more else 0, 140 if more else 100):
    writer.add_scalar("Loss/train", 2.0 / (step + 1), step)
    writer.add_scalar("mAP", step / 200.0, step)
    writer.add_scalar("head/class_error", 50.0 - step / 4, step)
writer.close()
if not more:
    writer = SummaryWriter(folder + "/detr/lr-1e-5/seed 2")
    for step in range(0, 1000, 10):
        writer.add_scalar("accuracy", step / 1000.0, step)
    writer.add_scalar("accuracy", float("nan"), 1000)
    writer.close()
