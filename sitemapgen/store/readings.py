"""Journal of the page that is being read, kept beside the state: names what a process died on.

A native parser may end the process, and the frontier would hand the same page out again after each
restart. What is in flight as well is not suspected: only one page is being read at a time.
"""

from __future__ import annotations

import logging
import os
from collections import deque
from contextlib import contextmanager, suppress
from pathlib import Path
from struct import Struct, iter_unpack
from time import thread_time
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.errors import CrawlError, Exit

if TYPE_CHECKING:
    from collections.abc import Iterator

logger = logging.getLogger(__name__)

MAX_CRASHES = 2
"""Times in a row that the process may die while it reads a page; then the page is left out."""
MAX_PAGES = 1_000
"""Pages remembered that the process died on; more mean that the fault is not in the pages."""
SLOW = 2.0
"""Seconds of CPU; a page that takes longer to read is named, for nothing else goes on meanwhile."""
MAX_SLOW = 20
SUFFIX = "-reading"
"""Added to the name of the state file."""

KEY = Struct("=q")
CRASHES = Struct("=qq")
NO_KEY = KEY.pack(0)


class Slow(NamedTuple):
    """A page that took too long to read."""

    url: str
    seconds: float
    """Of CPU."""


class Readings:
    """The page that is being read, and those that earlier processes died on.

    The file holds the key of the former (0: none), then (key, crashes) of each of the latter. It is
    never flushed to the disk: what a process has written survives its end.
    """

    def __init__(self, state: Path, *, lent: bool = False) -> None:
        """``lent``: nothing is read from it, and no file is made. Raises CrawlError."""
        self.url = ""
        """The page that is being read; empty if none is."""
        self.slow: deque[Slow] = deque(maxlen=MAX_SLOW)
        """The last pages that took too long."""
        self._path = Path(f"{state}{SUFFIX}")
        self._file = -1
        self._crashes: dict[int, int] = {}
        if not lent:
            self._crashes = _crashes(self._path)
            self._save()

    @contextmanager
    def reading(self, key: int, url: str) -> Iterator[None]:
        """Read a page inside of this: one at a time, and without giving way to others."""
        self.url = url
        self._write(KEY.pack(key))
        began = thread_time()  # of CPU: neither a busy machine nor one that sleeps makes it longer
        try:
            yield
        finally:
            self._write(NO_KEY)
            self.url = ""
            if (seconds := thread_time() - began) > SLOW:
                self.slow.append(Slow(url, seconds))
                sentence = "%(url)s took %(seconds).1f s of CPU to read; the crawl stood still"
                logger.warning(sentence, {"url": url, "seconds": seconds})

    @property
    def has_fatal(self) -> bool:
        """Whether there are pages that are not to be read any more in this run."""
        return any(count >= MAX_CRASHES for count in self._crashes.values())

    def is_fatal(self, key: int) -> bool:
        """Report whether a page is not to be read any more in this run."""
        return self._crashes.get(key, 0) >= MAX_CRASHES

    def passed(self, key: int) -> None:
        """Note that a page was read, and the process lives."""
        if key in self._crashes:
            del self._crashes[key]
            self._save()

    def begin_run(self) -> None:
        """Give each page another chance: one more crash is one too many."""
        if self._crashes:
            self._crashes = dict.fromkeys(self._crashes, 1)
            self._save()

    def close(self) -> None:
        """Let go of the file; without pages to remember it is removed."""
        if self._file < 0:
            return
        os.close(self._file)
        self._file = -1
        if not self._crashes:
            with suppress(OSError):
                self._path.unlink()

    def _write(self, key: bytes) -> None:
        if self._file >= 0:
            with suppress(OSError):  # the disk fails, and the state will be the first to complain
                os.pwrite(self._file, key, 0)

    def _save(self) -> None:
        """Replace the file by one with the crashes as they are known now."""
        content = NO_KEY + b"".join(CRASHES.pack(*item) for item in self._crashes.items())
        new = self._path.with_name(f"{self._path.name}.new")
        try:
            new.write_bytes(content)
            new.replace(self._path)
            file = os.open(self._path, os.O_RDWR | os.O_CLOEXEC)
        except OSError as error:
            why = f"{self._path}: cannot be written: {error.strerror}"
            raise CrawlError(Exit.NO_SPACE, why) from error
        if self._file >= 0:
            os.close(self._file)
        self._file = file


def _crashes(path: Path) -> dict[int, int]:
    """Read how often processes died on which page, the last one included."""
    try:
        content = path.read_bytes()
    except OSError:
        return {}
    if len(content) < KEY.size or (len(content) - KEY.size) % CRASHES.size:
        return {}  # damaged: each page gets all its chances again
    crashes = dict(iter_unpack(CRASHES.format, content[KEY.size :]))
    (last,) = KEY.unpack_from(content)
    if last and (last in crashes or len(crashes) < MAX_PAGES):
        crashes[last] = crashes.get(last, 0) + 1
    return crashes
