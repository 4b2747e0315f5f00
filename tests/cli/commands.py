"""``sitemapgen`` as users run it."""

import os
import sys
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple

from tests.helpers import forks
from tests.helpers.crawls import DEADLINE, ROOT


class Result(NamedTuple):
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


def run(*words: str, cwd: Path = ROOT) -> Result:
    """Run the command in a directory; its errors may go to both streams."""
    command = [sys.executable, "-m", "sitemapgen", *words]
    environment = {**forks.at_start(os.environ), "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}
    environment |= {"COLUMNS": "80", "PATH": "/usr/bin:/bin"}
    with TemporaryFile() as out, TemporaryFile() as errors:
        code = forks.run(command, environment, out, errors, DEADLINE, cwd)
        out.seek(0)
        errors.seek(0)
        return Result(code, out.read().decode(), errors.read().decode())
