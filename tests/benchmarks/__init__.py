"""What things cost, as ratios and bounds: ``python -m tests.benchmarks MODULE.FUNCTION ...``."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]


def measure_alone(function: Callable[..., Any], *arguments: object) -> Any:
    """The result of a function of a benchmark in a process of its own, by ``__main__.py``."""
    name = f"{function.__module__}.{function.__name__}".removeprefix("tests.benchmarks.")
    command = [sys.executable, "-m", "tests.benchmarks", name, *map(str, arguments)]
    done = subprocess.run(command, cwd=PROJECT, check=True, stdout=subprocess.PIPE, timeout=1_800)
    return json.loads(done.stdout)
