"""A real file system of a few megabytes."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

PAGE = 4_096
"""Bytes that a file takes at least."""


@contextmanager
def small_disk(directory: Path, megabytes: int) -> Iterator[Path]:
    """Mount a tmpfs; skip the test where that is not allowed."""
    directory.mkdir()
    options = ["-t", "tmpfs", "-o", f"size={megabytes}m"]
    mount = ["mount", *options, "tmpfs", str(directory)]
    try:
        mounted = subprocess.run(mount, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("no mount command here")
    if mounted.returncode:
        pytest.skip(f"may not mount a tmpfs here: {mounted.stderr.strip()}")
    try:
        yield directory
    finally:
        subprocess.run(["umount", str(directory)], check=True)


def fill(directory: Path) -> Path:
    """Fill a disk to its last page; return the file that does it."""
    path = directory / "filler"
    with path.open("wb", 0) as file, suppress(OSError):
        while True:
            file.write(bytes(PAGE))
    return path
