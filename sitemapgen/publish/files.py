"""Replacement of a set of files, such that no client reads half a file or half a set.

The files are written by ``sitemaps.py`` and by ``report/``. The order of replacement:
``switching.py``.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
from contextlib import ExitStack, suppress
from hashlib import sha256
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from sitemapgen.publish.file_names import content_addressed
from sitemapgen.publish.switching import (
    BRIDGE,
    JOURNAL,
    TEMPORARY,
    Switch,
    begin,
    carry_out,
    grace,
    plain,
    remove,
    resume,
    temporary,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path
    from typing import IO, BinaryIO

CHUNK = 1 << 18


class Staging:
    """New versions of files, kept beside the published ones until :meth:`commit`.

    Each grows under a temporary name in the same directory, so that replacing the published file
    is one rename. Leaving the ``with`` block without a commit changes nothing that is published:

        with Staging(Path("output"), now=1700000000) as staging:
            with staging.open("sitemap.xml") as file:
                file.write(b"...")
            staging.commit(last="sitemap.xml")

    A full disk and the like raise OSError before any file is replaced.
    """

    def __init__(self, directory: Path, now: int, patience: float = 0.0) -> None:
        """Publish into ``directory``; changed files are dated ``now``, in seconds since 1970 UTC.

        ``patience``: seconds that clients of a replaced index have for its parts.
        """
        self.directory = directory
        self.now = now
        self._patience = patience
        self._staged: dict[str, BinaryIO] = {}
        self._changed: list[str] = []
        self._parts: frozenset[str] | None = None
        self._bridged: dict[str, str] = {}
        self._index = ""
        self._scratch = ExitStack()

    def __enter__(self) -> Staging:
        """Make the directory, take it, and complete or remove what a crashed run left unfinished.

        Raises BlockingIOError while another process publishes into the same directory.
        """
        self.directory.mkdir(parents=True, exist_ok=True)
        self._directory = _locked(self.directory)
        try:
            resume(self.directory, self._patience)
            for leftover in self.directory.glob(f".*{TEMPORARY}"):
                leftover.unlink()
        except BaseException:
            os.close(self._directory)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # flushing into a full disk fails once more
            self._scratch.close()
        for file in self._staged.values():
            with suppress(OSError):
                file.close()
        if not (self.directory / JOURNAL).exists():  # else the next one needs them
            for path in map(self._temporary, self._staged):
                path.unlink(missing_ok=True)
            remove(self.directory, self._bridged.values(), self._index, 0)
        self._staged.clear()
        self._changed.clear()
        self._bridged.clear()
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
        unfinished, published = self._temporary(name), self.directory / name
        self._staged[name].close()
        if name != self._index and _same(unfinished, published):
            unfinished.unlink()
            del self._staged[name]
            return int(published.stat().st_mtime)
        os.utime(unfinished, (self.now, self.now))
        _sync(unfinished)
        self._changed.append(name)
        return self.now

    def declare(
        self, index: str, parts: Collection[str] = (), published: Collection[str] = ()
    ) -> dict[str, str]:
        """Make a set of the files: ``index`` will list ``parts``, and now lists ``published``.

        All are replaced, or none, also when the process is killed. Returns other names for those
        parts, settled before, that change under a name that the index lists now. If there are any,
        the caller stages an index with these names as ``index`` + BRIDGE, which is published until
        the parts have their own names.
        """
        self._parts = frozenset(parts)
        for name in sorted(self._parts.intersection(self._changed, published)):
            self._bridged[name] = content_addressed(name, _digest(self._temporary(name)))
        self._index = index if self._bridged else ""
        return self._bridged

    def commit(self, *, last: str = "", stale: Iterable[str] = ()) -> tuple[str, ...]:
        """Replace what changed, ``last`` after all others, then remove the ``stale`` files.

        In a set, see :meth:`declare`, files that are no parts follow ``last``, its index.
        Everything is on the disk before the first file is replaced, and each step before the next
        one begins: an index is never published before its parts, nor removed after them, not even
        when the power fails. Returns the names of the files that were replaced.
        """
        stale = list(map(plain, stale))
        for name in [name for name in self._staged if name not in self._changed]:
            self.settle(name)
        changed = (name for name in self._changed if name != f"{last}{BRIDGE}")
        replaced = tuple(sorted(changed, key=lambda name: name == last))
        if self._parts is None:
            self._replace(name for name in replaced if name != last)
            self._replace(name for name in replaced if name == last)
            remove(self.directory, stale, last, self._patience)
            os.fsync(self._directory)
        elif replaced or stale:
            self._switch(replaced, last, stale)
        return replaced

    def _switch(self, replaced: Collection[str], index: str, stale: list[str]) -> None:
        assert self._parts is not None
        others = [name for name in replaced if name != index]
        for name, other in self._bridged.items():
            _link(self._temporary(name), self.directory / other)
        switch = Switch(
            entry=index,
            added=[name for name in others if name in self._parts - self._bridged.keys()],
            bridged=self._bridged,
            followers=[name for name in others if name not in self._parts],
            stale=stale,
        )
        begin(self.directory, switch)
        carry_out(self.directory, switch, self._patience)

    def _replace(self, names: Iterable[str]) -> None:
        for name in names:
            self._temporary(name).replace(self.directory / name)
            self._changed.remove(name)
            del self._staged[name]
        os.fsync(self._directory)

    def _temporary(self, name: str) -> Path:
        return temporary(self.directory, name)


def complete(directory: Path) -> None:
    """Complete the publication of a run that was killed, unless another process does."""
    if (directory / JOURNAL).exists():
        with suppress(BlockingIOError), Staging(directory, 0, grace(0)):
            pass


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


def _digest(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _link(path: Path, other: Path) -> None:
    """Give a file a second name, or copy it on a file system without hard links."""
    other.unlink(missing_ok=True)
    try:
        os.link(path, other)
    except OSError:
        shutil.copyfile(path, other)
        _sync(other)


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _same(new: Path, published: Path) -> bool:
    """Compare two files chunk by chunk; a missing file differs from every other."""
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
