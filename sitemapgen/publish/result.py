"""result.json: the outcome of a crawl, for schedulers without access to its exit code and log.

It exists from the beginning, with the outcome ``running``; a crawl that is over and still has that
outcome was killed. The exit codes: ``errors.py``. A Scrapyd job also logs its outcome, since the
log is the only file of a job that Scrapyd serves (``tools/fleet/scrapyd.py`` reads it).
"""

from __future__ import annotations

import errno
import json
import logging
import os
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from sitemapgen.errors import Exit
from sitemapgen.publish.files import TEMPORARY
from sitemapgen.report.metrics import metric_values

if TYPE_CHECKING:
    from sitemapgen.publish.replacing import Publication

logger = logging.getLogger(__name__)

RESULT_FILE = "result.json"
SCHEMA = 1
RUNNING = "running"
RESERVED_BYTES = 24_576
"""Bytes reserved on the disk for a result without its lists of files."""
COUNTS = ("seen", "fetched", "listed", "failing", "verdicts")
"""Fields that it repeats from report.json."""
OF_KIND = ("kind", "urls", "fetched", "listed", "missing", "median")
"""Fields that it repeats of the ``SHOWN`` kinds with most URLs."""
SHOWN = 20

LISTS = frozenset(
    ("not_looked_at", "metrics", "kinds", "files", "changed", "warnings", "responses")
)
"""Fields that can be long, and are empty where there is no space."""
NOT_LOGGED = LISTS | {"pid"}
"""Fields that the log line of a job's result is without."""


class Result:
    """The outcome of one crawl, written to one or more files."""

    def __init__(self, paths: Iterable[Path], **known: object) -> None:
        """``known``: fields that have their values from the beginning."""
        self._paths = tuple(paths)
        self.is_over = False
        """Whether the outcome is final."""
        self._facts: dict[str, Any] = {
            "schema": SCHEMA,
            "outcome": RUNNING,
            "exit_code": None,
            "sentence": "",
            **known,
            "pid": os.getpid(),
            "started": format_moment(),
            "ended": None,
            "complete": None,
            "not_looked_at": [],
            "counts": {},
            "metrics": {},
            "kinds": [],
            "files": [],
            "changed": [],
            "warnings": [],
            "responses": [],
        }

    def begin(self) -> None:
        """Write the outcome ``running``, and reserve disk space for the final one."""
        self._write_files()
        with suppress(OSError):  # a full disk stops the crawl itself
            self.reserve(())

    def reserve(self, files: Iterable[str]) -> None:
        """Reserve the disk space of a final result that lists these files.

        Raises OSError when there is none; other errors of writing do not affect the crawl.
        """
        size = RESERVED_BYTES + 2 * sum(len(json.dumps(name)) + 16 for name in files)
        for path in self._paths:
            try:
                with _reserved_path(path).open("ab") as file:
                    os.posix_fallocate(file.fileno(), 0, size)
            except OSError as error:
                if error.errno in (errno.ENOSPC, errno.EDQUOT):
                    raise

    def note(self, publication: Publication, warnings: Iterable[str] = ()) -> None:
        """Keep a publication, or a refused one, and the warnings for the final result."""
        facts, directory = publication.summary, publication.directory.absolute()
        self._facts |= {name: facts[name] for name in ("complete", "not_looked_at")}
        self._facts["counts"] = {name: facts[name] for name in COUNTS}
        self._facts["metrics"] = metric_values(facts)
        rows = facts["kinds"]["rows"][:SHOWN]
        self._facts["kinds"] = [{name: row[name] for name in OF_KIND} for row in rows]
        self._facts["files"] = [str(directory / name) for name in publication.files]
        self._facts["changed"] = list(publication.replaced)
        self._facts["warnings"] = list(warnings)

    def measure(self, responses: list[dict[str, Any]]) -> None:
        """Keep the times and sizes of responses for the final result."""
        self._facts["responses"] = responses

    def end(self, exit_code: Exit, sentence: str = "", *, fetched: int | None = None) -> None:
        """Write the final outcome, unless there is one already."""
        if self.is_over:
            return
        self.is_over = True
        if fetched is not None:
            self._facts["counts"].setdefault("fetched", fetched)
        self._facts |= {
            "outcome": exit_code.name.lower(),
            "exit_code": int(exit_code),
            "sentence": sentence,
            "ended": format_moment(),
        }
        self._write_files()
        if self._facts.get("job"):
            short = {name: value for name, value in self._facts.items() if name not in NOT_LOGGED}
            logger.info("result: %(json)s", {"json": json.dumps(short)})

    def _write_files(self) -> None:
        """Replace the files; an error is logged, and the crawl goes on."""
        for path in self._paths:
            temporary = path.with_name(f".{path.name}{TEMPORARY}")
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                with suppress(FileNotFoundError):
                    _reserved_path(path).replace(temporary)
                with temporary.open("r+b" if temporary.exists() else "wb") as file:
                    _overwrite_content(file, self._facts)
                temporary.replace(path)
            except OSError as error:
                why = {"path": path, "why": error.strerror, "instead": self._overwrite_file(path)}
                logger.warning("%(path)s: cannot be written: %(why)s; %(instead)s", why)

    def _overwrite_file(self, path: Path) -> str:
        """Write over a file that cannot be replaced, or remove it; return what became of it.

        The outcome of an earlier run, or moment, would be taken for this one. Without its lists it
        needs no more space than there is.
        """
        short = {
            name: type(value)() if name in LISTS else value for name, value in self._facts.items()
        }
        with suppress(OSError):
            with path.open("r+b") as file:
                _overwrite_content(file, short)
            return "it has the outcome alone"
        with suppress(OSError):
            path.unlink()
        return "it is not that of this crawl" if path.exists() else "there is none"


def _overwrite_content(file: BinaryIO, facts: Mapping[str, Any]) -> None:
    """Write a result in place of what a file has. Raises OSError."""
    file.write(json.dumps(facts, indent=2, ensure_ascii=False).encode() + b"\n")
    file.truncate()
    file.flush()
    os.fsync(file.fileno())


def _reserved_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.reserved")


def format_moment(seconds: float | None = None) -> str:
    """Return a time in seconds since 1970, or the present one, such as 2026-01-31T12:00:00Z."""
    found = datetime.fromtimestamp(time.time() if seconds is None else seconds, timezone.utc)
    return found.isoformat(timespec="seconds").replace("+00:00", "Z")
