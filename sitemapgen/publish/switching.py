"""The switch from one published set of files to the next: a journal, and the steps that it names.

A set is an index with its parts, and files that belong to it and that no index lists. Everything of
the new set is on the disk before the journal is, and nothing after it needs space. A client that
follows the index finds one of the two sets after each step. A step that was done is not done again,
so that the next process that opens the directory completes a switch that was killed:
:func:`resume`. The files are staged by ``files.py``.
"""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.core.sitemap_files.read import read
from sitemapgen.publish.formats import DECLARATION

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

TEMPORARY = ".sitemapgen.tmp"
"""Suffix of the name of an unfinished file, unlike any that other programs use."""

JOURNAL = f".journal{TEMPORARY}"
BRIDGE = ".bridge"
"""Suffix of the index that is published while files change under their names."""

GRACE_SECONDS = 1.0
"""Seconds that clients of a replaced index have for its files, whatever their number."""
GRACE_SECONDS_PER_FILE = 0.02
"""Seconds that clients of a replaced index have in addition for each file that it lists."""
MOST_GRACE_SECONDS = 30.0
"""Maximum seconds that clients of a replaced index have for its files."""


class Switch(NamedTuple):
    """The steps in their order; all new files exist under temporary names."""

    entry: str
    """The file that clients read first: the index, or the only file."""
    added: list[str]
    """New parts whose names the published index does not list."""
    bridged: dict[str, str]
    """Parts whose names it lists -> another name of the same content, already in place."""
    followers: list[str]
    """Files that belong to the set and that no index lists."""
    stale: list[str]
    """Files of the earlier set that the new one does not have."""


def grace(files: int) -> float:
    """Return the seconds that clients have to read all files of an index."""
    return min(GRACE_SECONDS + GRACE_SECONDS_PER_FILE * files, MOST_GRACE_SECONDS)


def temporary(directory: Path, name: str) -> Path:
    """Return the path of an unfinished file. Raises ValueError for all but plain file names."""
    return directory / f".{plain(name)}{TEMPORARY}"


def plain(name: str) -> str:
    """Return a name unchanged. Raises ValueError for all but plain file names."""
    if not name or name.startswith(".") or "/" in name:
        raise ValueError(f"{name!r} is not a plain file name")
    return name


def listed(entry: Path) -> set[str]:
    """Return the names of the files that an index lists; none if there is no index."""
    body = entry.read_bytes() if entry.is_file() else b""
    if body.startswith(DECLARATION.encode()) and b"sitemapindex" not in body:
        return set()  # our own list of pages, which takes long to parse
    return {child.rpartition("/")[2] for child in (read(body).children if body else ())}


def begin(directory: Path, switch: Switch) -> None:
    """Write the journal: from here on the switch is completed, even after a crash."""
    unfinished = directory / f"{JOURNAL}.new{TEMPORARY}"
    unfinished.write_text(json.dumps(switch._asdict()), "utf-8")
    with unfinished.open("rb") as file:
        os.fsync(file.fileno())
    unfinished.replace(directory / JOURNAL)
    sync(directory)


def resume(directory: Path, patience: float) -> None:
    """Complete a switch that was killed; do nothing where there is none."""
    switch = _read_journal(directory / JOURNAL)
    if switch:
        carry_out(directory, switch, patience)


def carry_out(directory: Path, switch: Switch, patience: float) -> None:
    """Do the remaining steps.

    ``patience``: seconds between the replacement of an index and the first change or removal of a
    file that it listed: :func:`grace`.
    """
    _replace(directory, switch.added)
    if switch.bridged:
        _replace(directory, [f"{switch.entry}{BRIDGE}"], switch.entry)
    else:
        _replace(directory, [switch.entry])
    _replace(directory, switch.followers)
    if switch.bridged:
        time.sleep(patience)
        _replace(directory, switch.bridged)
        _replace(directory, [switch.entry])
    remove(directory, [*switch.bridged.values(), *switch.stale], switch.entry, patience)
    (directory / JOURNAL).unlink(missing_ok=True)
    sync(directory)


def remove(directory: Path, names: Iterable[str], entry: str, patience: float) -> None:
    """Remove files of an earlier set, but never one that the published index lists."""
    kept = listed(directory / entry) if entry else set()
    leaving = [directory / plain(name) for name in names if name not in kept]
    if any(path.exists() for path in leaving):
        time.sleep(patience)
    for path in leaving:
        path.unlink(missing_ok=True)


def sync(directory: Path) -> None:
    """Write the names in a directory to the disk, so that they survive a power failure."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _replace(directory: Path, names: Iterable[str], target: str = "") -> None:
    """Give new files their names, or one of them the name ``target``; skip what has its name."""
    for name in names:
        path = temporary(directory, name)
        if path.exists():
            path.replace(directory / (target or name))
    sync(directory)


def _read_journal(path: Path) -> Switch | None:
    try:
        return Switch(**json.loads(path.read_bytes()))
    except (FileNotFoundError, ValueError, TypeError):
        return None
