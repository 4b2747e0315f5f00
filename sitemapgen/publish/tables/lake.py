"""Directory of partitioned tables, by site and run, of which a reader sees whole partitions only.

    pages/site=example.com/run=20260131T120000Z/part-0.parquet

New partitions are made in a hidden directory, and each takes the place of an old one in one step.
"""

from __future__ import annotations

import ctypes
import os
import shutil
from pathlib import Path
from urllib.parse import quote

from sitemapgen.publish.files import TEMPORARY, lock_directory, sync_to_disk

AT_FDCWD = -100
RENAME_EXCHANGE = 2
"""Constants of renameat2(2), Linux."""


class Lake:
    """New partitions of one site, kept beside the published ones until :meth:`commit`.

    Leaving the ``with`` block without a commit, or being killed, changes nothing that is published.
    What a killed process left is removed by the next one of the same site.
    """

    def __init__(self, root: Path, site: str) -> None:
        self.root = root
        self._site = f"site={quote(site, safe='')}"
        self._staging = root / f".{self._site}{TEMPORARY}"
        self._made: list[str] = []

    def __enter__(self) -> Lake:
        """Make the directories. Raises BlockingIOError while another process exports the site."""
        self.root.mkdir(parents=True, exist_ok=True)
        self._lock = self._lock_directory()
        for leftover in self._staging.iterdir():
            shutil.rmtree(leftover)
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._staging, ignore_errors=True)
        os.close(self._lock)

    def partition(self, table: str, run: str) -> Path:
        """Return the directory for the files of a new partition, which is made if need be."""
        name = f"{table}/{self._site}/run={run}"
        directory = self._staging / name
        if name not in self._made:
            directory.mkdir(parents=True)
            self._made.append(name)
        return directory

    def commit(self) -> None:
        """Replace the partitions by the new ones, in the order in which they were made."""
        for name in self._made:
            new, published = self._staging / name, self.root / name
            sync_to_disk(new)
            published.parent.mkdir(parents=True, exist_ok=True)
            replace_directory(new, published)
            sync_to_disk(published.parent)

    def _lock_directory(self) -> int:
        """Open the hidden directory for this process alone; the lock dies with the process."""
        while True:
            self._staging.mkdir(exist_ok=True)
            sentence = "another export of this site is writing; wait until it has finished"
            descriptor = lock_directory(self._staging, sentence)
            if os.fstat(descriptor).st_nlink:
                return descriptor
            os.close(descriptor)  # another process removed it in between


def replace_directory(new: Path, published: Path) -> None:
    """Give a directory the name of another one, which may exist and gets its name."""
    if not published.exists():
        new.rename(published)
    elif not _exchange_directories(new, published):
        swap_in_steps(new, published)


def swap_in_steps(new: Path, published: Path) -> None:
    """Exchange two directories; for a moment the second one does not exist."""
    aside = new.with_name(f"{new.name}.old")
    published.rename(aside)
    new.rename(published)
    aside.rename(new)


def _exchange_directories(new: Path, published: Path) -> bool:
    """Exchange two directories in one step, where system and file system can."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except AttributeError:  # not Linux
        return False
    paths = (os.fsencode(new), os.fsencode(published))
    return not rename(AT_FDCWD, paths[0], AT_FDCWD, paths[1], RENAME_EXCHANGE)
