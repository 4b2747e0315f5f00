"""Seeded tag soup: nothing of it raises, ends the process, or takes long for its size."""

import subprocess
import sys
from html.entities import html5
from pathlib import Path

import pytest

from sitemapgen.core.document.markup import LONGER_THAN_THEIR_NAMES

ROOT = Path(__file__).resolve().parents[2]
SEED, COUNT = 15_000_000, 3_000
SWEEP, STEP = 1_000_000, 50_000


def soup(first: int, count: int, trace: Path) -> None:
    command = [sys.executable, "-m", "tests.hostile.soup", str(first), str(count), str(trace)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    seen = f"seeds from {first}; the last one read: {trace.read_text()}"
    assert done.returncode == 0, f"{done.returncode}; {seen}\n{done.stdout}{done.stderr[-2_000:]}"


def test_soup(tmp_path: Path) -> None:
    soup(SEED, COUNT, tmp_path / "seed")


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, SWEEP, STEP))
def test_much_soup(first: int, tmp_path: Path) -> None:
    soup(first, STEP, tmp_path / "seed")


def test_entities_longer_than_their_names_are_all_known() -> None:
    longer = {
        f"&{name}": characters
        for name, characters in html5.items()
        if len(characters.encode()) > len(f"&{name}")
    }
    assert longer == LONGER_THAN_THEIR_NAMES
