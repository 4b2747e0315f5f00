"""Replacement of a set of files, such that no client reads half a file or half a set.

A set is an index with its parts, and files that belong to it and that no index lists. Everything of
the new set is on the disk before the journal is, which names the steps of the switch, and nothing
after it needs space. A client that follows the index finds one of the two sets after each step. A
step that was done is not done again, so that the next process that opens the directory completes a
switch that was killed. The files are written by ``sitemaps.py`` and by ``report/``.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, BinaryIO, NamedTuple

from sitemapgen.core.sitemap_files.read import read_sitemap
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.publish.file_names import content_addressed
from sitemapgen.publish.formats import DECLARATION

CHUNK = 1 << 18

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
        sentence = "another run is publishing into this directory; wait until it has finished"
        self._directory = lock_directory(self.directory, sentence)
        try:
            if switch := _read_journal(self.directory / JOURNAL):
                carry_out(self.directory, switch, self._patience)
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
            for path in map(self._temporary_path, self._staged):
                path.unlink(missing_ok=True)
            remove_files(self.directory, self._bridged.values(), self._index, 0)
        self._staged.clear()
        self._changed.clear()
        self._bridged.clear()
        os.close(self._directory)

    @property
    def names(self) -> tuple[str, ...]:
        """The files that are started, without those that ``settle`` found to be unchanged."""
        return tuple(self._staged)

    def open(self, name: str) -> BinaryIO:
        """Start the next version of ``name``; closing it is allowed, and not required."""
        file = self._temporary_path(name).open("xb", buffering=CHUNK)
        self._staged[name] = file
        return file

    def scratch(self) -> IO[bytes]:
        """Start a file for notes, on the same disk; it is gone once it is closed."""
        return self._scratch.enter_context(TemporaryFile(buffering=CHUNK, dir=self.directory))

    def settle(self, name: str) -> int:
        """Finish ``name`` and return its time of last change, in whole seconds since 1970 UTC.

        That is the published file's own when both have the same bytes, else ``now``.
        """
        unfinished, published = self._temporary_path(name), self.directory / name
        self._staged[name].close()
        if name != self._index and _is_same(unfinished, published):
            unfinished.unlink()
            del self._staged[name]
            return int(published.stat().st_mtime)
        os.utime(unfinished, (self.now, self.now))
        sync_to_disk(unfinished)
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
            self._bridged[name] = content_addressed(name, _hash_file(self._temporary_path(name)))
        self._index = index if self._bridged else ""
        return self._bridged

    def commit(self, *, last: str = "", stale: Iterable[str] = ()) -> tuple[str, ...]:
        """Replace what changed, ``last`` after all others, then remove the ``stale`` files.

        In a set, see :meth:`declare`, files that are no parts follow ``last``, its index.
        Everything is on the disk before the first file is replaced, and each step before the next
        one begins: an index is never published before its parts, nor removed after them, not even
        when the power fails. Returns the names of the files that were replaced.
        """
        stale = list(map(check_plain_name, stale))
        for name in [name for name in self._staged if name not in self._changed]:
            self.settle(name)
        changed = (name for name in self._changed if name != f"{last}{BRIDGE}")
        replaced = tuple(sorted(changed, key=lambda name: name == last))
        if self._parts is None:
            self._replace_files(name for name in replaced if name != last)
            self._replace_files(name for name in replaced if name == last)
            remove_files(self.directory, stale, last, self._patience)
            os.fsync(self._directory)
        elif replaced or stale:
            self._switch_files(replaced, last, stale)
        return replaced

    def _switch_files(self, replaced: Collection[str], index: str, stale: list[str]) -> None:
        assert self._parts is not None
        others = [name for name in replaced if name != index]
        for name, other in self._bridged.items():
            _link_file(self._temporary_path(name), self.directory / other)
        switch = Switch(
            entry=index,
            added=[name for name in others if name in self._parts - self._bridged.keys()],
            bridged=self._bridged,
            followers=[name for name in others if name not in self._parts],
            stale=stale,
        )
        # The journal: from here on the switch is completed, even after a crash.
        unfinished = self.directory / f"{JOURNAL}.new{TEMPORARY}"
        unfinished.write_text(json.dumps(switch._asdict()), "utf-8")
        sync_to_disk(unfinished)
        unfinished.replace(self.directory / JOURNAL)
        sync_to_disk(self.directory)
        carry_out(self.directory, switch, self._patience)

    def _replace_files(self, names: Iterable[str]) -> None:
        for name in names:
            self._temporary_path(name).replace(self.directory / name)
            self._changed.remove(name)
            del self._staged[name]
        os.fsync(self._directory)

    def _temporary_path(self, name: str) -> Path:
        return temporary_path(self.directory, name)


def complete_publication(directory: Path) -> None:
    """Complete the publication of a run that was killed, unless another process does."""
    if (directory / JOURNAL).exists():
        with suppress(BlockingIOError), Staging(directory, 0, grace_seconds(0)):
            pass


@contextmanager
def writing_errors(directory: Path) -> Iterator[None]:
    """Turn an OSError of writing into a directory into a CrawlError."""
    try:
        yield
    except OSError as error:
        sentence = f"{directory}: cannot be written: {error.strerror or error}"
        raise CrawlError(Exit.NO_SPACE, sentence) from error


def read_object(path: Path) -> dict[str, Any]:
    """Return an object of JSON; an empty one if there is none."""
    with suppress(OSError, ValueError):
        found = json.loads(path.read_bytes())
        return found if isinstance(found, dict) else {}
    return {}


def _hash_file(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _link_file(path: Path, other: Path) -> None:
    """Give a file a second name, or copy it on a file system without hard links."""
    other.unlink(missing_ok=True)
    try:
        os.link(path, other)
    except OSError:
        shutil.copyfile(path, other)
        sync_to_disk(other)


def _is_same(new: Path, published: Path) -> bool:
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


# --- the switch from one set to the next


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


def grace_seconds(files: int) -> float:
    """Return the seconds that clients have to read all files of an index."""
    return min(GRACE_SECONDS + GRACE_SECONDS_PER_FILE * files, MOST_GRACE_SECONDS)


def temporary_path(directory: Path, name: str) -> Path:
    """Return the path of an unfinished file. Raises ValueError for all but plain file names."""
    return directory / f".{check_plain_name(name)}{TEMPORARY}"


def check_plain_name(name: str) -> str:
    """Return a name unchanged. Raises ValueError for all but plain file names."""
    if not name or name.startswith(".") or "/" in name:
        raise ValueError(f"{name!r} is not a plain file name")
    return name


def listed_in(entry: Path) -> set[str]:
    """Return the names of the files that an index lists; none if there is no index."""
    body = entry.read_bytes() if entry.is_file() else b""
    if body.startswith(DECLARATION.encode()) and b"sitemapindex" not in body:
        return set()  # our own list of pages, which takes long to parse
    return {child.rpartition("/")[2] for child in (read_sitemap(body).children if body else ())}


def carry_out(directory: Path, switch: Switch, patience: float) -> None:
    """Do the remaining steps.

    ``patience``: seconds between the replacement of an index and the first change or removal of a
    file that it listed: :func:`grace_seconds`.
    """
    _rename_files(directory, switch.added)
    if switch.bridged:
        _rename_files(directory, [f"{switch.entry}{BRIDGE}"], switch.entry)
    else:
        _rename_files(directory, [switch.entry])
    _rename_files(directory, switch.followers)
    if switch.bridged:
        time.sleep(patience)
        _rename_files(directory, switch.bridged)
        _rename_files(directory, [switch.entry])
    remove_files(directory, [*switch.bridged.values(), *switch.stale], switch.entry, patience)
    (directory / JOURNAL).unlink(missing_ok=True)
    sync_to_disk(directory)


def remove_files(directory: Path, names: Iterable[str], entry: str, patience: float) -> None:
    """Remove files of an earlier set, but never one that the published index lists."""
    kept = listed_in(directory / entry) if entry else set()
    leaving = [directory / check_plain_name(name) for name in names if name not in kept]
    if any(path.exists() for path in leaving):
        time.sleep(patience)
    for path in leaving:
        path.unlink(missing_ok=True)


def lock_directory(directory: Path, sentence: str) -> int:
    """Open a directory for this process alone; the lock dies with the process.

    Raises BlockingIOError, with the sentence, while another process has it.
    """
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(descriptor)
        raise BlockingIOError(errno.EWOULDBLOCK, sentence, str(directory)) from error
    return descriptor


def sync_to_disk(path: Path) -> None:
    """Write a file, or the names in a directory, to the disk: they survive a power failure."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _rename_files(directory: Path, names: Iterable[str], target: str = "") -> None:
    """Give new files their names, or one of them the name ``target``; skip what has its name."""
    for name in names:
        path = temporary_path(directory, name)
        if path.exists():
            path.replace(directory / (target or name))
    sync_to_disk(directory)


def _read_journal(path: Path) -> Switch | None:
    """Return the switch that was killed; None where there is none."""
    try:
        return Switch(**json.loads(path.read_bytes()))
    except (FileNotFoundError, ValueError, TypeError):
        return None
