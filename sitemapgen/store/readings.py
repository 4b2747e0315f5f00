"""Journal of the page that is being read, in a file next to the state: it identifies a fatal page.

A native parser may crash the process, and the frontier would hand out the same page again after
each restart. Only one page is read at a time, so other pages in flight are not suspected.
"""

from __future__ import annotations

import logging
import os
from collections import deque
from contextlib import suppress
from pathlib import Path
from struct import Struct, iter_unpack
from time import thread_time
from typing import NamedTuple

from sitemapgen.errors import CrawlError, Exit

logger = logging.getLogger(__name__)

MAX_CRASHES = 2
"""Number of crashes in a row while a page is read, after which the page is left out."""
MAX_PAGES = 1_000
"""Maximum number of fatal pages that are kept; with more, the pages are not the cause."""
SLOW = 2.0
"""Seconds of CPU above which reading a page is logged, as the crawl stands still meanwhile."""
MAX_SLOW = 20
SUFFIX = "-reading"
"""Suffix added to the name of the state file."""

KEY = Struct("=q")
CRASHES = Struct("=qq")
NO_KEY = KEY.pack(0)


class Slow(NamedTuple):
    """A page that took too long to read."""

    url: str
    seconds: float
    """CPU time."""


class Readings:
    """The page that is being read, and the pages that crashed earlier processes.

    The file holds the key of the former (0: none), then (key, crashes) of each of the latter. It is
    never synced to disk, as written data survives the end of the process.
    """

    def __init__(self, state: Path, *, lent: bool = False) -> None:
        """``lent``: the file is neither read nor created. Raises CrawlError."""
        self.url = ""
        """The URL of the page that is being read; empty for none."""
        self.slow: deque[Slow] = deque(maxlen=MAX_SLOW)
        """The last pages that took too long to read."""
        self._path = Path(f"{state}{SUFFIX}")
        self._file = -1
        self._began = 0.0
        self._crashes: dict[int, int] = {}
        if not lent:
            self._crashes = _read_crashes(self._path)
            self._save_crashes()

    def reading(self, key: int, url: str) -> Readings:
        """Return a context for reading one page, which must not yield to the event loop."""
        self.url = url
        self._write_key(KEY.pack(key))
        self._began = thread_time()  # CPU time: a busy or sleeping machine does not lengthen it
        return self

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self._write_key(NO_KEY)
        if (seconds := thread_time() - self._began) > SLOW:
            self.slow.append(Slow(self.url, seconds))
            sentence = "%(url)s took %(seconds).1f s of CPU to read; the crawl stood still"
            logger.warning(sentence, {"url": self.url, "seconds": seconds})
        self.url = ""

    @property
    def has_fatal(self) -> bool:
        """Whether any page is not to be read any more in this run."""
        return any(count >= MAX_CRASHES for count in self._crashes.values())

    def is_fatal(self, key: int) -> bool:
        """Return whether a page is not to be read any more in this run."""
        return self._crashes.get(key, 0) >= MAX_CRASHES

    def record_success(self, key: int) -> None:
        """Note that a page was read without a crash."""
        if key in self._crashes:
            del self._crashes[key]
            self._save_crashes()

    def end_run(self) -> None:
        """Give each fatal page another chance in the next run: one more crash excludes it again."""
        if self._crashes:
            self._crashes = dict.fromkeys(self._crashes, 1)
            self._save_crashes()

    def close(self) -> None:
        """Close the file, and remove it if there are no fatal pages."""
        if self._file < 0:
            return
        os.close(self._file)
        self._file = -1
        if not self._crashes:
            with suppress(OSError):
                self._path.unlink()

    def _write_key(self, key: bytes) -> None:
        if self._file < 0:
            return
        # If the disk fails, writing the state raises the error.
        try:  # noqa: SIM105 - suppress() takes as long as the write
            os.pwrite(self._file, key, 0)
        except OSError:
            pass

    def _save_crashes(self) -> None:
        """Replace the file by one with the current counts of crashes."""
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


def _read_crashes(path: Path) -> dict[int, int]:
    """Return the number of crashes by page, including a crash of the last process."""
    try:
        content = path.read_bytes()
    except OSError:
        return {}
    if len(content) < KEY.size or (len(content) - KEY.size) % CRASHES.size:
        return {}  # damaged: the counts start again
    crashes = dict(iter_unpack(CRASHES.format, content[KEY.size :]))
    (last,) = KEY.unpack_from(content)
    if last and (last in crashes or len(crashes) < MAX_PAGES):
        crashes[last] = crashes.get(last, 0) + 1
    return crashes
