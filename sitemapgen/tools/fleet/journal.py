"""State of a fleet: every step of every site, as lines of JSON that are only ever appended.

A line is on the disk before the step that it announces, so that after a kill it is known which jobs
may exist: an id is chosen and written, and then the job is scheduled under it. Lines about what was
seen on a server come to the disk with the next of those; after a power failure it is seen again.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from io import FileIO
from pathlib import Path
from typing import Any

from typing_extensions import Self

from sitemapgen.analysis.fleet import SiteProgress
from sitemapgen.errors import CrawlError, Exit

NAME = "state.jsonl"
LOCK = "lock"
SCHEMA = 1


class Journal:
    """The state of one sites.csv; appending to it is thread-safe."""

    def __init__(self, sites: Path, directory: Path) -> None:
        """Take the state in a directory, which no other process may use. Raises CrawlError."""
        self.path = directory / NAME
        self.round = ""
        """Id of the current round; empty before the first one."""
        self.started = 0.0
        self.is_over = False
        """Whether the round is concluded."""
        self.hosts: dict[str, str] = {}
        """The server of each host that ever had a job."""
        self.sites: dict[str, SiteProgress] = {}
        """By the keys of the sites, those of the current round that had a job."""
        self._lock = threading.Lock()
        self._files = ExitStack()
        try:
            directory.mkdir(parents=True, exist_ok=True)
            self._lock_file(sites, "rb")
            self._lock_file(directory / LOCK, "ab")
            self._replay_steps()
            self._file = self._open_file()
        except OSError as error:
            self.close()
            raise self._unwritable_error(error) from error
        except CrawlError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the state."""
        self._files.close()

    def begin_round(self) -> None:
        """Begin a new round, of which only the servers of the hosts are kept."""
        line = {
            **{"event": "round", "schema": SCHEMA, "round": secrets.token_hex(8)},
            **{"at": time.time(), "hosts": self.hosts},
        }
        temporary = self.path.with_name(f".{NAME}.tmp")
        try:
            with temporary.open("wb", buffering=0) as file:
                _append_line(file, line, is_step=True)
            temporary.replace(self.path)
            self._file.close()
            self._file = self._open_file()
        except OSError as error:
            with suppress(OSError):
                temporary.unlink()
            raise self._unwritable_error(error) from error
        self._apply_step(line)

    def record_step(self, event: str, *, site: str = "", **facts: Any) -> None:
        """Record a step, here and on the disk. Raises CrawlError if there is no space."""
        line = {"event": event, "site": site, "at": time.time(), **facts}
        with self._lock:
            try:
                _append_line(self._file, line, is_step=event in STEPS)
            except (OSError, ValueError) as error:
                raise self._unwritable_error(error) from error
            self._apply_step(line)

    def _open_file(self) -> FileIO:
        return self._files.enter_context(self.path.open("ab", buffering=0))

    def _lock_file(self, path: Path, mode: str) -> None:
        file = self._files.enter_context(path.open(mode))
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            sentence = "another fleet is at work with it; wait until that is done, or stop it"
            raise CrawlError(Exit.REFUSED, f"{path}: {sentence}") from error

    def _replay_steps(self) -> None:
        """Read what is there; a last line that was not written to its end is removed."""
        size = 0
        try:
            with self.path.open("rb") as file:
                for text in file:
                    if not text.endswith(b"\n"):
                        break
                    line = json.loads(text)
                    if not size and line["schema"] != SCHEMA:
                        raise ValueError
                    self._apply_step(line)
                    size += len(text)
        except FileNotFoundError:
            return
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise CrawlError(
                Exit.REFUSED,
                f"{self.path}: damaged, or of another version; remove it to begin anew: hosts "
                "then come to the same servers if these are the same",
            ) from error
        os.truncate(self.path, size)

    def _unwritable_error(self, error: Exception) -> CrawlError:
        why = getattr(error, "strerror", None) or str(error)
        remedy = "once it can be, the same command continues"
        return CrawlError(Exit.NO_SPACE, f"{self.path}: cannot be written: {why}; {remedy}")

    def _apply_step(self, line: Mapping[str, Any]) -> None:
        """Take a line into the state. Raises KeyError, ValueError for one that is none."""
        event, key = line["event"], line.get("site", "")
        match event:
            case "round":
                self.round, self.started = line["round"], line["at"]
                self.hosts = dict(line["hosts"])
                self.sites = {}
                self.is_over = False
            case "moved":
                self.hosts |= line["hosts"]
            case "intended":
                self.hosts[line["host"]] = line["server"]
                attempts = self.sites.get(key, SiteProgress()).attempts + 1
                job = {"server": line["server"], "job": line["job"]}
                self.sites[key] = SiteProgress(**job, attempts=attempts)
            case "scheduled":
                self.sites[key].scheduled = True
            case "running":
                self.sites[key].running = line["at"]
            case "cancelled":
                self.sites[key].cancels += 1
                self.sites[key].cancelled = line["at"]
            case "lost":
                self.sites[key].job = ""
            case "ended":
                self.sites[key].outcome = {**line["outcome"], "at": line["at"]}
            case "over":
                self.is_over = True
            case _:
                raise ValueError(event)


STEPS = frozenset({"intended", "cancelled", "over"})
"""Lines that are on the disk, and not only with the operating system, before a step is taken."""


def _append_line(file: FileIO, line: Mapping[str, Any], *, is_step: bool) -> None:
    """Append a line: all of it or, on an error, nothing, or the next one would be joined to it."""
    size = os.fstat(file.fileno()).st_size
    rest = memoryview(json.dumps(line, ensure_ascii=False).encode() + b"\n")
    try:
        while rest:
            rest = rest[file.write(rest) :]
        if is_step:
            os.fsync(file.fileno())
    except OSError:
        with suppress(OSError):
            file.truncate(size)
        raise
