"""Directory for the temporary files of a browser and its driver, which leave some behind.

It goes with the browser; that of a crawl that was killed, with the next browser that starts.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from collections.abc import Iterator

PREFIX = "sitemapgen-"
NAME = re.compile(rf"{PREFIX}(\d+)-\w+")
"""With the process id of the crawl. Short: a socket is below it, and its path has 108 bytes."""
TMPDIR = "TMPDIR"


class TemporaryFiles:
    """The temporary files of one browser."""

    def __init__(self) -> None:
        """Make the directory; remove those of crawls that do not run any more."""
        for path in _abandoned():
            shutil.rmtree(path, ignore_errors=True)
        self.directory = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))

    @contextmanager
    def used(self) -> Iterator[None]:
        """Let processes that are started meanwhile put their temporary files there."""
        tempfile.gettempdir()  # remembered: our own stay where they are
        before = os.environ.get(TMPDIR)
        os.environ[TMPDIR] = str(self.directory)
        try:
            yield
        finally:
            if before is None:
                del os.environ[TMPDIR]
            else:
                os.environ[TMPDIR] = before

    def remove(self) -> None:
        """Remove the directory and what is in it."""
        shutil.rmtree(self.directory, ignore_errors=True)


def _abandoned() -> Iterator[Path]:
    """Find the directories of this user's crawls that were killed."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        found = NAME.fullmatch(path.name)
        with suppress(OSError):
            is_own = path.lstat().st_uid == os.geteuid() and not path.is_symlink()
            if found and is_own and not psutil.pid_exists(int(found[1])):
                yield path
