"""Sends a signal to a process before one of its steps, as a test wants it.

Python imports this by itself where it is on the PYTHONPATH. A step is a rename, removal or link of
a file in the directory STEP_DIRECTORY, the store and result.json not counted; STEP_NUMBER says
which, from 0, and STEP_SIGNAL what is sent.
"""

import os
import sys
from itertools import count
from pathlib import Path

DIRECTORY = Path(os.environ["STEP_DIRECTORY"])
SIGNAL = int(os.environ["STEP_SIGNAL"])
NUMBER = int(os.environ["STEP_NUMBER"])
EVENTS = ("os.rename", "os.remove", "os.link")
steps = count()


def hook(event: str, arguments: tuple[object, ...]) -> None:
    if event not in EVENTS:
        return
    path = Path(str(arguments[0]))
    is_counted = "crawl.sqlite" not in path.name and "result.json" not in path.name
    if path.parent == DIRECTORY and is_counted and next(steps) == NUMBER:
        os.kill(os.getpid(), SIGNAL)


sys.addaudithook(hook)
