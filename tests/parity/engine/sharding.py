# SPDX-License-Identifier: GPL-3.0-or-later
"""Several ranks of one run, as torchrun would start them."""
import random
import time

from training import start_engine, write_run

ports = iter(range(21000 + random.Random(time.time()).randrange(6000), 60000))


def start_ranks(program, run, folder, data, ranks, per_machine=None, **settings):
    write_run(run, folder, data, **settings)
    local = per_machine or ranks
    port = next(ports)
    return [start_engine(program, run, RANK=r, LOCAL_RANK=r % local, WORLD_SIZE=ranks, LOCAL_WORLD_SIZE=local,
                         NODE_RANK=r // local, MASTER_ADDR="127.0.0.1", MASTER_PORT=port) for r in range(ranks)]
