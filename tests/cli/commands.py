"""``sitemapgen`` as users run it."""

import os
import subprocess
import sys
from pathlib import Path

from tests.helpers import forks
from tests.helpers.crawls import DEADLINE, ROOT

Result = subprocess.CompletedProcess[str]
"""What a command left behind."""


def run(*words: str, cwd: Path = ROOT) -> Result:
    """Run the command in a directory; its errors may go to both streams."""
    command = [sys.executable, "-m", "sitemapgen", *words]
    environment = {**forks.at_start(os.environ), "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}
    environment |= {"COLUMNS": "80", "PATH": "/usr/bin:/bin"}
    return forks.captured(command, environment, DEADLINE, cwd)
