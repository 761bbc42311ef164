# SPDX-License-Identifier: GPL-3.0-or-later
"""together.py PROGRAM NAME...: runs NAME_test.py one after the other. What they import takes longer than most of them:
it is read once, here, and each of them is a fork of this process."""
import os
import runpy
import sys
import time
import traceback
from pathlib import Path

import reference  # noqa: F401  first: it silences the others
import bitsandbytes.functional  # noqa: F401
import peft  # noqa: F401
from transformers import AutoProcessor, PaliGemmaForConditionalGeneration, Trainer  # noqa: F401


def run(script, program):
    """Exit status of the script as a program of its own."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = 1
    try:
        sys.argv = [str(script), program]
        runpy.run_path(str(script), run_name="__main__")
        code = 0
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


failed = []
for name in sys.argv[2:]:
    print(f"== {name}", flush=True)
    begin = time.monotonic()
    if run(Path(__file__).with_name(f"{name}_test.py"), sys.argv[1]) != 0:
        failed.append(name)
    print(f"== {name} took {time.monotonic() - begin:.1f} s", flush=True)
if failed:
    sys.exit(f"failed: {', '.join(failed)}")
