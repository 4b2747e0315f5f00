"""Replace a set of files so that nobody ever reads half of one.

What is in the files: ``sitemaps.py`` here, and ``report/``.
"""

from __future__ import annotations

import errno
import fcntl
import os
from contextlib import ExitStack, suppress
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import IO, BinaryIO

TEMPORARY = ".sitemapgen.tmp"
"""Ends the name of an unfinished file: long enough to be nobody else's."""

CHUNK = 1 << 18


class Staging:
    """New versions of files, kept beside the published ones until :meth:`commit`.

    Each grows under a temporary name in the same directory, so that replacing the published file
    is one rename. Leaving the ``with`` block without a commit changes nothing that is published:

        with Staging(Path("output"), now=1700000000) as staging:
            with staging.open("sitemap.xml") as file:
                file.write(b"...")
            staging.commit(last="sitemap.xml")

    Disk full and its like surface as the OSError they are, before any file is replaced.
    """

    def __init__(self, directory: Path, now: int) -> None:
        """Publish into ``directory``; what changes is dated ``now``, in seconds since 1970 UTC."""
        self.directory = directory
        self.now = now
        self._staged: dict[str, BinaryIO] = {}
        self._changed: list[str] = []
        self._scratch = ExitStack()

    def __enter__(self) -> Staging:
        """Make the directory, take it, and remove what a crashed run left unfinished.

        Raises BlockingIOError while somebody else publishes into the same directory.
        """
        self.directory.mkdir(parents=True, exist_ok=True)
        self._directory = _locked(self.directory)
        for leftover in self.directory.glob(f".*{TEMPORARY}"):
            leftover.unlink()
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # flushing into a full disk fails once more
            self._scratch.close()
        for name, file in self._staged.items():
            with suppress(OSError):
                file.close()
            self._temporary(name).unlink(missing_ok=True)
        self._staged.clear()
        self._changed.clear()
        os.close(self._directory)

    def open(self, name: str) -> BinaryIO:
        """Start the next version of ``name``; closing it is allowed, and not required."""
        file = self._temporary(name).open("xb", buffering=CHUNK)
        self._staged[name] = file
        return file

    def scratch(self) -> IO[bytes]:
        """Start a file for notes, on the same disk; it is gone once it is closed."""
        return self._scratch.enter_context(TemporaryFile(buffering=CHUNK, dir=self.directory))

    def settle(self, name: str) -> int:
        """Finish ``name`` and return its time of last change, in whole seconds since 1970 UTC.

        That is the published file's own when both have the same bytes, else ``now``.
        """
        temporary, published = self._temporary(name), self.directory / name
        self._staged[name].close()
        if _same(temporary, published):
            temporary.unlink()
            del self._staged[name]
            return int(published.stat().st_mtime)
        os.utime(temporary, (self.now, self.now))
        _sync(temporary)
        self._changed.append(name)
        return self.now

    def commit(self, *, last: str = "", stale: Iterable[str] = ()) -> tuple[str, ...]:
        """Replace what changed, ``last`` after all others, then remove the ``stale`` files.

        Everything is on the disk before the first file is replaced, and each step is before the
        next one begins: an index never arrives before its parts, nor leaves after them, not even
        when the power fails. Returns the names of the files that were replaced.
        """
        for name in [name for name in self._staged if name not in self._changed]:
            self.settle(name)
        replaced = tuple(sorted(self._changed, key=lambda name: name == last))
        self._replace(name for name in replaced if name != last)
        self._replace(name for name in replaced if name == last)
        for name in stale:
            (self.directory / _plain(name)).unlink(missing_ok=True)
        os.fsync(self._directory)
        return replaced

    def _replace(self, names: Iterable[str]) -> None:
        for name in names:
            self._temporary(name).replace(self.directory / name)
            self._changed.remove(name)
            del self._staged[name]
        os.fsync(self._directory)

    def _temporary(self, name: str) -> Path:
        return self.directory / f".{_plain(name)}{TEMPORARY}"


def _plain(name: str) -> str:
    if not name or name.startswith(".") or "/" in name:
        raise ValueError(f"{name!r} is not a plain file name")
    return name


def _locked(directory: Path) -> int:
    """Open ``directory`` for this process alone; the lock dies with the process."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(descriptor)
        sentence = "another run is publishing into this directory; wait until it has finished"
        raise BlockingIOError(errno.EWOULDBLOCK, sentence, str(directory)) from error
    return descriptor


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _same(new: Path, published: Path) -> bool:
    """Compare two files chunk by chunk; one that is not there differs from every other."""
    try:
        old = published.open("rb")
    except FileNotFoundError:
        return False
    with old, new.open("rb") as fresh:
        if os.fstat(old.fileno()).st_size != os.fstat(fresh.fileno()).st_size:
            return False
        while chunk := fresh.read(CHUNK):
            if chunk != old.read(CHUNK):
                return False
    return True
