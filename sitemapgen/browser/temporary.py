"""Directory for the temporary files of a browser and its driver, which do not remove all of them.

It is removed with the browser; that of a killed crawl when the next browser starts.
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
"""Name of the directory, with the process id of the crawl; short, because a socket below it has a
path of at most 108 bytes."""
TMPDIR = "TMPDIR"


class TemporaryFiles:
    """The temporary files of one browser."""

    def __init__(self) -> None:
        """Create the directory; remove those of crawls that no longer run."""
        for path in _abandoned_directories():
            shutil.rmtree(path, ignore_errors=True)
        self.directory = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))

    @contextmanager
    def used(self) -> Iterator[None]:
        """Make processes that are started meanwhile put their temporary files there."""
        tempfile.gettempdir()  # caches the current one, which this process goes on using
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
        """Remove the directory and its content."""
        shutil.rmtree(self.directory, ignore_errors=True)


def _abandoned_directories() -> Iterator[Path]:
    """Yield the directories of this user's killed crawls."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        found = NAME.fullmatch(path.name)
        with suppress(OSError):
            is_own = path.lstat().st_uid == os.geteuid() and not path.is_symlink()
            if found and is_own and not psutil.pid_exists(int(found[1])):
                yield path
